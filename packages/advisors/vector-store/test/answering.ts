import type { AnyAdvisor, ChatClientRequestSpec, ChatClientResponse } from '@vernal/client-chat';
import { ChatClient, foldClient } from '@vernal/client-chat';
import type { Logger, ObservationRegistry } from '@vernal/core';
import type { ScriptedChatModel } from '@vernal/testing';

export const FACES = ['call', 'stream'] as const;
export type Face = (typeof FACES)[number];

/** The whole answer, by call or by stream. */
export function answer(spec: ChatClientRequestSpec, face: Face = 'call'): Promise<ChatClientResponse> {
  return face === 'call' ? spec.call().chatClientResponse() : foldClient(spec.stream().chatClientResponse());
}

export async function textOf(spec: ChatClientRequestSpec, face: Face = 'call'): Promise<string | undefined> {
  return (await answer(spec, face)).chatResponse?.result?.output.text;
}

/** Warnings of a client. */
export class Warnings implements Logger {
  readonly lines: { readonly message: string; readonly data: unknown }[] = [];
  debug(): void {}
  info(): void {}
  warn(message: string, data?: unknown): void {
    this.lines.push({ message, data });
  }
}

export function clientOf(
  model: ScriptedChatModel,
  advisors: readonly AnyAdvisor[],
  options: { readonly logger?: Logger; readonly observationRegistry?: ObservationRegistry } = {},
): ChatClient {
  return ChatClient.builder(model, options)
    .defaultAdvisors(...advisors)
    .build();
}
