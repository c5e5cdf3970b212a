import {
  BatchError,
  ConversationConflictError,
  EmbeddingError,
  ModelError,
  StructuredOutputError,
  TemplateError,
  ToolExecutionError,
  ToolLimitError,
  UnsupportedCapabilityError,
  VernalError,
} from '@vernal/core';
import { describe, expect, it } from 'vitest';

const conflict = { conversationId: 'c', expectedSequence: 1, actualSequence: 2 };
const all = [
  { type: BatchError, error: new BatchError('m', { failedIds: ['1'] }), code: 'store_write' },
  {
    type: ConversationConflictError,
    error: new ConversationConflictError('m', conflict),
    code: 'conversation_conflict',
  },
  { type: EmbeddingError, error: new EmbeddingError('m', { failedIds: [], embedded: new Map() }), code: 'embedding' },
  { type: ModelError, error: new ModelError('m', { provider: 'p' }), code: 'model_error' },
  { type: StructuredOutputError, error: new StructuredOutputError('m', { rawText: 'RAW' }), code: 'structured_output' },
  { type: TemplateError, error: new TemplateError('m'), code: 'template' },
  { type: ToolExecutionError, error: new ToolExecutionError('m', { toolName: 't' }), code: 'tool_execution' },
  { type: ToolLimitError, error: new ToolLimitError('m', { limit: 3 }), code: 'tool_limit' },
  {
    type: UnsupportedCapabilityError,
    error: new UnsupportedCapabilityError('m', { capability: 'tools', owner: 'o' }),
    code: 'unsupported_capability',
  },
];

describe('VernalError', () => {
  it('carries code, subject, details and cause, and leaves out what it was not given', () => {
    const cause = new Error('inner');
    const full = new VernalError('m', {
      code: 'x',
      subject: 's',
      details: { a: 1 },
      retryable: true,
      retryAfterMs: 5,
      cause,
    });
    expect({ ...full }).toEqual({ code: 'x', subject: 's', details: { a: 1 }, retryable: true, retryAfterMs: 5 });
    expect(full.cause).toBe(cause);
    expect(full.message).toBe('m');
    const bare = new VernalError('m', { code: 'x' });
    expect({ ...bare }).toEqual({ code: 'x', details: {}, retryable: false });
    expect('cause' in bare).toBe(false);
    expect('subject' in bare).toBe(false);
  });

  it('is told apart by a registered symbol, not by its class', () => {
    const ofAnotherCopy = Object.assign(new Error('m'), { code: 'x' });
    Object.defineProperty(ofAnotherCopy, Symbol.for('vernal.error'), { value: true });
    expect(VernalError.is(ofAnotherCopy)).toBe(true);
    expect(ModelError.is(ofAnotherCopy)).toBe(false);
    for (const value of [new Error('m'), { code: 'x' }, 'text', 7, null, undefined, () => 1]) {
      expect(VernalError.is(value)).toBe(false);
    }
  });

  it('keeps its brand in a subclass of a user', () => {
    class QuotaError extends ModelError {}
    const error = new QuotaError('m', { provider: 'p' });
    expect(ModelError.is(error) && VernalError.is(error)).toBe(true);
  });
});

describe('subclasses', () => {
  it.each(all)(
    '$code: has a name, a default code, and is() of its own kind and of its parents only',
    ({ type, error, code }) => {
      expect(error.name).toBe(type.name);
      expect(String(error)).toBe(`${type.name}: m`);
      expect(error.code).toBe(code);
      expect(VernalError.is(error)).toBe(true);
      const matching = all.filter((other) => other.type.is(error)).map((other) => other.type);
      expect(matching).toEqual(type === EmbeddingError ? [BatchError, EmbeddingError] : [type]);
    },
  );

  it('keep the code they are given', () => {
    const error = new ModelError('m', {
      provider: 'openai',
      code: 'model_rate_limit',
      status: 429,
      requestId: 'r',
      retryable: true,
    });
    expect(error).toMatchObject({
      code: 'model_rate_limit',
      provider: 'openai',
      status: 429,
      requestId: 'r',
      retryable: true,
    });
    expect('status' in new ModelError('m', { provider: 'p' })).toBe(false);
  });

  it('hide contents from loggers that print fields', () => {
    const output = new StructuredOutputError('m', { rawText: 'SECRET', issues: [{ message: 'SECRET' }], attempts: 2 });
    const limit = new ToolLimitError('m', { limit: 1, partial: [{ id: '1', name: 't', result: 'SECRET' }] });
    expect(JSON.stringify([output, limit])).not.toContain('SECRET');
    expect(output.rawText).toBe('SECRET');
    expect(output.issues).toHaveLength(1);
    expect(limit.partial[0]?.result).toBe('SECRET');
  });

  it('copy the list of failed ids', () => {
    const failedIds = ['a'];
    const error = new BatchError('m', { failedIds });
    failedIds.push('b');
    expect(error.failedIds).toEqual(['a']);
  });
});
