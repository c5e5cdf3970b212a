import type { Document } from '@vernal/core';
import { document } from '@vernal/core';

const sentence = (index: number): string => `Sentence number ${index} tells of rain, wind and sun over Delft.`;
const paragraphs = Array.from({ length: 60 }, (_, paragraph) =>
  Array.from({ length: 5 }, (_, index) => sentence(paragraph * 5 + index)).join(' '),
).join('\n\n');

export const DEFAULT_SAMPLES: readonly (readonly Document[])[] = [
  [document({ id: 'short', text: 'One short text.', metadata: { page: 1 } })],
  [
    document({ id: 'first', text: paragraphs, metadata: { page: 1, tags: ['a', 'b'] } }),
    document({ id: 'second', text: 'A second, short one.', metadata: { page: 2 } }),
  ],
  [
    document({ id: 'scripts', text: '東京の天気は雨です。明日は晴れます。'.repeat(40), metadata: { page: 1 } }),
    document({ id: 'emoji', text: 'Family 👨‍👩‍👧‍👦 and flags 🇳🇱 again. '.repeat(50), metadata: { page: 2 } }),
    document({ id: 'line', text: 'x'.repeat(5_000), metadata: { page: 3 } }),
  ],
  [
    document({ id: 'blank', text: ' \n ', metadata: { page: 1 } }),
    document({ id: 'after', text: 'after the blank one', metadata: { page: 2 } }),
  ],
];
