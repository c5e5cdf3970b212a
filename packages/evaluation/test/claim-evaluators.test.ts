import { document, messageText, type Prompt } from '@vernal/core';
import {
  AnswerCorrectnessEvaluator,
  ContextPrecisionEvaluator,
  ContextRecallEvaluator,
  type Evaluator,
  evaluationResponse,
  FactCheckingEvaluator,
  FaithfulnessEvaluator,
} from '@vernal/evaluation';
import { ScriptedChatModel, type ScriptStep } from '@vernal/testing';
import { describe, expect, it } from 'vitest';
import { coded, leave, lunch, request } from './samples.js';

const usage = { promptTokens: 10, completionTokens: 1, totalTokens: 11 };
const claims = (...list: string[]): ScriptStep => ({ text: JSON.stringify({ claims: list }), usage });
/** A claim is supported when the documents hold its words. */
const byWords = (prompt: Prompt): ScriptStep => {
  const text = prompt.messages.map(messageText).join('');
  const claim = /<claim>\n(.*)\n<\/claim>/.exec(text)?.[1] ?? '';
  const documents = /<documents>([\s\S]*)<\/documents>/.exec(text)?.[1] ?? '';
  const verdict = claim.startsWith('?') ? 'perhaps' : documents.includes(claim) ? 'yes' : 'no';
  return { text: JSON.stringify({ reason: '', verdict }), usage };
};

describe('the faithfulness evaluator', () => {
  it('scores the share of the claims that the documents support, and tells each', async () => {
    const model = new ScriptedChatModel([
      claims('31 days', 'paid leave', 'free lunch', 'noon'),
      byWords,
      byWords,
      byWords,
      byWords,
    ]);
    const result = await new FaithfulnessEvaluator({ model }).evaluate(request);
    expect(result).toMatchObject({ verdict: 'fail', score: 0.75, feedback: 'not supported: free lunch' });
    expect(result.metadata).toMatchObject({ supported: 3, unsupported: 1, unclear: 0 });
    expect(result.metadata['claims']).toEqual([
      { claim: '31 days', verdict: 'pass', reason: '' },
      { claim: 'paid leave', verdict: 'pass', reason: '' },
      { claim: 'free lunch', verdict: 'fail', reason: '' },
      { claim: 'noon', verdict: 'pass', reason: '' },
    ]);
    expect(result.usage).toEqual({ promptTokens: 50, completionTokens: 5, totalTokens: 55 });
    expect(JSON.parse(JSON.stringify(result))).toEqual(result);
    model.assertComplete();
  });

  it('passes from the mark on', async () => {
    const steps = (): ScriptStep[] => [claims('31 days', 'free lunch'), byWords, byWords];
    const at = (passAt: number): Evaluator =>
      new FaithfulnessEvaluator({ model: new ScriptedChatModel(steps()), passAt });
    expect((await at(0.5).evaluate(request)).verdict).toBe('pass');
    expect((await at(0.51).evaluate(request)).verdict).toBe('fail');
  });

  it('is inconclusive only if what is unclear could turn the verdict', async () => {
    const verdict = async (passAt: number): Promise<string> => {
      const model = new ScriptedChatModel([
        claims('31 days', '? noon', 'free lunch', 'noon'),
        byWords,
        byWords,
        byWords,
        byWords,
      ]);
      return (await new FaithfulnessEvaluator({ model, passAt }).evaluate(request)).verdict;
    };
    expect(await verdict(0.5)).toBe('pass');
    expect(await verdict(0.75)).toBe('inconclusive');
    expect(await verdict(0.8)).toBe('fail');
  });

  it('is inconclusive for an answer that claims nothing, or whose claims cannot be read', async () => {
    const verdicts = async (step: ScriptStep): Promise<string> =>
      (await new FaithfulnessEvaluator({ model: new ScriptedChatModel([step]) }).evaluate(request)).verdict;
    expect(await verdicts(claims())).toBe('inconclusive');
    expect(await verdicts('no list')).toBe('inconclusive');
    expect(await verdicts('{"claims":"one"}')).toBe('inconclusive');
    const silent = new FaithfulnessEvaluator({ model: new ScriptedChatModel([]) });
    expect((await silent.evaluate({ ...request, response: '' })).verdict).toBe('inconclusive');
  });

  it('counts what an unreadable list took', async () => {
    const model = new ScriptedChatModel([{ text: 'no list', usage }]);
    expect((await new FaithfulnessEvaluator({ model }).evaluate(request)).usage).toEqual(usage);
  });

  it('supports nothing without documents, and asks nobody about it', async () => {
    const model = new ScriptedChatModel([claims('a', 'b')]);
    const result = await new FaithfulnessEvaluator({ model }).evaluate({ ...request, documents: [] });
    expect(result).toMatchObject({ verdict: 'fail', score: 0 });
  });

  it('asks for claims in words where the model obeys no schema', async () => {
    const model = new ScriptedChatModel(['Sure:\n```json\n{"claims": ["31 days"]}\n```', 'Yes.'], {
      capabilities: { outputSchema: 'none' },
    });
    expect((await new FaithfulnessEvaluator({ model }).evaluate(request)).pass).toBe(true);
    expect(model.prompts[0]?.messages.map(messageText).join('')).toContain('JSON Schema');
  });

  it('lets another checker check', async () => {
    const checkerModel = new ScriptedChatModel(['Yes', 'No']);
    const evaluator = new FaithfulnessEvaluator({
      model: new ScriptedChatModel([claims('31 days', 'free lunch')]),
      checker: new FactCheckingEvaluator({ model: checkerModel, mode: 'checker' }),
      concurrency: 1,
    });
    expect((await evaluator.evaluate(request)).score).toBe(0.5);
    expect(checkerModel.prompts.map(({ userMessage }) => userMessage.text.split('\n').at(-1))).toEqual([
      'Claim: 31 days',
      'Claim: free lunch',
    ]);
  });

  it('checks no more claims at a time than it may, and stops when one check fails', async () => {
    let [running, most, started] = [0, 0, 0];
    let stopped = 0;
    const checker: Evaluator = {
      name: 'counting',
      async evaluate({ response }, context) {
        most = Math.max(most, ++running);
        started++;
        if (response === 'c3') throw new TypeError('broken');
        await new Promise<void>((resolve) => {
          if (response === 'c0') resolve();
          else context?.signal?.addEventListener('abort', () => resolve());
        });
        if (context?.signal?.aborted) stopped++;
        running--;
        return evaluationResponse({ verdict: 'pass' });
      },
    };
    const model = new ScriptedChatModel([claims(...Array.from({ length: 9 }, (_, i) => `c${i}`))]);
    const evaluator = new FaithfulnessEvaluator({ model, checker, concurrency: 3 });
    await expect(evaluator.evaluate(request)).rejects.toThrow('broken');
    expect([most, started]).toEqual([3, 4]);
    await Promise.resolve();
    expect(stopped).toBe(2);
  });

  it('stops at once when its signal fires', async () => {
    const stop = new AbortController();
    const model = new ScriptedChatModel([claims('a'), { text: 'yes', delayMs: 60_000 }]);
    const waiting = new FaithfulnessEvaluator({ model }).evaluate(request, { signal: stop.signal });
    while (model.prompts.length < 2) await Promise.resolve();
    stop.abort();
    await expect(waiting).rejects.toEqual(coded('aborted'));
  });

  it.each([
    ['passAt', 0],
    ['passAt', 1.1],
    ['concurrency', 0],
    ['concurrency', 1.5],
  ])('refuses %s %d', (option, value) => {
    expect(() => new FaithfulnessEvaluator({ model: new ScriptedChatModel([]), [option]: value })).toThrow(
      coded('invalid_argument', option),
    );
  });
});

describe('the context recall evaluator', () => {
  it('scores the share of the claims of the reference that were found', async () => {
    const model = new ScriptedChatModel([claims('31 days', 'noon', 'parking'), byWords, byWords, byWords]);
    const result = await new ContextRecallEvaluator({ model }).evaluate(request);
    expect(result.score).toBeCloseTo(2 / 3);
    expect(result.verdict).toBe('fail');
    expect(model.prompts[0]?.userMessage.text).toContain(`<text>\n${request.reference}\n</text>`);
  });

  it('needs a reference', async () => {
    const evaluator = new ContextRecallEvaluator({ model: new ScriptedChatModel([]) });
    await expect(evaluator.evaluate({ ...request, reference: undefined })).rejects.toEqual(
      coded('invalid_argument', 'reference'),
    );
  });
});

describe('the context precision evaluator', () => {
  const judged = (...words: string[]): ScriptedChatModel =>
    new ScriptedChatModel(words.map((verdict) => ({ text: JSON.stringify({ reason: 'so', verdict }), usage })));
  const found = { ...request, documents: [leave, lunch, document({ id: 'more', text: 'More about leave.' })] };

  // By hand: useful at ranks 1 and 3, so (1/1 + 2/3) / 2.
  it('is the average precision over the ranking', async () => {
    const result = await new ContextPrecisionEvaluator({ model: judged('yes', 'no', 'yes') }).evaluate(found);
    expect(result.score).toBeCloseTo(5 / 6);
    expect(result).toMatchObject({ verdict: 'pass', metadata: { useful: 2, found: 3 } });
    expect(result.metadata['documents']).toContainEqual({ id: 'lunch', verdict: 'fail', reason: 'so' });
    expect(result.usage).toMatchObject({ promptTokens: 30 });
  });

  it('is lower the later the useful one comes, and 0 without any', async () => {
    const scores = [];
    for (const words of [
      ['yes', 'no', 'no'],
      ['no', 'yes', 'no'],
      ['no', 'no', 'yes'],
      ['no', 'no', 'no'],
    ]) {
      scores.push((await new ContextPrecisionEvaluator({ model: judged(...words) }).evaluate(found)).score);
    }
    expect(scores).toEqual([1, 1 / 2, 1 / 3, 0]);
  });

  it('is inconclusive when the use of one is unclear, or nothing was found', async () => {
    const unclear = await new ContextPrecisionEvaluator({ model: judged('yes', 'perhaps', 'yes') }).evaluate(found);
    expect(unclear.verdict).toBe('inconclusive');
    const nothing = new ContextPrecisionEvaluator({ model: judged() });
    expect((await nothing.evaluate({ ...request, documents: [] })).verdict).toBe('inconclusive');
  });
});

describe('the answer correctness evaluator', () => {
  // By hand: of the answer '31 days' holds and 'free lunch' does not; of the reference 'paid' is missing. F1 = 1 / (1 + (1 + 1) / 2).
  it('is F1 of the claims of both sides', async () => {
    const model = new ScriptedChatModel([
      claims('31 days', 'free lunch'),
      byWords,
      byWords,
      claims('31 days', 'paid'),
      byWords,
      byWords,
    ]);
    const texts = { response: '31 days and a free lunch', reference: '31 days, paid, with 31 days' };
    const result = await new AnswerCorrectnessEvaluator({ model, concurrency: 1 }).evaluate(texts);
    expect(result.score).toBe(0.5);
    expect(result.metadata).toMatchObject({ wrong: ['free lunch'], missing: ['paid'], truePositives: 1 });
    expect(result.verdict).toBe('fail');
  });

  it('fails for no answer, and is inconclusive when nothing can be compared', async () => {
    const texts = { response: ' ', reference: 'x' };
    const silent = await new AnswerCorrectnessEvaluator({ model: new ScriptedChatModel([]) }).evaluate(texts);
    expect(silent.verdict).toBe('fail');
    const model = new ScriptedChatModel([claims(), claims('x'), byWords]);
    const empty = await new AnswerCorrectnessEvaluator({ model }).evaluate({ response: 'Hm.', reference: 'x' });
    expect(empty.verdict).toBe('inconclusive');
  });
});
