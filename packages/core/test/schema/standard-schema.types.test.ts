import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import { type AnySchema, type AnySchemaWithJson, jsonSchema, type Schema, type SchemaWithJson } from '@vernal/core';
import { describe, expectTypeOf, it } from 'vitest';

interface City {
  readonly name: string;
}

describe('the Standard Schema interfaces', () => {
  it('fit those of the specification in both directions', () => {
    expectTypeOf<StandardSchemaV1<string, number>>().toExtend<Schema<string, number>>();
    expectTypeOf<Schema<string, number>>().toExtend<StandardSchemaV1<string, number>>();
    expectTypeOf<StandardSchemaV1<string, number>>().toExtend<AnySchema>();
    expectTypeOf<SchemaWithJson<string, number>>().toExtend<StandardJSONSchemaV1<string, number>>();
    expectTypeOf<StandardSchemaV1<City> & StandardJSONSchemaV1<City>>().toExtend<AnySchemaWithJson>();
  });

  it('carry the type that is written beside a JSON Schema', () => {
    expectTypeOf(jsonSchema<City>({ type: 'object' })).toEqualTypeOf<SchemaWithJson<City, City>>();
  });
});
