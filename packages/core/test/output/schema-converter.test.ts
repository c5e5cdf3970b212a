import { runInNewContext } from 'node:vm';
import { jsonSchema, StructuredOutputError, schemaConverter } from '@vernal/core';
import { closedJsonSchema } from '@vernal/core/adapter';
import { expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';

async function failure(run: () => unknown): Promise<StructuredOutputError> {
  try {
    await run();
  } catch (error) {
    if (StructuredOutputError.is(error)) return error;
    throw error;
  }
  throw new Error('did not fail');
}

const Numbers = z.object({ id: z.int(), s: z.string(), f: z.number() });

it('gives the output side of the schema and describes the input side', async () => {
  const converter = schemaConverter(z.object({ at: z.iso.date().transform((text) => new Date(text)) }));
  const value = await converter.convert('{"at":"2026-11-30","more":1}');
  expectTypeOf(value).toEqualTypeOf<{ at: Date }>();
  expect(value).toEqual({ at: new Date('2026-11-30') });
  expect(converter.jsonSchema).toMatchObject({ type: 'object', properties: { at: { type: 'string' } } });
});

it('asks for JSON only and shows the schema', () => {
  const { format, jsonSchema: schema } = schemaConverter(z.object({ title: z.string().describe('As on the poster') }));
  expect(format).toContain(JSON.stringify(schema, undefined, 2));
  expect(format).toContain('As on the poster');
  expect(format).not.toContain('```');
});

it('shows properties in the order of the schema, which is the order to write them in', () => {
  const Answer = z.object({
    reasoning: z.string(),
    zeal: z.number(),
    answer: z.object({ b: z.string(), a: z.string() }),
  });
  const raw = { type: 'object', properties: { z: {}, a: {}, m: { properties: { y: {}, b: {} } } } };
  for (const [schema, names] of [
    [Answer, ['reasoning', 'zeal', 'answer', 'b', 'a']],
    [jsonSchema(raw), ['z', 'a', 'm', 'y', 'b']],
  ] as const) {
    const { format, jsonSchema: sent } = schemaConverter(schema);
    const places = (text: string): number[] => names.map((name) => text.indexOf(`"${name}":`));
    expect(places(format)).not.toContain(-1);
    expect(places(format)).toEqual(places(format).toSorted((a, b) => a - b));
    const closed = JSON.stringify(closedJsonSchema(sent ?? {}, { requireAll: true, accepts: () => true }));
    expect(places(closed)).toEqual(places(closed).toSorted((a, b) => a - b));
  }
});

it.each([
  [z.array(z.object({ name: z.string() })), '[{"name":"a"},{"name":"b"}]', [{ name: 'a' }, { name: 'b' }]],
  [
    z.array(z.object({ name: z.string() })),
    '```json\n[{"name":"a"},{"name":"b"}]\n```',
    [{ name: 'a' }, { name: 'b' }],
  ],
  [z.enum(['red', 'green']), '"red"', 'red'],
  [z.number(), '4.5', 4.5],
])('reads any type at the top', async (schema, text, value) => {
  expect(await schemaConverter(schema).convert(text)).toEqual(value);
});

it('answers at once where the schema does, else with a promise', async () => {
  expect(schemaConverter(z.number()).convert('1')).toBe(1);
  const slow = schemaConverter(z.number().refine(async (n) => n > 1, 'too small'));
  expect(await slow.convert('2')).toBe(2);
  const error = await failure(() => slow.convert('1'));
  expect(error.issues).toMatchObject([{ message: 'too small' }]);
});

it('waits for promises of any realm: what is no Promise by class is no result', async () => {
  const later: unknown = runInNewContext("Promise.resolve({ issues: [{ message: 'no' }] })");
  const converter = schemaConverter({
    '~standard': { version: 1, validate: () => later, jsonSchema: { input: () => ({}), output: () => ({}) } },
  });
  await expect((async () => converter.convert('{}'))()).rejects.toMatchObject({ code: 'structured_output' });
});

it('says what does not fit, with the raw text beside the message and not in it', async () => {
  const text = 'Sure: {"id":"12","s":"geheim","f":1}';
  const error = await failure(() => schemaConverter(Numbers).convert(text));
  expect(error).toMatchObject({ code: 'structured_output', subject: 'id', attempts: 1, rawText: text });
  expect(error.issues).toMatchObject([{ path: ['id'] }]);
  expect(error.message).not.toContain('geheim');
});

it('says where text stops being JSON, without quoting it', async () => {
  const error = await failure(() => schemaConverter(Numbers).convert('{"id":1,\n "s":"geheim","f":NaN}'));
  expect(error.message).toContain('line 2, column 19');
  expect(error.message).not.toContain('geheim');
  expect(error.cause).toBeUndefined();
  expect((await failure(() => schemaConverter(Numbers).convert('{"id":1'))).message).toContain('too early');
  expect((await failure(() => schemaConverter(Numbers).convert('  '))).message).toContain('empty');
});

it('never rounds a whole number or lets one become infinite in silence', async () => {
  const converter = schemaConverter(z.object({ list: z.array(Numbers) }));
  const wrap = (item: string): string => `{"list":[{"id":1,"s":"2512292042121000001","f":1e2},${item}]}`;
  const big = await failure(() => converter.convert(wrap('{"id":2512292042121000001,"s":"","f":1}')));
  expect(big.issues).toMatchObject([{ path: ['list', 1, 'id'] }]);
  const infinite = await failure(() => converter.convert(wrap('{"f":1e999,"id":1,"s":"a,[{\\"b\\""}')));
  expect(infinite.issues).toMatchObject([{ path: ['list', 1, 'f'] }]);
  expect(await converter.convert(wrap('{"id":1.0,"s":"x","f":0.1}'))).toMatchObject({
    list: [{ f: 100 }, { id: 1, f: 0.1 }],
  });
  expect(await schemaConverter(z.number()).convert('9007199254740992')).toBe(2 ** 53);
});

it('reads as it is with no cleaners', async () => {
  const strict = schemaConverter(z.array(z.number()), { cleaners: [] });
  expect(await strict.convert('[1]')).toEqual([1]);
  const error = await failure(() => strict.convert('[1,]'));
  expect(error.rawText).toBe('[1,]');
});

it('applies cleaners of its own to text that is JSON already', async () => {
  const converter = schemaConverter(z.number(), { cleaners: [(text) => `${text}0`] });
  expect(await converter.convert('1')).toBe(10);
});

it('takes a JSON Schema with a validator', async () => {
  const schema = jsonSchema<number>(
    { type: 'number' },
    { validator: { validate: (_, value) => (value === 1 ? [] : [{ message: 'not 1' }]) } },
  );
  expect(await schemaConverter(schema).convert('1')).toBe(1);
  expect((await failure(() => schemaConverter(schema).convert('2'))).issues).toEqual([{ message: 'not 1' }]);
});

it('refuses a schema that has no JSON Schema', () => {
  const bare = { '~standard': { version: 1, vendor: 'x', validate: (value: unknown) => ({ value }) } };
  expect(() => Reflect.apply(schemaConverter, undefined, [bare])).toThrow(
    expect.objectContaining({ code: 'schema_without_json_schema' }),
  );
});

it.each([
  ['complaint', 'complaint'],
  ['"complaint"', 'complaint'],
  ['```json\n"complaint"\n```', 'complaint'],
  ['<think>hm</think>\ncomplaint\n', 'complaint'],
  ['42', '42'],
])('takes the bare word where one of a list is wanted: %j', async (text, word) => {
  expect(await schemaConverter(z.enum(['complaint', 'praise', '42'])).convert(text)).toBe(word);
});

it('refuses a word that is not of the list', async () => {
  const error = await failure(() => schemaConverter(z.enum(['complaint', 'praise'])).convert('It is a complaint.'));
  expect(error.rawText).toBe('It is a complaint.');
});
