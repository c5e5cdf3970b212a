import { userMessage } from '@vernal/core';
import { query, withQuery } from '@vernal/rag';
import { describe, expect, it } from 'vitest';

describe('a query', () => {
  it('needs a text', () => {
    for (const text of ['', ' \n', undefined as never, 7 as never]) {
      expect(() => query(text)).toThrow(expect.objectContaining({ code: 'invalid_argument', subject: 'text' }));
      if (text === undefined) continue;
      expect(() => withQuery(query('q'), { text })).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
    }
  });

  it('keeps what a change leaves out', () => {
    const asked = query('q', { history: [userMessage('Hi')], context: { tenant: 'acme' } });
    expect(withQuery(asked, { text: 'other' })).toEqual({ ...asked, text: 'other' });
    expect(withQuery(asked, { text: undefined, history: [], context: undefined })).toEqual({ ...asked, history: [] });
    expect(query('q')).toEqual({ text: 'q', history: [], context: {} });
  });

  it('does not change with the lists it was made of', () => {
    const history = [userMessage('Hi')];
    const context: Record<string, unknown> = {};
    const asked = query('q', { history, context });
    history.push(userMessage('again'));
    context['late'] = true;
    expect(asked).toEqual({ text: 'q', history: [userMessage('Hi')], context: {} });
  });
});
