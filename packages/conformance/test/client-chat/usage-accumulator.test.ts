import {
  BaseAdvisor,
  ChatClient,
  type ChatClientRequest,
  type ChatClientResponse,
  type Inward,
} from '@vernal/client-chat';
import { UsageAccumulator } from '@vernal/client-chat/advisors';
import { chatResponse, fold } from '@vernal/core';
import { ScriptedChatModel } from '@vernal/testing';
import { expect, it } from 'vitest';

const responseWith = (totalTokens?: number): ChatClientResponse => ({
  chatResponse: chatResponse('x', { usage: { totalTokens } }),
  context: {},
  turn: [],
});

it('adds rounds up and puts the sum on the answer', () => {
  const usage = new UsageAccumulator();
  expect(usage.usage).toEqual({});
  usage.addRoundResponse(responseWith(3).chatResponse);
  usage.addRoundResponse(undefined);
  usage.addRoundResponse(responseWith().chatResponse);
  expect(usage.addRoundResponse(responseWith(4).chatResponse).totalTokens).toBe(7);
  expect(usage.applyAccumulatedUsage(responseWith(4)).chatResponse?.metadata.usage).toEqual({
    totalTokens: 7,
    rounds: [{ totalTokens: 3 }, { totalTokens: 4 }],
  });
});

it('leaves alone what has nothing to add', () => {
  const usage = new UsageAccumulator();
  const response = responseWith(4);
  const silent: ChatClientResponse = { context: {}, turn: [] };
  expect(usage.applyAccumulatedUsage(response)).toBe(response);
  expect(usage.applyPreviousUsageToChunk(response)).toBe(response);
  expect(usage.finalUsageCorrection(silent)).toBeUndefined();
  usage.addRoundResponse(response.chatResponse);
  expect(usage.applyAccumulatedUsage(response)).toBe(response);
  expect(usage.applyAccumulatedUsage(silent)).toBe(silent);
  expect(usage.finalUsageCorrection(response)).toBeUndefined();
});

it('counts earlier rounds into chunks that report usage, and into no others', () => {
  const usage = new UsageAccumulator();
  usage.addRoundResponse(responseWith(3).chatResponse);
  const quiet = responseWith();
  expect(usage.applyPreviousUsageToChunk(quiet)).toBe(quiet);
  expect(usage.applyPreviousUsageToChunk(responseWith(4)).chatResponse?.metadata.usage.totalTokens).toBe(7);
});

it('corrects the total at the end when the last round reported none, without a word more', async () => {
  const usage = new UsageAccumulator();
  usage.addRoundResponse(responseWith(3).chatResponse);
  const last = responseWith();
  const correction = usage.finalUsageCorrection(last)?.chatResponse;
  expect(correction).toMatchObject({ results: [], metadata: { usage: { totalTokens: 3 } } });
  if (last.chatResponse === undefined || correction === undefined) throw new Error('nothing to fold');
  const whole = await fold([last.chatResponse, correction]);
  expect([whole.result?.output.text, whole.metadata.usage.totalTokens]).toEqual(['x', 3]);
});

it('serves an advisor that asks twice', async () => {
  class Twice extends BaseAdvisor {
    readonly name = 'twice';
    override async advise(request: ChatClientRequest, inward: Inward): Promise<ChatClientResponse> {
      const usage = new UsageAccumulator();
      usage.addRoundResponse((await inward.ask(request, { pass: () => undefined })).chatResponse);
      const response = await inward.ask(request);
      usage.addRoundResponse(response.chatResponse);
      return usage.applyAccumulatedUsage(response);
    }
  }
  const steps = [
    { text: 'a', usage: { totalTokens: 1 } },
    { text: 'b', usage: { totalTokens: 2 } },
  ];
  const clientOf = () => ChatClient.builder(new ScriptedChatModel(steps)).defaultAdvisors(new Twice()).build();
  const called = await clientOf().prompt('q').call().chatResponse();
  const streamed = await fold(clientOf().prompt('q').stream().chatResponse());
  expect([called.metadata.usage.totalTokens, streamed.metadata.usage.totalTokens]).toEqual([3, 3]);
  expect([called.result?.output.text, streamed.result?.output.text]).toEqual(['b', 'b']);
});
