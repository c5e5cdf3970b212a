import type { ChatResponse, Generation, GenerationInput } from '@vernal/core';
import { chatResponse } from '@vernal/core';

/**
 * What of `final` did not go out yet, so that the fold of a stream is the answer of a call: text that was withheld or made by an
 * advisor, tool calls that wait, the sum of the usage. Undefined when all of it is out.
 */
export function restOf(sent: ChatResponse | undefined, final: ChatResponse | undefined): ChatResponse | undefined {
  if (final === undefined || final === sent) return undefined;
  if (sent === undefined) return final;
  const results: GenerationInput[] = [];
  for (const generation of final.results) {
    const rest = restOfGeneration(
      sent.results.find(({ index }) => index === generation.index),
      generation,
    );
    if (rest !== undefined) results.push(rest);
  }
  const sameMetadata = sameFields(sent.metadata, final.metadata);
  if (results.length === 0 && sameMetadata) return undefined;
  return sameMetadata ? chatResponse(results) : { ...chatResponse(results), metadata: final.metadata };
}

function restOfGeneration(sent: Generation | undefined, final: Generation): GenerationInput | undefined {
  if (sent === undefined) return final;
  const before = sent.output;
  const { output } = final;
  // Text that does not go on from what went out is another text: a refusal in place of an answer.
  const text = output.text.startsWith(before.text) ? output.text.slice(before.text.length) : output.text;
  const toolCalls = before.toolCalls.length === 0 ? output.toolCalls : [];
  const media = output.media.slice(before.media.length);
  const reasoning = output.reasoning.slice(before.reasoning.length).map((part, i) => ({
    ...part,
    index: before.reasoning.length + i,
  }));
  const messageMetadata = sameFields(before.metadata, output.metadata) ? {} : output.metadata;
  const metadata = sameFields(sent.metadata, final.metadata) ? {} : final.metadata;
  const nothing =
    text === '' &&
    toolCalls.length + media.length + reasoning.length === 0 &&
    isEmpty(messageMetadata) &&
    isEmpty(metadata);
  if (nothing) return undefined;
  const rest = { type: 'assistant', text, toolCalls, media, reasoning, metadata: messageMetadata } as const;
  return { index: final.index, output: rest, metadata };
}

function sameFields(a: object, b: object): boolean {
  if (a === b) return true;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.is(Reflect.get(a, key), Reflect.get(b, key)))
  );
}

function isEmpty(values: object): boolean {
  return Object.keys(values).length === 0;
}
