export type { JsonSchemaValidatorOptions } from './json-schema/default-validator.js';
export { jsonSchemaValidator } from './json-schema/default-validator.js';
