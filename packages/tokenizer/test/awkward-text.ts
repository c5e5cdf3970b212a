import fc from 'fast-check';

const PARTS = [
  ...[
    'a',
    'B',
    'zz',
    'HELLO',
    'Word ',
    'é',
    'É',
    'ñ',
    'ß',
    'ǅ',
    '中文',
    '文',
    'हिन्दी',
    '漢'.repeat(30),
    'A'.repeat(40),
  ],
  ...['，', '。', '. ', '.', '...', '; ', '};\n\n', '==', '/', '//', '_', '='.repeat(60), "'s", "'LL", "'", "don't "],
  ...['1', '23', '٣', 'Ⅷ', '3.14', 'https://a.b/c?d=e', 'supercalifragilistic', 'a'.repeat(45), '<|endoftext|>'],
  ...[' ', '  ', '    ', '\t', '\n', '\r\n', '\u00a0', '\u3000', '\u0085', '\u200b', '\ufeff', '\x00'],
  ...['🚀', '👩‍👩‍👧', '🇫🇷🇩🇪', 'e\u0301', '\u0301', '\ud800', '\udc00'],
];

/** Texts of everything that tokenizers and splitters are known to trip over. */
export const awkwardText: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...PARTS), { maxLength: 100 })
  .map((parts) => parts.join(''));
