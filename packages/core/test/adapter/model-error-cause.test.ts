import { inspect } from 'node:util';
import { type ModelErrorPlace, modelErrorFrom } from '@vernal/core/adapter';
import { describe, expect, it } from 'vitest';

const SECRET = 'sk-secret-and-a-prompt';
const place: ModelErrorPlace = { provider: 'acme', name: 'Acme' };

/** What a logger prints of an error, its causes included. */
const printed = (thrown: unknown, where: ModelErrorPlace = place): string =>
  inspect(modelErrorFrom(thrown, where), { depth: 10, showHidden: false });

function syntaxError(): unknown {
  try {
    return JSON.parse(SECRET);
  } catch (error) {
    return error;
  }
}

describe('the cause of a model error', () => {
  it.each([
    ['a parser that quotes what it reads', syntaxError()],
    [
      'an error that quotes an address',
      Object.assign(new TypeError(`Failed to parse URL from https://x/?${SECRET}`), { input: SECRET }),
    ],
    ['causes of causes', new Error('a', { cause: new Error('b', { cause: new Error(SECRET) }) })],
    ['text', SECRET],
    ['an error with its own fields', Object.assign(new Error('x'), { request: { body: SECRET }, name: SECRET })],
  ])('says nothing of %s', (_, thrown) => {
    for (const streaming of [false, true]) expect(printed(thrown, { ...place, streaming })).not.toContain('secret');
  });

  it('keeps what the platform says, and where', () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
    const text = printed(new TypeError('fetch failed', { cause: refused }));
    expect(text).toContain('TypeError');
    expect(text).toContain('connect ECONNREFUSED 127.0.0.1:1');
    expect(text).toMatch(/at .*model-error-cause\.test/);
  });

  it('is the whole error where the words of the provider are wanted', () => {
    const thrown = new Error(SECRET);
    expect(modelErrorFrom(thrown, { ...place, providerMessages: true }).cause).toBe(thrown);
  });

  it('ends, even when causes go in circles', () => {
    const thrown = new Error('a');
    thrown.cause = thrown;
    expect(modelErrorFrom(thrown, place)).toMatchObject({ code: 'model_connection' });
  });
});

it('a success that is not JSON did not come from the API', () => {
  expect(modelErrorFrom(syntaxError(), place)).toMatchObject({ code: 'model_error', subject: 'baseURL' });
});

it('says what the platform calls it when a provider cannot be reached, wherever in the causes that stands', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  for (const thrown of [refused, new TypeError('fetch failed', { cause: refused })]) {
    const error = modelErrorFrom(thrown, { provider: 'acme', name: 'Acme' });
    expect(error.message).toBe('Acme cannot be reached (ECONNREFUSED): check the network and `baseURL`');
  }
  const words = Object.assign(new Error('no'), { code: 'the key is s3cret' });
  expect(modelErrorFrom(words, { provider: 'acme', name: 'Acme' }).message).not.toContain('s3cret');
});
