import { readFileSync } from 'node:fs';
import { type Logger, TemplateError } from '@vernal/core';
import { StTemplateRenderer, type StTemplateRendererOptions } from '@vernal/template-st';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';

const strict = new StTemplateRenderer();

function failure(run: () => unknown): TemplateError {
  try {
    run();
  } catch (error) {
    if (TemplateError.is(error)) return error;
    throw error;
  }
  throw new Error('did not fail');
}

function fixture(name: string): {
  readonly template: string;
  readonly vars: unknown;
  readonly extra?: Record<string, unknown>;
  readonly outputs?: readonly string[];
} {
  return JSON.parse(readFileSync(new URL(`./fixtures/${name}.json`, import.meta.url), 'utf8'));
}

function recordingLogger() {
  return { debug: vi.fn(), info: vi.fn(), warn: vi.fn() } satisfies Logger;
}

describe('braces that are meant as text', () => {
  const { template, vars } = fixture('braces-that-are-text');

  it('are an error that says where and how to write them', () => {
    const error = failure(() => strict.render(template, vars as never));
    expect(error).toMatchObject({ code: 'template', line: 1, column: template.indexOf('{"b": ') + 1 });
    expect(error.message).toContain(`the { at line 1, column ${template.indexOf('{') + 1} `);
    expect(error.message).toContain('write \\{ ');
    expect(error.message).not.toContain('Answer');
  });

  it('are text when they are escaped, or when other delimiters are chosen', () => {
    const expected = template.replace('{city}', 'Rom');
    const escaped = template.replaceAll('{', '\\{').replace('\\{city}', '{city}');
    expect(strict.render(escaped, vars as never)).toBe(expected);
    const other = template.replace('{city}', '<city>');
    expect(new StTemplateRenderer({ start: '<', end: '>' }).render(other, vars as never)).toBe(expected);
  });

  it('are text in values, whatever a schema holds', () => {
    const schema = JSON.stringify(
      { type: 'object', properties: { a: { type: 'string', pattern: '^\\d{3}$' } } },
      null,
      2,
    );
    expect(strict.render('Schema: {schema}', { schema })).toBe(`Schema: ${schema}`);
  });
});

describe('values', () => {
  const { template, vars, outputs } = fixture('values-like-templates');

  it.each((vars as readonly Record<string, string>[]).map((given, at) => [given, outputs?.[at]] as const))(
    '%j go in as they are',
    (given, output) => {
      expect(strict.render(template, given)).toBe(output);
      expect(new StTemplateRenderer({ start: '<', end: '>' }).render(template.replace(/\{(.)\}/g, '<$1>'), given)).toBe(
        output,
      );
    },
  );

  it('are never rendered again, whatever they are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.array(fc.string()), (a, l) => {
        expect(strict.render('x{a}|{l:{y | {y}}; separator=a}|{if(a)}{a}{endif}', { a, l })).toBe(
          `x${a}|${l.reduce((all, one) => (all === '' ? one : all + a + one), '')}|${a}`,
        );
      }),
    );
  });

  it('are given when their name is there, be they falsy; extra ones are no error', () => {
    const falsy = fixture('missing-and-falsy');
    const given = falsy.vars as Record<string, unknown>;
    expect(failure(() => strict.render(falsy.template, given)).missing).toEqual(['e']);
    expect(strict.render(falsy.template, { ...given, ...falsy.extra, e: undefined })).toBe('0|false||||1x');
    expect(strict.render('{a}{b}{c}', { a: null, b: undefined, c: Number.NaN })).toBe('NaN');
  });

  it('of other kinds have one text each', () => {
    const at = new Date(0);
    class Point {
      readonly x = 1;
      readonly at = at;
    }
    expect(
      strict.render('{at} {big} {no} {point} {url}', {
        at,
        big: 2n ** 64n,
        no: -0.5,
        point: new Point(),
        url: new URL('https://a.test/?q'),
      }),
    ).toBe(
      '1970-01-01T00:00:00.000Z 18446744073709551616 -0.5 {"x":1,"at":"1970-01-01T00:00:00.000Z"} https://a.test/?q',
    );
  });

  it.each([() => 1, Symbol('s'), new Date(Number.NaN)])('without text are refused, with their place', (a) => {
    expect(failure(() => strict.render('x\n {a}', { a }))).toMatchObject({
      code: 'template',
      line: 2,
      column: 2,
      missing: [],
    });
  });

  it('that hold themselves are refused', () => {
    const list: unknown[] = ['x'];
    list.push(list);
    expect(failure(() => strict.render('{list}', { list })).message).toContain('hold themselves');
  });

  it('are not changed', () => {
    const l = Object.freeze([3, 1, null]);
    expect(strict.render('{reverse(l)}{rest(l)}{strip(l)}{trunc(l)}{l}', { l })).toBe(
      ['13', '1', '31', '31', '31'].join(''),
    );
  });
});

describe('what is not given cannot be read', () => {
  class Account {
    readonly id = 7;
    get secret(): string {
      return 'secret';
    }
    getSecret(): string {
      return 'secret';
    }
    isSecret(): boolean {
      return true;
    }
  }

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    '%s is no variable unless it is given',
    (name) => {
      expect(failure(() => strict.render(`{${name}}`, {})).missing).toEqual([name]);
      expect(new StTemplateRenderer({ validation: 'none' }).render(`[{${name}}]`, {})).toBe('[]');
      expect(strict.render(`{${name}}`, JSON.parse(`{"${name}":"own"}`))).toBe('own');
    },
  );

  it.each([
    '{a.constructor}',
    '{a.__proto__}',
    '{a.("__proto__").("constructor")}',
    '{a.secret}{a.getSecret}{a.isSecret}',
    '{a.constructor.name}',
    '{t.length}{t.constructor}{l.length}{l.map}{l.concat}',
    '{m.size}{m.get}{m.entries}{m.__proto__}',
    '{e.stack}{e.message}',
    '{f.name}{f.prototype}{f.caller}',
    '{{x}.template}{{x}.scope}',
    '{a:{y | {y.secret}{y.constructor}}}',
  ])('%s is nothing', (template) => {
    const given = {
      a: new Account(),
      t: 'text',
      l: [],
      m: new Map([['k', 1]]),
      e: new Error('secret'),
      f: Account,
      x: 'x',
    };
    expect(strict.render(`[${template}]`, given)).toBe('[]');
  });

  it('own properties of such names are read', () => {
    const a = JSON.parse('{"__proto__":"p","constructor":"c"}');
    expect(strict.render('{a.__proto__}{a.constructor}', { a })).toBe('pc');
  });
});

describe('variables', () => {
  it.each<readonly [string, readonly string[]]>([
    ['{a.b.c} {d} {a}', ['a', 'd']],
    ['{items; separator=", ", null="-", wrap, anchor="true", format="x"}', ['items']],
    ['{items; separator=sep}{l; separator={{s}}}', ['items', 'sep', 'l', 's']],
    ['{a:{x | {b}{x}{c}{x}}}{x}', ['a', 'b', 'c', 'x']],
    ['{a,b:{x,y | {x}{y}{i}{i0}}}{i}', ['a', 'b', 'i']],
    ['{a:{x | {x:{y | {x}{y}{z}}}}}', ['a', 'z']],
    ['{a:{i | {i}{i0}}}', ['a']],
    ['{first(l)}{length}{trim(first)}{m.first}', ['l', 'length', 'first', 'm']],
    ['{m.(k)}{m.("x")}{m.(o.k)}', ['m', 'k', 'o']],
    ['{if(a && !b || (c.d))}{e}{elseif(f)}{g}{else}{h}{endif}', ['a', 'b', 'c', 'e', 'f', 'g', 'h']],
    ['{[a, "b", [c]]}{"d {e}"}{! {f} !}\\{g}{true}', ['a', 'c']],
    ['{unknown(a, name=b)}{l:unknown(c)}', ['a', 'b', 'l', 'c']],
    ['no placeholder }', []],
    ['{größe}{größe}', ['größe']],
  ])('of %s', (template, names) => {
    expect(strict.variables(template)).toEqual(names);
    const given = Object.fromEntries(names.map((name) => [name, null]));
    expect(() => strict.render(template, given)).not.toThrow();
    if (names.length > 0) expect(failure(() => strict.render(template, {})).missing).toEqual(names);
  });

  it('that are missing are all named, with the place of the first', () => {
    const error = failure(() => strict.render('{a}\r\nx {if(e)}{f.g}{endif}', { a: 1 }));
    expect(error).toMatchObject({ code: 'template', missing: ['e', 'f'], subject: 'e', line: 2, column: 7 });
    expect(error.message).toContain('e, f');
  });

  it('that are missing are told, or not, when that is asked', () => {
    const logger = recordingLogger();
    expect(new StTemplateRenderer({ validation: 'none', logger }).render('[{a}]', {})).toBe('[]');
    expect(logger.warn).not.toHaveBeenCalled();
    expect(new StTemplateRenderer({ validation: 'warn', logger }).render('[{a}] {b}', { b: 'secret' })).toBe(
      '[] secret',
    );
    expect(logger.warn).toHaveBeenCalledExactlyOnceWith(expect.any(String), { missing: ['a'] });
  });
});

describe('arguments that cannot be right', () => {
  it.each(['', ' \n', undefined, null, 7])('the template %j', (template) => {
    const refusal = expect.objectContaining({ code: 'invalid_argument', subject: 'template' });
    expect(() => strict.render(template as never, {})).toThrow(refusal);
    expect(() => strict.variables(template as never)).toThrow(refusal);
  });

  it.each([null, undefined, 'text', { 'a.b': 1 }])('the variables %j', (variables) => {
    const refusal = expect.objectContaining({ code: 'invalid_argument', subject: 'variables' });
    expect(() => strict.render('{a}', variables as never)).toThrow(refusal);
  });

  it('the validation', () => {
    expect(() => new StTemplateRenderer({ validation: 'off' as never })).toThrow(
      expect.objectContaining({ code: 'invalid_argument', subject: 'validation' }),
    );
  });
});

describe('templates that are not valid', () => {
  it.each<readonly [string, number, number]>([
    ['{}', 1, 2],
    ['a\n{x y}', 2, 4],
    ['{"k": 1}', 1, 7],
    ['{a', 1, 3],
    ['a\r\n {if(x)} b', 2, 2],
    ['{if(x)}a{else}b{else}c{endif}', 1, 16],
    ['{if(x}a{endif}', 1, 6],
    ['{if(a == b)}x{endif}', 1, 7],
    ['{else}', 1, 1],
    ['x {endif}', 1, 3],
    ['{l:{x | {if(x)}}}', 1, 9],
    ['{l:{x | y', 1, 4],
    ['{l:{x,x | y}}', 1, 7],
    ['{l:{y}}', 1, 4],
    ['{a,b:{x | y}}', 1, 6],
    ['{a,b}', 1, 5],
    ['{a:b}', 1, 4],
    ['{a; seperator=","}', 1, 5],
    ['{a; separator}', 1, 14],
    ['{a;}', 1, 4],
    ['{a.}', 1, 4],
    ['{a.()}', 1, 5],
    ['{"text}', 1, 2],
    ['{! comment', 1, 1],
    ['{\\x}', 1, 3],
    ['{\\u12}', 1, 4],
    ['a{\\\\}b', 1, 6],
    ['{length(a, b)}', 1, 13],
    ['{length()}', 1, 9],
    ['{(a)()}', 1, 5],
    ['{super.a()}', 1, 2],
    ['{@region()}', 1, 2],
    ['{a/b}', 1, 3],
  ])('%j at line %i, column %i', (template, line, column) => {
    for (const run of [() => strict.render(template, {}), () => strict.variables(template)])
      expect(failure(run)).toMatchObject({ code: 'template', line, column, missing: [] });
  });

  it('because they are nested without end', () => {
    for (const deep of [
      '{'.repeat(50_000),
      `{${'('.repeat(50_000)}`,
      `{if(${'!'.repeat(50_000)}a)}`,
      '{if(a)}'.repeat(50_000),
      '{a:{x|'.repeat(50_000),
    ])
      expect(failure(() => strict.render(deep, { a: 1 })).message).toContain('deep');
  });

  it('that are long are no problem', { timeout: 240_000 }, () => {
    const lenient = new StTemplateRenderer({ validation: 'none' });
    const long = 20_000;
    const chains = [`a${'.b'.repeat(long)}`, `a:{x | {x}}${':{x | }'.repeat(long)}`, `[${'a,'.repeat(long)}]`];
    for (const chain of chains) expect(lenient.render(`x{${chain}}`, { a: null })).toBe('x');
    expect(lenient.render(`{if(${'a||'.repeat(long)}b)}yes{endif}`, { b: 1 })).toBe('yes');
    expect(lenient.render(`{a${':{x | {x}}'.repeat(99)}}`, { a: 'deep' })).toBe('deep');
    expect(lenient.render('{a}\n'.repeat(long), { a: 'x' })).toBe('x\n'.repeat(long));
  });

  it('never end in another error, whatever they hold', () => {
    const text = fc.string({
      unit: fc.constantFrom(...'{}{}{}ab:;|"\\!().,[]=&<> \n', 'if', 'else', 'endif', 'first'),
      maxLength: 30,
    });
    const renderer = new StTemplateRenderer({ validation: 'none' });
    fc.assert(
      fc.property(text, (template) => {
        fc.pre(template.trim() !== '');
        try {
          expect(typeof renderer.render(template, { a: ['x', { b: 1 }], b: 'y' })).toBe('string');
        } catch (error) {
          if (!TemplateError.is(error)) throw error;
          expect(error.line).toBeGreaterThan(0);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('run-time problems', () => {
  it.each([
    ['a\n{o.x}', { problem: 'there is no property x', line: 2, column: 4 }],
    ['{o.(k)}', { problem: 'there is no property of this name', line: 1, column: 4 }],
    ['{trim(l)}', { problem: 'trim takes text', line: 1, column: 2 }],
    ['{strlen(o)}', { problem: 'strlen takes text', line: 1, column: 2 }],
    ['{lenght(l)}', { problem: 'there is no function lenght', line: 1, column: 2 }],
    ['{l:row(k)}', { problem: 'there is no function row', line: 1, column: 4 }],
  ])('of %j are told to the logger and thrown nowhere', (template, problem) => {
    const logger = recordingLogger();
    const console = (['log', 'warn', 'error'] as const).map((name) => vi.spyOn(globalThis.console, name));
    new StTemplateRenderer({ logger }).render(template, { o: {}, l: ['secret'], k: 'secret' });
    expect(logger.warn).toHaveBeenCalledExactlyOnceWith(expect.any(String), problem);
    for (const spy of console) {
      expect(spy).not.toHaveBeenCalled();
      spy.mockRestore();
    }
  });

  it('functions that do not exist are an error when functions are validated', () => {
    const options: StTemplateRendererOptions = { validateStFunctions: true };
    const error = failure(() => new StTemplateRenderer(options).render('{first(l)} {lenght(l)}', { l: [] }));
    expect(error).toMatchObject({ code: 'template', subject: 'lenght', line: 1, column: 13 });
    expect(error.message).toContain('length');
    expect(new StTemplateRenderer({ ...options, validation: 'none' }).render('[{lenght(l)}]', { l: [] })).toBe('[]');
    expect(new StTemplateRenderer(options).render('{first(l)} {length}', { l: [1], length: 2 })).toBe('1 2');
  });
});

it('forgets old templates without changing what they render', () => {
  for (let i = 0; i < 2_000; i++) expect(strict.render(`${i} {a}`, { a: i })).toBe(`${i} ${i}`);
  expect(strict.render('0 {a}', { a: 'again' })).toBe('0 again');
});
