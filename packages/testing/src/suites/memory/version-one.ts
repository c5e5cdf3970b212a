import type { Message } from '@vernal/core';
import { assistantMessage, media, systemMessage, toolResponseMessage, userMessage } from '@vernal/core';

/** What version 1 of the codec wrote, kept as text: these never change, whatever the codec writes today. */
export const VERSION_ONE: readonly { readonly name: string; readonly text: string; readonly message: Message }[] = [
  {
    name: 'system',
    text: '{"metadata":{"a":1},"text":"Be terse.","type":"system","v":1}',
    message: systemMessage('Be terse.', { metadata: { a: 1 } }),
  },
  {
    name: 'user',
    text: '{"media":[{"mimeType":"image/png","name":"pixels","source":{"base64":"AAEC","type":"base64"}}],"metadata":{},"text":"nul\\u0000 half\\ud800","type":"user","v":1}',
    message: userMessage('nul\0 half\ud800', {
      media: [media('image/png', { type: 'base64', base64: 'AAEC' }, { name: 'pixels' })],
    }),
  },
  {
    name: 'assistant',
    text: '{"media":[],"metadata":{},"reasoning":[{"provider":"anthropic","signature":"c2ln","text":"hm"}],"text":"","toolCalls":[{"arguments":"{}","id":"c1","name":"now"}],"type":"assistant","v":1}',
    message: assistantMessage({
      text: '',
      toolCalls: [{ id: 'c1', name: 'now', arguments: '{}' }],
      reasoning: [{ text: 'hm', signature: 'c2ln', provider: 'anthropic' }],
    }),
  },
  {
    name: 'tool',
    text: '{"metadata":{},"responses":[{"id":"c1","isError":true,"name":"now","result":"failed"}],"type":"tool","v":1}',
    message: toolResponseMessage([{ id: 'c1', name: 'now', result: 'failed', isError: true }]),
  },
];
