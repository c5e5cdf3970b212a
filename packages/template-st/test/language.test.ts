import { StTemplateRenderer } from '@vernal/template-st';
import { describe, expect, it } from 'vitest';

const lenient = new StTemplateRenderer({ validation: 'none' });

/** [template, variables, text] */
type Vector = readonly [string, Readonly<Record<string, unknown>>, string];

describe.each<readonly [string, readonly Vector[]]>([
  [
    'names and properties',
    [
      ['{name}', { name: 'Ada' }, 'Ada'],
      ['{ name }{\n name\n}', { name: 'x' }, 'xx'],
      ['{a_b}{a-b}{_c}{D9}{9}', { a_b: 1, 'a-b': 2, _c: 3, D9: 4, 9: 5 }, '12345'],
      ['{城市} {città} {नाम}', { 城市: 1, città: 2, नाम: 3 }, '1 2 3'],
      ['{a.b.c}', { a: { b: { c: 'deep' } } }, 'deep'],
      ['{a.b.c}', { a: new Map([['b', { c: 'deep' }]]) }, 'deep'],
      ['{a.städte.0}', { a: { städte: ['Köln'] } }, 'Köln'],
      ['[{a.x}{a.x.y}{a.b.x}]', { a: { b: 'text' } }, '[]'],
      ['{m.(key)} {m.("a b")} {m.({k{n}})}', { m: { x: 1, 'a b': 2, k3: 3 }, key: 'x', n: 3 }, '1 2 3'],
      ['{m.(n)}', { m: new Map([[7, 'seven']]), n: 7 }, 'seven'],
      ['{a.if} {a.first} {first}', { a: { if: 1, first: 2 }, first: 3 }, '1 2 3'],
      ['{i} {i0}', { i: 'own', i0: 'names' }, 'own names'],
    ],
  ],
  [
    'maps and plain objects',
    [
      ['{m} {m.keys} {m.values}', { m: { k: 1, j: 2 } }, 'kj kj 12'],
      [
        '{m; separator=","} {m.values; separator=","}',
        {
          m: new Map([
            ['k', 1],
            ['j', 2],
          ]),
        },
        'k,j 1,2',
      ],
      ['{m:{k | {k}={m.(k)}}; separator=", "}', { m: { x: 1, y: 2 } }, 'x=1, y=2'],
      ['{m.keys}', { m: { keys: 'own' } }, 'own'],
      ['[{m.x}]', { m: { default: 'no fallback' } }, '[]'],
    ],
  ],
  [
    'lists and options',
    [
      ['{l}', { l: [1, 'x', [2, 3]] }, '1x23'],
      ['{l; separator=", "}', { l: [1, [2, 3]] }, '1, 2, 3'],
      ['{l; separator=", "}', { l: new Set(['a', 'b']) }, 'a, b'],
      ['{l; separator=", "}', { l: new Uint8Array([7, 8]) }, '7, 8'],
      ['{l; separator=", "}', { l: [1, null, undefined, 2] }, '1, 2'],
      ['{l; separator=", ", null="-"}', { l: [1, null, 2] }, '1, -, 2'],
      ['{l; null="none", separator=", "}', { l: null }, 'none'],
      ['{l; separator={ <{s}> }}', { l: [1, 2], s: '+' }, '1 <+> 2'],
      ['{l; separator="\\n- \\"\\t\\\\"}', { l: [1, 2] }, '1\n- "\t\\2'],
      ['{[a, b, "c"]; separator="-"}', { a: 1, b: [2, 3] }, '1-2-3-c'],
      ['[{[]}]', {}, '[]'],
      ['{l; format="upper", wrap}', { l: ['x'] }, 'x'],
      ['  - {text; anchor}\n', { text: 'one\ntwo' }, '  - one\n    two\n'],
    ],
  ],
  [
    'loops',
    [
      ['<{l:{x | [{x}]}}>', { l: [1, 2] }, '<[1][2]>'],
      ['{l:{x | {i}/{i0}:{x} }}', { l: ['a', null, 'b'] }, '1/0:a 2/1:b '],
      ['{l:{i | [{i}]}}', { l: ['a', 'b'] }, '[a][b]'],
      ['{l:{i0 | {i}{i0} }}', { l: ['a', 'b'] }, '1a 2b '],
      ['{a,b:{x,y | {x}-{y};}}', { a: [1, 2, 3], b: ['p', 'q'] }, '1-p;2-q;3-;'],
      ['{a,b:{x,y | {x}{y}{i};}}', { a: [0, false], b: [''] }, '01;false2;'],
      ['{l:{x | A{x}},{y | B{y}}}', { l: [1, 2, 3] }, 'A1B2A3'],
      ['{l:{x | <{x}>}:{y | ({y})}}', { l: [1, 2] }, '(<1>)(<2>)'],
      ['{a:{x | {b:{y | {x}{y}{c} }}}}', { a: [1, 2], b: ['p', 'q'], c: '!' }, '1p! 1q! 2p! 2q! '],
      ['{l:{x | {if(x.ok)}{x.n}{else}-{endif}}}', { l: [{ ok: true, n: 1 }, { ok: false }] }, '1-'],
      ['{one:{x | <{x}>}}', { one: 'abc' }, '<abc>'],
      ['{l:{x | \\{{x}\\}}}', { l: [1] }, '{1}'],
      // The names of a template are those of the place where it stands, not of the place that writes it.
      ['{l:{x | {c}}:{c | [{c}]}}', { l: [1, 2], c: 'outer' }, '[outer][outer]'],
      ['{l:{x | {[x, x]; separator={{i}}} }}', { l: ['a', 'b'] }, 'a1a b2b '],
    ],
  ],
  [
    'conditions',
    [
      ['{if(x)}yes{else}no{endif}', { x: true }, 'yes'],
      ['{if(a)}A{elseif(b)}B{elseif(c)}C{else}D{endif}', { c: 1 }, 'C'],
      ['{if(!a)}not{endif}{if(!!a)}never{endif}', {}, 'not'],
      ['{if(a && !b || c)}yes{endif}', { a: 1, b: null, c: null }, 'yes'],
      ['{if(a && (b || c))}yes{else}no{endif}', { a: 1 }, 'no'],
      ['{if(!(a && b))}yes{endif}', { a: 1, b: false }, 'yes'],
      ['{if((a))}yes{else}no{endif}', { a: false }, 'no'],
      ['{if(a.b)}yes{else}no{endif}', { a: { b: [] } }, 'no'],
      ['{if(rest(l))}several{else}one{endif}', { l: [1] }, 'one'],
      ['{ if ( a ) }x{ else }y{ endif }', { a: 1 }, 'x'],
      ['{if(false)}a{elseif(true)}b{endif}', {}, 'b'],
    ],
  ],
  [
    'functions',
    [
      ['{first(l)} {last(l)} {rest(l)} {trunc(l)}', { l: [1, 2, 3] }, '1 3 23 12'],
      ['{length(l)} {strip(l)} {length(strip(l))} {reverse(l)}', { l: [1, null, 3] }, '3 13 2 31'],
      ['{length(m)} {first(m)} {length(none)} {length(t)}', { m: { a: 1, b: 2 }, none: null, t: 'abc' }, '2 a 0 1'],
      ['{first(l)}|{last(l)}|{rest(l)}|{trunc(l)}|{length(l)}|{reverse(l)}|{strip(l)}', { l: [] }, '||||0||'],
      ['{first(t)}|{last(t)}|{rest(t)}|{trunc(t)}|{reverse(t)}|{strip(t)}', { t: 'abc' }, 'abc|abc|||abc|abc'],
      ['[{trim(t)}] {strlen(t)} {strlen("ab")}', { t: ' a\n' }, '[a] 3 2'],
      ['{first(rest(l))} {first(l).n} {length([l, l])}', { l: [{ n: 1 }, 2] }, '2 1 4'],
      ['{first(l:{x | <{x}>})}', { l: [0, 1] }, '<0>'],
    ],
  ],
  [
    'escapes, comments and literal text',
    [
      ['\\{x\\} } \\\\ \\n', {}, '{x} } \\ \\n'],
      ['a{\\n}b{\\t}c{\\ }d{\\u00e9}{\\r}', {}, 'a\nb\tc dé\r'],
      ['a{\\\\}\n   b', {}, 'ab'],
      ['a{! note: {x} }!} b', {}, 'a b'],
      ['{"text: {x}"}{("t")}', { x: 1 }, 'text: {x}t'],
      ['{{sub {x}}}', { x: 1 }, 'sub 1'],
      ['{true}{false}', {}, 'truefalse'],
      ['a\r\n{x}\r\nb\r', { x: 1 }, 'a\r\n1\r\nb\r'],
    ],
  ],
  [
    'lines',
    [
      ['a\n{if(x)}\nb\n{endif}\nc\n', { x: 1 }, 'a\nb\nc\n'],
      ['a\n{if(x)}\nb\n{endif}\nc\n', {}, 'a\nc\n'],
      ['a\r\n{if(x)}\r\nb\r\n{else}\r\nd\r\n{endif}\r\nc', {}, 'a\r\nd\r\nc'],
      ['a\n{x}\nc\n', { x: null }, 'a\nc\n'],
      ['a\n  {x}\nc\n', { x: '' }, 'a\nc\n'],
      ['a\n\nb\n{! c !}\nd', {}, 'a\n\nb\nd'],
      ['a\n  {x}\nc\n', { x: 'l1\nl2\n\nl4' }, 'a\n  l1\n  l2\n\n  l4\nc\n'],
      ['  {l; separator="\\n"}', { l: ['a', 'b\nc'] }, '  a\n  b\n  c'],
      ['{l:{x | - {x}\n}}end', { l: [1, 2] }, '- 1\n- 2\nend'],
      ['x: {x}', { x: 'l1\nl2' }, 'x: l1\nl2'],
    ],
  ],
])('%s', (_, vectors) => {
  it.each(vectors)('%j with %j is %j', (template, variables, text) => {
    expect(lenient.render(template, variables)).toBe(text);
  });
});

describe('truth', () => {
  it.each([[false], [null], [undefined], [[]], [new Map()], [new Set()], [{}]])('%j is false', (x) => {
    expect(lenient.render('{if(x)}true{else}false{endif}', { x })).toBe('false');
  });

  it.each([[true], [''], [0], [Number.NaN], [[null]], [[false]], ['false'], [{ a: undefined }], [new Date(0)]])(
    '%j is true',
    (x) => {
      expect(lenient.render('{if(x)}true{else}false{endif}', { x })).toBe('true');
    },
  );
});

describe('delimiters', () => {
  it.each([
    ['<', '>', '<a> {a} <l:{x | <x>;}> \\<b> { "k": 1 }', '1 {a} 2;3; <b> { "k": 1 }'],
    ['$', '$', '$a$ {a} $l:{x | $x$;}$ \\$5 $! c !$$if(a)$y$endif$', '1 {a} 2;3; $5 y'],
    ['[', ']', '[a] [[a, l]; separator=","] {a}', '1 1,2,3 {a}'],
    ['«', '»', '«a» {a} «l; separator=" "»', '1 {a} 2 3'],
    ['#', '%', '#a% 5 % {a}', '1 5 % {a}'],
    ['🙂', '🙃', '🙂a🙃 🙃', '1 🙃'],
  ])('%s %s', (start, end, template, text) => {
    const renderer = new StTemplateRenderer({ start, end });
    expect(renderer.render(template, { a: 1, l: [2, 3] })).toBe(text);
  });

  it.each([
    [{ start: '' }, 'start'],
    [{ start: '{{' }, 'start'],
    [{ start: '}' }, 'start'],
    [{ end: '{' }, 'end'],
    [{ end: 'b' }, 'end'],
    [{ end: '7' }, 'end'],
    [{ end: ' ' }, 'end'],
    [{ end: ';' }, 'end'],
    [{ start: '"' }, 'start'],
    [{ start: '\\' }, 'start'],
  ])('that cannot work are refused: %j', (options, subject) => {
    expect(() => new StTemplateRenderer(options)).toThrow(
      expect.objectContaining({ code: 'invalid_argument', subject }),
    );
  });
});
