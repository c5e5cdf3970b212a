import { Tool, type ToolContext, tool, toolsFrom } from '@vernal/core';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';

const Time = z.object({ time: z.string() });

class Clock {
  readonly alarms: string[] = [];
  zone = 'UTC';

  @Tool({ description: 'The current zone' })
  currentZone(): string {
    return this.zone;
  }

  @Tool({ input: Time, name: 'setAlarm' })
  async alarm({ time }: { time: string }, context: ToolContext): Promise<void> {
    this.alarms.push(`${time} ${context.toolCallId}`);
  }

  @Tool({ description: 'The default zone', returnDirect: true, convertResult: (result) => `<${String(result)}>` })
  static defaultZone(): string {
    return Clock.zoneOfAll;
  }

  @Tool({ input: z.object({ n: z.number() }) })
  #twice({ n }: { n: number }): number {
    return n * 2 + this.alarms.length;
  }

  static zoneOfAll = 'Z';

  self(): number {
    return this.#twice({ n: 1 });
  }
}

const named = (tools: readonly { definition: { name: string } }[]) => tools.map(({ definition }) => definition.name);

describe('@Tool as a stage-3 decorator', () => {
  it('finds instance methods, private ones too', () => {
    const tools = toolsFrom(new Clock());
    expect(named(tools).sort()).toEqual(['currentZone', 'setAlarm', 'twice']);
    expect(tools.find(({ definition }) => definition.name === 'currentZone')?.definition.description).toBe(
      'The current zone',
    );
    expect(tools.find(({ definition }) => definition.name === 'setAlarm')?.definition.description).toBe('set alarm');
  });

  it('calls them on their object with input and context', async () => {
    const clock = new Clock();
    const byName = Object.fromEntries(toolsFrom(clock).map((one) => [one.definition.name, one]));
    clock.zone = 'CET';
    expect(await byName['currentZone']?.call('{}')).toBe('CET');
    await byName['setAlarm']?.call('{"time":"07:00"}', {
      values: {},
      signal: AbortSignal.abort(),
      toolCallId: 'c7',
      messages: [],
    });
    expect(clock.alarms).toEqual(['07:00 c7']);
    expect(await byName['twice']?.call('{"n":4}')).toBe('9');
    await expect(byName['twice']?.call('{"n":"4"}')).rejects.toThrow(/n: /);
    expect(clock.self()).toBe(3);
  });

  it('keeps objects apart', async () => {
    const [one, two] = [new Clock(), new Clock()];
    two.zone = 'CET';
    const zones = await Promise.all(
      [one, two].map((clock) =>
        toolsFrom(clock)
          .find((t) => t.definition.name === 'currentZone')
          ?.call(''),
      ),
    );
    expect(zones).toEqual(['UTC', 'CET']);
  });

  it('finds static methods on the class alone', async () => {
    const [zone, ...rest] = toolsFrom(Clock);
    expect(rest).toEqual([]);
    expect(zone?.metadata.returnDirect).toBe(true);
    expect(await zone?.call('')).toBe('<Z>');
  });

  it('makes the JSON Schema once for all objects', () => {
    const schema = z.object({ a: z.string() });
    const input = vi.spyOn(schema['~standard'].jsonSchema, 'input');
    class Many {
      @Tool({ input: schema })
      look({ a }: { a: string }): string {
        return a;
      }
    }
    const tools = toolsFrom(new Many()).concat(toolsFrom(new Many()));
    expect(input).not.toHaveBeenCalled();
    for (const one of tools) expect(one.definition.inputSchema).toMatchObject({ required: ['a'] });
    expect(input).toHaveBeenCalledTimes(1);
  });
});

describe('inheritance', () => {
  class Base {
    @Tool({ description: 'base' })
    shared(): string {
      return 'base';
    }
    @Tool({ description: 'kept' })
    kept(): string {
      return `kept ${this.shared()}`;
    }
    @Tool({ description: 'static' })
    static make(): string {
      // biome-ignore lint/complexity/noThisInStatic: which class it is called on is what is tested
      return `made by ${this.name}`;
    }
  }
  class Plain extends Base {
    override shared(): string {
      return 'plain';
    }
  }
  class Renamed extends Base {
    @Tool({ description: 'renamed', name: 'other' })
    override shared(): string {
      return 'renamed';
    }
  }

  it('brings the methods of the base', async () => {
    expect(named(toolsFrom(new Plain()))).toEqual(['shared', 'kept']);
    expect(await toolsFrom(new Plain())[0]?.call('')).toBe('plain');
    expect(await toolsFrom(new Plain())[1]?.call('')).toBe('kept plain');
    expect(await toolsFrom(Plain)[0]?.call('')).toBe('made by Plain');
  });

  it('lets a decorated override replace what it overrides', async () => {
    const tools = toolsFrom(new Renamed());
    expect(named(tools)).toEqual(['other', 'kept']);
    expect(await tools[0]?.call('')).toBe('renamed');
  });
});

describe('what is refused', () => {
  it('an object without such methods, and a class without static ones', () => {
    class Empty {
      @Tool({})
      onInstances(): number {
        return 1;
      }
    }
    for (const nothing of [{}, new Map(), Empty, tool({ name: 'a', execute: () => 1 })])
      expect(() => toolsFrom(new Clock(), nothing)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
    expect(() => toolsFrom(Empty)).toThrow(/Empty has no @Tool static methods; give an instance/);
  });

  it('two tools of one name, in one object or several', () => {
    class Twice {
      @Tool({ name: 'same' })
      a(): number {
        return 1;
      }
      @Tool({ name: 'same' })
      b(): number {
        return 2;
      }
    }
    expect(() => toolsFrom(new Twice())).toThrow(/two tools named 'same'/);
    expect(() => toolsFrom(new Clock(), new Clock())).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  });

  it('anything but a method', () => {
    const decorate = Tool({}) as (target: unknown, context: unknown, descriptor?: unknown) => void;
    expect(() => decorate(undefined, { kind: 'field', name: 'x' })).toThrow(
      expect.objectContaining({ code: 'invalid_argument' }),
    );
    expect(() => decorate(class {}, { kind: 'class', name: 'x' })).toThrow(
      expect.objectContaining({ code: 'invalid_argument' }),
    );
    expect(() => decorate({}, 'x')).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
    expect(() => decorate({}, 'x', { get: () => 1 })).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  });

  it('a method without a usable name', () => {
    const nameless = Symbol();
    expect(() => {
      class Bad {
        @Tool({})
        [nameless](): number {
          return 1;
        }
      }
      return new Bad();
    }).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  });
});
