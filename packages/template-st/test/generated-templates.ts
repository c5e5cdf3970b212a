import fc from 'fast-check';

// Left out is what the port of StringTemplate renders otherwise than StringTemplate (recorded in fixtures/): one name in parentheses,
// false, 0 and '' in parallel lists and in first(), trunc() of a single value, and reverse(), which changes the list that it is given.

/** Variables that generated templates ask for: text, a list, a list of maps, a map, null and a number; `missing` is not among them. */
export interface GeneratedVariables {
  readonly text: string;
  readonly list: readonly (string | number | true | null)[];
  readonly rows: readonly Readonly<Record<string, string | number | null>>[];
  readonly map: Readonly<Record<string, string | number>>;
  readonly none: null;
  readonly number: number;
}

const value = fc.string({
  unit: fc.constantFrom('v', 'W', ' ', '\n', '{', '}', '"', '$', '\\'),
  minLength: 1,
  maxLength: 5,
});
const scalar = fc.oneof(value, fc.integer({ min: 1, max: 99 }));

export const generatedVariables: fc.Arbitrary<GeneratedVariables> = fc.record({
  text: value,
  list: fc.array(fc.oneof(scalar, fc.constant(true), fc.constant(null)), { minLength: 1, maxLength: 4 }),
  rows: fc.array(fc.dictionary(fc.constantFrom('id', 'name'), fc.option(scalar), { noNullPrototype: true }), {
    minLength: 1,
    maxLength: 3,
  }),
  map: fc.dictionary(fc.constantFrom('id', 'name', 'k'), scalar, { minKeys: 1, noNullPrototype: true }),
  none: fc.constant(null),
  number: fc.integer({ min: 1, max: 9 }),
});

const literal = fc
  .string({ unit: fc.constantFrom('w', 'o', '.', ' ', ' ', '\n', '\n', '\t', '{', '}', '\\'), maxLength: 6 })
  .map((text) => text.replace(/[\\{}]/g, '\\$&'));
/** What stands between quotation marks. */
const quoted = fc
  .string({ unit: fc.constantFrom('w', ',', ' ', '\n', '"', '\\', '{'), maxLength: 3 })
  .map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`);

function listOf(names: readonly string[]): fc.Arbitrary<string> {
  return fc.constantFrom('list', 'rows', 'map.values', 'map.keys', '[text, list]', '[number,,none]', ...names);
}

/** Nothing but new lists. */
const list = fc.constantFrom('[list]', '[rows, text]', '[none, number, list]');

function simple(names: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom(
      'text',
      'number',
      'none',
      'missing',
      'map.id',
      'map.("k")',
      'map.k.id',
      'true',
      'strlen(text)',
      'trim(text)',
      ...names,
    ),
    listOf(names),
    ...names.map((name) => fc.constantFrom(`${name}.id`, `${name}.name`, `[${name}, text]`)),
    fc
      .tuple(fc.constantFrom('first', 'last', 'rest', 'strip', 'length'), listOf(names))
      .map(([name, of]) => `${name}(${of})`),
    fc.tuple(fc.constantFrom('trunc', 'reverse'), list).map(([name, of]) => `${name}(${of})`),
    quoted,
  );
}

function condition(names: readonly string[]): fc.Arbitrary<string> {
  const atom = fc.constantFrom(
    'text',
    'number',
    'none',
    'missing',
    'list',
    'map',
    'map.id',
    'rest(list)',
    'false',
    ...names,
  );
  const not = fc.tuple(fc.constantFrom('', '!', ' ! '), atom).map((parts) => parts.join(''));
  return fc.oneof(
    not,
    fc.tuple(not, fc.constantFrom('&&', ' || '), not).map((parts) => parts.join('')),
    fc.tuple(not, not, not).map(([a, b, c]) => `(${a}||${b}) && ${c}`),
  );
}

const options = fc
  .uniqueArray(fc.tuple(fc.constantFrom('separator', 'null'), fc.oneof(quoted, fc.constant('number'))), {
    maxLength: 2,
    selector: ([name]) => name,
  })
  .map((all) => (all.length === 0 ? '' : `; ${all.map(([name, text]) => `${name}=${text}`).join(', ')}`));

function placeholder(depth: number, names: readonly string[]): fc.Arbitrary<string> {
  const plain = fc.tuple(simple(names), options).map(([expression, more]) => `{${expression}${more}}`);
  if (depth === 0) return plain;
  const [one, two] = [`x${depth}`, `y${depth}`];
  const body = (given: readonly string[]) => elements(depth - 1, [...names, 'i', ...given]);
  return fc.oneof(
    plain,
    fc.tuple(listOf(names), body([one]), options).map(([of, inner, more]) => `{${of}:{${one} | ${inner}}${more}}`),
    fc
      .tuple(listOf(names), body([one]), body([two]))
      .map(([of, first, second]) => `{${of}:{${one}| ${first}},{${two}| ${second}}}`),
    fc
      .tuple(listOf(names), listOf(names), body([one, two]), options)
      .map(([a, b, inner, more]) => `{${a}, ${b}:{${one},${two} | ${inner}}${more}}`),
    fc
      .tuple(listOf(names), body([one]), body([two]))
      .map(([of, inner, outer]) => `{${of}:{${one}| ${inner}}:{${two}| ${outer}}}`),
  );
}

function conditional(depth: number, names: readonly string[]): fc.Arbitrary<string> {
  const body = elements(depth - 1, names);
  return fc
    .tuple(condition(names), body, fc.option(fc.tuple(condition(names), body)), fc.option(body))
    .map(
      ([asked, then, elseIf, otherwise]) =>
        `{if(${asked})}${then}${elseIf === null ? '' : `{elseif(${elseIf[0]})}${elseIf[1]}`}${otherwise === null ? '' : `{else}${otherwise}`}{endif}`,
    );
}

const other = fc.constantFrom('{! a comment }!}', '{\\n}', '{\\t}', '{\\u0041}', '\n', '  ', '\n  ');

/** A run of text, placeholders, loops and conditions; `names` are those that loops around it give. */
function elements(depth: number, names: readonly string[]): fc.Arbitrary<string> {
  const parts = [literal, placeholder(depth, names), other, ...(depth > 0 ? [conditional(depth, names)] : [])];
  return fc.array(fc.oneof(...parts), { maxLength: 4 }).map((all) => all.join(''));
}

/** Templates that are valid, two loops or conditions deep. */
export const generatedTemplate: fc.Arbitrary<string> = elements(2, []).filter((text) => text.trim() !== '');
