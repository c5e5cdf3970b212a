import { type ChatOptions, chatOptionsFactory, mergeChatOptions, overlayChatOptions } from '@vernal/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

describe('mergeChatOptions', () => {
  it('keeps what is undefined above, unsets what is null, replaces lists', () => {
    const base = { temperature: 0.7, topP: 1, stopSequences: ['a', 'b'], model: 'm' };
    expect(
      mergeChatOptions(base, { temperature: undefined, topP: null, stopSequences: ['c'], maxTokens: 5 }),
    ).toStrictEqual({
      temperature: 0.7,
      stopSequences: ['c'],
      model: 'm',
      maxTokens: 5,
    });
    expect(base.topP).toBe(1);
  });

  it('takes 0, false and empty lists for values', () => {
    expect(mergeChatOptions({ temperature: 1, stopSequences: ['a'] }, { temperature: 0, stopSequences: [] })).toEqual({
      temperature: 0,
      stopSequences: [],
    });
  });

  it('leaves nulls and undefined out, wherever they are', () => {
    expect(mergeChatOptions({ topK: null, topP: undefined }, { model: null })).toStrictEqual({});
    expect(mergeChatOptions(undefined, undefined)).toStrictEqual({});
    expect(mergeChatOptions({ topK: null }, undefined)).toStrictEqual({});
    expect(mergeChatOptions(undefined, { topK: null, topP: 1 })).toStrictEqual({ topP: 1 });
  });

  it('merges toolContext and extra per key; null in them is a value', () => {
    expect(
      mergeChatOptions(
        { toolContext: { a: 1, b: 2 }, extra: { store: true, user: 'u' } },
        { toolContext: { b: undefined, c: 3 }, extra: { user: null } },
      ),
    ).toEqual({ toolContext: { a: 1, b: 2, c: 3 }, extra: { store: true, user: null } });
    expect(mergeChatOptions({ toolContext: { a: 1 } }, { toolContext: null })).toStrictEqual({});
  });

  it('merges provider options per provider and key; null unsets there', () => {
    expect(
      mergeChatOptions(
        { providerOptions: { openai: { seed: 1, user: 'u' }, ollama: { numCtx: 8 } } },
        { providerOptions: { openai: { seed: null, effort: 'low' }, anthropic: { thinking: true } } },
      ),
    ).toStrictEqual({
      providerOptions: { openai: { user: 'u', effort: 'low' }, ollama: { numCtx: 8 }, anthropic: { thinking: true } },
    });
  });

  it('is not fooled by keys called __proto__', () => {
    const merged = mergeChatOptions(
      { extra: { a: 1 } },
      JSON.parse('{"extra":{"__proto__":{"admin":true}},"__proto__":{"model":"x"}}'),
    );
    expect(Reflect.get(merged.extra ?? {}, 'admin')).toBeUndefined();
    expect(merged.model).toBeUndefined();
  });

  it('gives the same whether three layers meet from below or from above', () => {
    const value = fc.constantFrom(undefined, null, 0, 1);
    const inner = fc.dictionary(fc.constantFrom('x', 'y'), fc.constantFrom(undefined, 0, 1));
    const layer = fc.record(
      {
        temperature: value,
        topK: value,
        extra: inner,
        providerOptions: fc.dictionary(fc.constantFrom('p', 'q'), inner),
      },
      { requiredKeys: [] },
    ) as fc.Arbitrary<ChatOptions>;
    fc.assert(
      fc.property(layer, layer, layer, (model, client, request) => {
        const above = mergeChatOptions(model, overlayChatOptions(client, request));
        const below = mergeChatOptions(overlayChatOptions(model, client), request);
        expect(above).toEqual(below);
      }),
    );
  });
});

interface AcmeOptions {
  readonly seed: number;
  readonly effort: 'low' | 'high';
}

describe('chatOptionsFactory', () => {
  const acme = chatOptionsFactory<AcmeOptions>('acme');

  it('files its own fields under its provider', () => {
    expect(acme({ temperature: 0, seed: 7, effort: undefined })).toStrictEqual({
      temperature: 0,
      providerOptions: { acme: { seed: 7 } },
    });
    expect(acme({ temperature: 0 })).toStrictEqual({ temperature: 0 });
    expect(acme({ seed: 7, providerOptions: { other: { a: 1 }, acme: { effort: 'low' } } })).toStrictEqual({
      providerOptions: { other: { a: 1 }, acme: { effort: 'low', seed: 7 } },
    });
    expect(acme.provider).toBe('acme');
  });

  it('reads its own fields only', () => {
    const options = mergeChatOptions(acme({ seed: 7 }), chatOptionsFactory<{ readonly a: number }>('other')({ a: 1 }));
    expect(acme.of(options)).toStrictEqual({ seed: 7 });
    expect(acme.of({})).toStrictEqual({});
    expect(acme.of({ providerOptions: null })).toStrictEqual({});
    expect(acme.of(acme({ seed: null, effort: 'high' }))).toStrictEqual({ effort: 'high' });
  });

  it('lets null unset a default of the model', () => {
    expect(acme.of(mergeChatOptions(acme({ seed: 7, effort: 'low' }), acme({ seed: null })))).toStrictEqual({
      effort: 'low',
    });
  });

  it('refuses an empty provider', () => {
    expect(() => chatOptionsFactory('')).toThrow(
      expect.objectContaining({ code: 'invalid_argument', subject: 'provider' }),
    );
  });
});
