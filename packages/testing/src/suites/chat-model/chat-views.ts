import type { ChatResponse, Prompt, Usage } from '@vernal/core';
import { fold, tool } from '@vernal/core';
import type { ScriptStep } from '../../doubles/script-step.js';
import { check, present } from '../kernel/assertions.js';
import { notDeclared } from '../kernel/suite-case.js';
import type { ModelStage } from './chat-stage.js';

/** All chunks, in order. */
export async function collect(stream: AsyncIterable<ChatResponse>): Promise<ChatResponse[]> {
  const chunks: ChatResponse[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

/** The chunks up to the failure, and the failure. */
export async function collectUntilError(
  stream: AsyncIterable<ChatResponse>,
): Promise<{ readonly chunks: readonly ChatResponse[]; readonly error: unknown }> {
  const chunks: ChatResponse[] = [];
  try {
    for await (const chunk of stream) chunks.push(chunk);
  } catch (error) {
    return { chunks, error };
  }
  check(false, `the stream must fail, and ended after ${chunks.length} chunks with '${chunkText(chunks)}'`);
}

/** The text deltas, joined. */
export function chunkText(chunks: readonly ChatResponse[]): string {
  return chunks.map((chunk) => chunk.result?.output.text ?? '').join('');
}

export function counters({ native: _native, rounds: _rounds, ...usage }: Usage): Usage {
  return usage;
}

/**
 * What must agree between `call` and `fold(stream)`: everything but what is made anew a request. Ids of tool calls count only as being
 * there, for some providers send none.
 */
export function view(response: ChatResponse): unknown {
  return {
    model: response.metadata.model,
    usage: counters(response.metadata.usage),
    results: response.results.map(({ index, output, metadata }) => ({
      index,
      output: { ...output, toolCalls: output.toolCalls.map((call) => ({ ...call, id: call.id !== '' })) },
      finishReason: metadata.finishReason,
      nativeFinishReason: metadata.nativeFinishReason,
    })),
  };
}

/** The first generation, which must be there. */
export function firstOf(response: ChatResponse): NonNullable<ChatResponse['result']> {
  return present(response.result, 'the first generation');
}

/** One step, asked for by call and by stream. */
export async function askBothWays(
  stage: ModelStage,
  step: ScriptStep,
  prompt: Prompt,
): Promise<readonly (readonly ['call' | 'stream', ChatResponse])[]> {
  const model = await stage.model();
  if ((prompt.options.tools?.length ?? 0) > 0 && !model.capabilities.tools) notDeclared('tools are not declared');
  stage.answer(step);
  const whole = await model.call(prompt);
  stage.answer(step);
  return [
    ['call', whole],
    ['stream', await fold(model.stream(prompt))],
  ];
}

/** Arguments as a value; '' is {}. */
export function argumentsValue(text: string): unknown {
  return text === '' ? {} : JSON.parse(text);
}

export const weather: ReturnType<typeof tool> = tool({
  name: 'weather',
  description: 'The weather of a city',
  execute: () => 'It rains.',
});
