import { NO_METADATA } from '../json/metadata.js';
import type { Media } from '../media/media.js';
import type { AssistantMessage, ReasoningPart } from '../messages/message.js';
import { assistantMessage } from '../messages/message-factories.js';
import { joinBytes } from '../resource/join-bytes.js';
import type { Generation, GenerationMetadata } from './chat-response.js';
import { ToolCallJoiner } from './tool-call-joiner.js';

/** Adds the pieces of one answer up. */
export class GenerationAccumulator {
  readonly index: number;
  #text = '';
  #calls: ToolCallJoiner | undefined;
  /** Pieces that belong together, in order. */
  #media: [Media, ...Media[]][] | undefined;
  #reasoning: Map<number, ReasoningPart> | undefined;
  #messageMetadata: AssistantMessage['metadata'] = NO_METADATA;
  #metadata: GenerationMetadata = NO_METADATA;

  constructor(index: number) {
    this.index = index;
  }

  add({ output, toolCallDeltas, metadata }: Generation): void {
    this.#text += output.text;
    if (output.media.length > 0) {
      this.#media ??= [];
      for (const piece of output.media) {
        const begun = this.#media.at(-1);
        if (begun !== undefined && continues(begun[0], piece)) begun.push(piece);
        else this.#media.push([piece]);
      }
    }
    if (output.reasoning.length > 0) this.#addReasoning(output.reasoning);
    if (output.toolCalls.length > 0 || toolCallDeltas !== undefined) {
      this.#calls ??= new ToolCallJoiner();
      for (const call of output.toolCalls) this.#calls.addWhole(call);
      for (const delta of toolCallDeltas ?? []) this.#calls.add(delta);
    }
    this.#messageMetadata = later(this.#messageMetadata, output.metadata);
    this.#metadata = later(this.#metadata, metadata);
  }

  result(): Generation {
    const reasoning = [...(this.#reasoning ?? [])].sort(([a], [b]) => a - b).map(([, part]) => part);
    const message = assistantMessage({
      text: this.#text,
      toolCalls: this.#calls?.result(),
      media: this.#media?.map(joinMedia),
      reasoning,
    });
    return {
      index: this.index,
      output: { ...message, metadata: this.#messageMetadata },
      metadata: this.#metadata,
    };
  }

  #addReasoning(deltas: readonly ReasoningPart[]): void {
    this.#reasoning ??= new Map();
    for (const [position, { index = position, ...delta }] of deltas.entries()) {
      const part = this.#reasoning.get(index);
      this.#reasoning.set(index, part === undefined ? delta : joinReasoning(part, delta));
    }
  }
}

/** Sound comes in pieces that share its id. */
function continues({ id, source }: Media, piece: Media): boolean {
  return id !== undefined && id === piece.id && 'bytes' in source && 'bytes' in piece.source;
}

function joinMedia(pieces: readonly [Media, ...Media[]]): Media {
  const [first] = pieces;
  if (pieces.length === 1) return first;
  const bytes = joinBytes(pieces.flatMap(({ source }) => ('bytes' in source ? source.bytes : [])));
  return { ...first, source: { type: 'bytes', bytes } };
}

function joinReasoning(part: ReasoningPart, delta: ReasoningPart): ReasoningPart {
  const text = joinText(part.text, delta.text);
  const signature = joinText(part.signature, delta.signature);
  const redactedData = joinText(part.redactedData, delta.redactedData);
  const provider = delta.provider ?? part.provider;
  return {
    ...(text === undefined ? undefined : { text }),
    ...(signature === undefined ? undefined : { signature }),
    ...(redactedData === undefined ? undefined : { redactedData }),
    ...(provider === undefined ? undefined : { provider }),
  };
}

function joinText(before: string | undefined, delta: string | undefined): string | undefined {
  return before === undefined ? delta : before + (delta ?? '');
}

/** Most chunks bring nothing, and the same frozen nothing: no copy then. */
function later<T extends object>(before: T, values: T): T {
  if (values === before || isEmpty(values)) return before;
  return isEmpty(before) ? values : { ...before, ...values };
}

function isEmpty(values: object): boolean {
  for (const _ in values) return false;
  return true;
}
