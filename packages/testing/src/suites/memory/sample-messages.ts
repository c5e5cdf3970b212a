import type { Message } from '@vernal/core';
import { assistantMessage, media, systemMessage, toolResponseMessage, userMessage } from '@vernal/core';

/** One of each kind, with everything that a message can hold. */
export const EVERY_KIND: readonly Message[] = [
  systemMessage('Be terse. €', { metadata: { version: 3, tags: ['a', null] } }),
  userMessage('Look at this 😀', {
    media: [
      media('image/png', new Uint8Array([0, 1, 2, 253, 254, 255]), { id: 'm1', name: 'pixels' }),
      media('image/jpeg', 'https://example.com/a.jpg', { name: 'photo' }),
      media('audio/wav', { type: 'base64', base64: 'AAEC' }, { name: 'sound' }),
    ],
    metadata: { deep: { er: [1, { x: true }] } },
  }),
  assistantMessage({
    text: 'I call two tools',
    toolCalls: [
      { id: 'c1', name: 'weather', arguments: '{"city":"東京"}' },
      { id: 'c2', name: 'now', arguments: '' },
    ],
    reasoning: [
      { text: 'thinking', signature: 'c2lnbmVk', provider: 'anthropic' },
      { redactedData: 'b3BhcXVl', provider: 'anthropic' },
    ],
    metadata: { cost: 0.25 },
  }),
  toolResponseMessage([
    { id: 'c1', name: 'weather', result: '{"degrees": 7}', structured: { degrees: 7 } },
    { id: 'c2', name: 'now', result: 'failed', isError: true },
  ]),
  assistantMessage(''),
];

/** Numbered user messages. */
export function numbered(count: number, prefix: string = 'message'): Message[] {
  return Array.from({ length: count }, (_, index) => userMessage(`${prefix} ${index}`));
}

/** System messages among others. */
export const MIXED: readonly Message[] = [
  systemMessage('system 0'),
  ...numbered(3),
  systemMessage('system 1'),
  ...numbered(3, 'later'),
];
