import { VernalError } from '@vernal/core';
import { requireApiKey, requireHttpAddress, requireModel, requireToolName, toolCallInput } from '@vernal/core/adapter';
import { describe, expect, it } from 'vitest';

const refused = (subject: string): unknown => expect.objectContaining({ code: 'invalid_argument', subject });

describe('what adapters check', () => {
  it('a key, unless there is a client or an address of one’s own', () => {
    for (const connection of [{ apiKey: 'k' }, { baseURL: 'http://127.0.0.1:1' }, { client: {} }]) {
      expect(() => requireApiKey('Acme', connection)).not.toThrow();
    }
    for (const connection of [{}, { apiKey: ' ' }, { apiKey: undefined }]) {
      expect(() => requireApiKey('Acme', connection)).toThrow(refused('apiKey'));
    }
  });

  it('an address, if there is one', () => {
    for (const baseURL of [undefined, 'https://host', 'HTTP://127.0.0.1:1/v1']) {
      expect(() => requireHttpAddress(baseURL, 'https://host/v1')).not.toThrow();
    }
    for (const baseURL of ['', 'host', 'ftp://host', 'https://']) {
      const check = (): void => requireHttpAddress(baseURL, 'https://host/v1');
      expect(check).toThrow(refused('baseURL'));
      expect(check).toThrow("'https://host/v1'");
    }
  });

  it('the name of a model', () => {
    expect(requireModel('one')).toBe('one');
    for (const model of [undefined, '']) expect(() => requireModel(model)).toThrow(refused('model'));
  });

  it('the names of tools', () => {
    expect(() => requireToolName('Acme', 'get_weather-2')).not.toThrow();
    for (const name of ['get weather', 'näme', '', 'n'.repeat(65)]) {
      expect(() => requireToolName('Acme', name)).toThrow(refused('tools'));
    }
  });
});

describe('toolCallInput', () => {
  const call = (text: string): unknown => toolCallInput({ id: 'a', name: 'save', arguments: text });

  it('is the JSON of the arguments; nothing stands for no arguments', () => {
    expect(call('{"a":[1]}')).toEqual({ a: [1] });
    expect(call('')).toEqual({});
    expect(call(' \n')).toEqual({});
  });

  it('names the tool and never quotes the arguments', () => {
    let thrown: unknown;
    try {
      call('{"secret": hunter2');
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toEqual(refused('messages'));
    if (!VernalError.is(thrown)) throw thrown;
    expect(thrown.message).toContain("'save'");
    expect(`${thrown.message} ${String(thrown.cause)}`).not.toContain('hunter2');
  });
});
