import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { jsonSchema, type ToolContext, ToolExecutionError, tool, VernalError, withJsonSchema } from '@vernal/core';
import { jsonSchemaValidator } from '@vernal/core/json-schema';
import * as v from 'valibot';
import { describe, expect, expectTypeOf, it, vi } from 'vitest';
import { z } from 'zod';

async function failureOf(work: Promise<unknown>): Promise<ToolExecutionError> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (ToolExecutionError.is(error)) return error;
  throw new Error(`expected a ToolExecutionError, got ${String(error)}`);
}

const save = (seen: unknown[] = []) =>
  tool({
    name: 'save',
    input: z.object({ path: z.string(), n: z.number().int() }),
    execute: (input) => {
      seen.push(input);
      return 'saved';
    },
  });

describe('the definition', () => {
  it.each([
    ['currentWeather', 'current weather'],
    ['get_http_status', 'get http status'],
    ['getHTTPStatus', 'get http status'],
    ['list-files2Go', 'list files2 go'],
    ['größeÄndern', 'größe ändern'],
  ])('describes %s as "%s" by default', (name, words) => {
    expect(tool({ name, execute: () => 1 }).definition.description).toBe(words);
    expect(tool({ name, description: ' ', execute: () => 1 }).definition.description).toBe(words);
    expect(tool({ name, description: 'Mine', execute: () => 1 }).definition.description).toBe('Mine');
  });

  it('has the input side of the schema, made once and only when asked for', () => {
    const schema = z.object({
      at: z.string().transform((text) => new Date(text)),
      unit: z.enum(['c', 'f']).default('c'),
    });
    const input = vi.spyOn(schema['~standard'].jsonSchema, 'input');
    const { definition } = tool({ name: 'a', input: schema, execute: () => 1 });
    expect(definition.name).toBe('a');
    expect(input).not.toHaveBeenCalled();
    const written = definition.inputSchema;
    expect(written).toMatchObject({
      type: 'object',
      properties: { at: { type: 'string' }, unit: { enum: ['c', 'f'], default: 'c' } },
      required: ['at'],
    });
    expect(definition.inputSchema).toBe(written);
    expect(input).toHaveBeenCalledTimes(1);
    expect(JSON.parse(JSON.stringify(definition)).inputSchema).toEqual(written);
  });

  it.each([
    [{}, { type: 'object', properties: {} }],
    [{ type: 'object' }, { type: 'object', properties: {} }],
    [{ type: ['object', 'null'] }, { type: 'object', properties: {} }],
    [{ properties: { a: {} } }, { type: 'object', properties: { a: {} } }],
    [{ anyOf: [{}] }, { anyOf: [{}], type: 'object', properties: {} }],
  ])('fills in what providers want: %j', (given, wanted) => {
    expect(tool({ name: 'a', input: jsonSchema(given), execute: () => 1 }).definition.inputSchema).toEqual(wanted);
  });

  it('of a tool without input takes nothing', () => {
    expect(tool({ name: 'now', execute: () => 1 }).definition.inputSchema).toEqual({
      type: 'object',
      properties: {},
      additionalProperties: false,
    });
  });

  it('refuses an input that is not an object when it is written', () => {
    const { definition } = tool({ name: 'a', input: z.string(), execute: () => 1 });
    expect(() => definition.inputSchema).toThrow(/'a' must describe an object/);
  });

  it('refuses a blank name and a schema without JSON Schema', () => {
    expect(() => tool({ name: '  ', execute: () => 1 })).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
    const plain: unknown = v.object({ a: v.string() });
    const untyped = tool as (options: object) => unknown;
    expect(() => untyped({ name: 'a', input: plain, execute: () => 1 })).toThrow(
      expect.objectContaining({ code: 'schema_without_json_schema' }),
    );
  });

  it('says whether the result is the answer', () => {
    expect(tool({ name: 'a', execute: () => 1 }).metadata).toEqual({ returnDirect: false });
    expect(tool({ name: 'a', returnDirect: true, execute: () => 1 }).metadata).toEqual({ returnDirect: true });
  });
});

describe('a call', () => {
  it('gets what the schema yields', async () => {
    const schema = z.object({
      at: z.string().transform((text) => new Date(text)),
      unit: z.enum(['c', 'f']).default('c'),
    });
    const seen: unknown[] = [];
    const weather = tool({
      name: 'weather',
      input: schema,
      execute: (input) => {
        expectTypeOf(input).toEqualTypeOf<{ at: Date; unit: 'c' | 'f' }>();
        seen.push(input);
      },
    });
    expect(await weather.call('{"at":"2024-01-01T00:00:00Z"}')).toBe('Done');
    expect(seen).toEqual([{ at: new Date('2024-01-01T00:00:00Z'), unit: 'c' }]);
  });

  it('works with valibot, with JSON Schema and with asynchronous validation', async () => {
    const stops = tool({
      name: 'stops',
      input: toStandardJsonSchema(v.object({ line: v.number() })),
      execute: ({ line }) => line + 1,
    });
    expect(await stops.call('{"line":1}')).toBe('2');
    const plain = withJsonSchema(v.object({ line: v.number() }), { type: 'object' });
    expect(await tool({ name: 'stops', input: plain, execute: ({ line }) => line + 1 }).call('{"line":1}')).toBe('2');
    const byHand = jsonSchema<{ q: string }>(
      { properties: { q: { type: 'string' } } },
      { validator: jsonSchemaValidator() },
    );
    const search = tool({ name: 'search', input: byHand, execute: ({ q }) => q.length });
    expect(await search.call('{"q":"abc"}')).toBe('3');
    expect((await failureOf(search.call('{"q":3}'))).message).toContain('q: must be string, got number');
    const known = z.object({ id: z.string().refine(async (id) => id === 'a', 'is unknown') });
    const byId = tool({ name: 'byId', input: known, execute: ({ id }) => id });
    expect(await byId.call('{"id":"a"}')).toBe('a');
    expect((await failureOf(byId.call('{"id":"b"}'))).message).toContain('id: is unknown');
  });

  it.each(['', '   ', '\n', '{}', 'null'])('reads %j as no arguments', async (text) => {
    const seen: unknown[] = [];
    const now = tool({ name: 'now', execute: (input) => void seen.push(input) });
    const all = tool({
      name: 'all',
      input: z.object({ a: z.number().optional() }),
      execute: (input) => void seen.push(input),
    });
    await now.call(text);
    await all.call(text);
    expect(seen).toEqual([{}, {}]);
  });

  it('hands {} to a tool without input, whatever the model wrote', async () => {
    const seen: unknown[] = [];
    await tool({ name: 'now', execute: (input) => void seen.push(input) }).call('{"zone":"UTC"}');
    expect(seen).toEqual([{}]);
  });

  it.each([
    ['{"path":"/a', /ends too early/],
    ['{path: "/a", n: 1}', /column 2/],
    ['{"path":"/a","n":1}}', /column 20/],
    ['{"path":"/a" "n":1}', /column 14/],
    ['<tool>/a</tool>', /column 1/],
    ['{"path":"/a","n":1,}', /column 20/],
  ])('does not run for text that is not JSON: %s', async (text, place) => {
    const seen: unknown[] = [];
    const error = await failureOf(save(seen).call(text));
    expect(error).toMatchObject({ code: 'tool_execution', toolName: 'save', subject: 'arguments' });
    expect(error.message).toMatch(place);
    expect(error.message).not.toContain('/a');
    expect(seen).toEqual([]);
  });

  it.each([
    ['{"id":2512292042121000001}', 'id'],
    ['{"a":[{"id":-9007199254740993}]}', 'a[0].id'],
    ['{"f":1e999}', 'f'],
  ])('never passes on a number that reading would change: %s', async (text, place) => {
    const execute = vi.fn();
    const error = await failureOf(tool({ name: 'a', input: jsonSchema({}), execute }).call(text));
    expect(error.message).toContain(`${place}: `);
    expect(execute).not.toHaveBeenCalled();
  });

  it('takes 1.0 for the integer 1, digits in text as they are, and never text for a number', async () => {
    const seen: unknown[] = [];
    await save(seen).call('{"path":"2512292042121000001","n":1.0}');
    expect(seen).toEqual([{ path: '2512292042121000001', n: 1 }]);
    expect((await failureOf(save().call('{"path":"x","n":"12"}'))).message).toContain('n: ');
  });

  it('tells the model place and rule of each fault, never the value', async () => {
    const input = z.object({ user: z.object({ tags: z.array(z.string().max(3)) }), n: z.number() });
    const error = await failureOf(
      tool({ name: 'a', input, execute: () => 1 }).call('{"user":{"tags":["ok","s3cr3t"]},"n":"pa55"}'),
    );
    expect(error.message).toContain("tool 'a'");
    expect(error.message).toContain('user.tags[1]: ');
    expect(error.message).toContain('n: ');
    expect(error.message).not.toMatch(/s3cr3t|pa55/);
  });

  it('does not drown the model in faults', async () => {
    const error = await failureOf(
      tool({ name: 'a', input: z.object({ n: z.array(z.number()) }), execute: () => 1 }).call(
        JSON.stringify({ n: Array.from({ length: 500 }, () => 'x') }),
      ),
    );
    expect(error.message).toContain('and 480 more');
    expect(error.message.length).toBeLessThan(5_000);
  });

  it('has a context of its own when called by hand', async () => {
    let context: ToolContext | undefined;
    const spy = tool({
      name: 'spy',
      execute: (_, given) => {
        context = given;
      },
    });
    await spy.call('');
    expect(context).toMatchObject({ values: {}, toolCallId: '', messages: [] });
    expect(context?.signal.aborted).toBe(false);
    expect(context?.signal).toBe(context?.signal);
  });

  it('passes a given context on', async () => {
    const context: ToolContext = {
      values: { tenant: 'acme' },
      signal: AbortSignal.abort(),
      toolCallId: 'c1',
      messages: [],
    };
    const spy = tool({
      name: 'spy',
      execute: (_, given) => `${given.values['tenant']} ${given.toolCallId} ${given.signal.aborted}`,
    });
    expect(await spy.call('{}', context)).toBe('acme c1 true');
  });

  it('converts the result in its own way', async () => {
    const chart = tool({
      name: 'chart',
      execute: () => ({ title: 'Rain', bytes: 'AAAA' }),
      convertResult: ({ title, bytes }) => ({
        text: title,
        media: [{ mimeType: 'image/png', source: { type: 'base64', base64: bytes } }],
      }),
    });
    expect(await chart.call('')).toEqual({
      text: 'Rain',
      media: [{ mimeType: 'image/png', source: { type: 'base64', base64: 'AAAA' } }],
    });
  });
});

describe('what execute throws', () => {
  it('is wrapped once, its own words kept from the model', async () => {
    const thrown = new TypeError('cannot reach db://user:pw@host');
    const error = await failureOf(
      tool({
        name: 'a',
        execute: () => {
          throw thrown;
        },
      }).call(''),
    );
    expect(error).toMatchObject({ message: "Tool 'a' failed (TypeError)", fatal: false, cause: thrown });
  });

  it.each([undefined, null, 'a string', 42, { a: 1 }])('may be anything: %j', async (thrown) => {
    const error = await failureOf(tool({ name: 'a', execute: () => Promise.reject(thrown) }).call(''));
    expect(error.message).toBe("Tool 'a' failed");
    expect(error.cause).toBe(thrown);
  });

  it('is told in its own words when it was written to be told', async () => {
    const known = new VernalError('The store is closed; open it first', { code: 'store_read', retryable: true });
    const error = await failureOf(tool({ name: 'a', execute: () => Promise.reject(known) }).call(''));
    expect(error).toMatchObject({
      message: "Tool 'a' failed: The store is closed; open it first",
      retryable: true,
      cause: known,
    });
    const own = new ToolExecutionError('No such city', { toolName: 'a', fatal: true });
    expect(await failureOf(tool({ name: 'a', execute: () => Promise.reject(own) }).call(''))).toBe(own);
  });

  it('includes what convertResult throws', async () => {
    const convertResult = () => {
      throw new RangeError('x');
    };
    expect((await failureOf(tool({ name: 'a', execute: () => 1, convertResult }).call(''))).message).toBe(
      "Tool 'a' failed (RangeError)",
    );
  });
});
