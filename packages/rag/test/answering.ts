import type { AnyAdvisor, ChatClientRequestSpec, ChatClientResponse } from '@vernal/client-chat';
import { ChatClient, foldClient } from '@vernal/client-chat';
import type { Document } from '@vernal/core';
import { document } from '@vernal/core';
import type { ScriptedChatModel } from '@vernal/testing';

export const FACES = ['call', 'stream'] as const;
export type Face = (typeof FACES)[number];

export const faq: Document = document({ id: 'f', text: 'Returns are free.', metadata: { source: 'faq.md' } });
export const terms: Document = document({ id: 't', text: 'Terms apply.', metadata: { source: 'terms.md' } });

export function answer(spec: ChatClientRequestSpec, face: Face = 'call'): Promise<ChatClientResponse> {
  return face === 'call' ? spec.call().chatClientResponse() : foldClient(spec.stream().chatClientResponse());
}

export function clientOf(model: ScriptedChatModel, ...advisors: readonly AnyAdvisor[]): ChatClient {
  return ChatClient.builder(model)
    .defaultAdvisors(...advisors)
    .build();
}
