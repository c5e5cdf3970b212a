/**
 * The entry point `@vernal/testing/aimock`: scripted answers in the formats of OpenAI, Anthropic and Ollama, served by @copilotkit/aimock.
 */
export type { Aimock, AimockRequest } from './aimock/start-aimock.js';
export { startAimock } from './aimock/start-aimock.js';
