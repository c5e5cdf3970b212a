import {
  alwaysEvict,
  compositeEviction,
  type IndexEviction,
  KeywordToolIndex,
  lruEviction,
  neverEvict,
  type ToolIndex,
  ToolSearchToolCallingAdvisor,
  ttlEviction,
  VectorToolIndex,
} from '@vernal/advisors-tool-search';
import { ChatClient } from '@vernal/client-chat';
import { contextKey, contextValue, type ToolCallback, tool } from '@vernal/core';
import { hashingEmbeddingModel, ScriptedChatModel } from '@vernal/testing';
import { SimpleVectorStore } from '@vernal/vector-store';
import { describe, expect, it } from 'vitest';
import { answersIn, search } from './conversation.js';

/** Something to wait for, opened by hand. */
function gate(): { readonly opened: Promise<void>; open(): void; fail(error: Error): void } {
  let open = (): void => {};
  let fail = (_: Error): void => {};
  const opened = new Promise<void>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  return { opened, open, fail };
}

/** A keyword index that writes down what is done to it, by the first tool of a session; entries of `hold` wait there. */
class Watched implements ToolIndex {
  readonly log: string[] = [];
  readonly held = new Set<string>();
  readonly hold = new Map<string, Promise<void>>();
  readonly #inner = new KeywordToolIndex();
  readonly #labels = new Map<string, string>();
  readonly #waiting = new Map<string, () => void>();

  index: ToolIndex['index'] = async (session, tools, context) => {
    const label = tools[0]?.name ?? '';
    this.#labels.set(session, label);
    await this.#enter(`index ${label}`);
    await this.#inner.index(session, tools, context);
    this.held.add(label);
  };
  search: ToolIndex['search'] = async (query, context) => {
    await this.#enter(`search ${this.#labels.get(query.session)}`);
    return this.#inner.search(query, context);
  };
  clear: ToolIndex['clear'] = async (session, context) => {
    const label = this.#labels.get(session) ?? '';
    await this.#enter(`clear ${label}`);
    await this.#inner.clear(session, context);
    this.held.delete(label);
  };

  get writes(): string[] {
    return this.log.filter((entry) => !entry.startsWith('search'));
  }

  /** When the entry is next written down. */
  reached(entry: string): Promise<void> {
    return new Promise((resolve) => this.#waiting.set(entry, resolve));
  }

  async #enter(entry: string): Promise<void> {
    this.log.push(entry);
    this.#waiting.get(entry)?.();
    const held = this.hold.get(entry);
    this.hold.delete(entry);
    await held;
  }
}

function named(name: string, description = 'Does mail'): ToolCallback {
  return tool({ name, description, execute: () => 'ok' });
}

const TENANT = contextKey<string>('tenant');

/** One search with these tools; what it answered. */
async function searchOnce(
  advisor: ToolSearchToolCallingAdvisor,
  tools: readonly ToolCallback[],
  more: { readonly tenant?: string; readonly signal?: AbortSignal } = {},
): Promise<unknown> {
  const model = new ScriptedChatModel([search('mail'), 'ok']);
  const client = ChatClient.builder(model).defaultTools(tools).defaultAdvisors(advisor).build();
  let spec = client.prompt('Hi');
  if (more.tenant !== undefined) spec = spec.advisors((a) => a.param(TENANT, more.tenant ?? ''));
  if (more.signal !== undefined) spec = spec.signal(more.signal);
  await spec.call().content();
  const [answer] = answersIn(model.prompts[1]);
  return answer?.startsWith('[') ? JSON.parse(answer) : answer;
}

function advisorWith(eviction?: IndexEviction, options: { now?: () => number; byTenant?: boolean } = {}) {
  const index = new Watched();
  const { now, byTenant = false } = options;
  const session = byTenant
    ? ({ context }: { context: Readonly<Record<string, unknown>> }) => contextValue(context, TENANT)
    : undefined;
  return { index, advisor: new ToolSearchToolCallingAdvisor({ index, eviction, now, session }) };
}

describe('what an index keeps', () => {
  it('is one entry for each set of tools, whoever asks and in whatever order they come', async () => {
    const { index, advisor } = advisorWith();
    const [a, b] = [named('a'), named('b')];
    expect(await searchOnce(advisor, [a, b])).toEqual(['a', 'b']);
    await searchOnce(advisor, [b, a]);
    await searchOnce(advisor, [named('a'), named('b')]);
    expect(index.writes).toEqual(['index a']);
    await searchOnce(advisor, [a]);
    await searchOnce(advisor, [a, named('b', 'Does other mail')]);
    expect(index.writes).toEqual(['index a', 'index a', 'index a']);
  });

  it('is indexed by a search only', async () => {
    const { index, advisor } = advisorWith();
    const model = new ScriptedChatModel(['ok']);
    await ChatClient.builder(model)
      .defaultTools(named('a'))
      .defaultAdvisors(advisor)
      .build()
      .prompt('Hi')
      .call()
      .content();
    expect(index.writes).toEqual([]);
  });

  it('is indexed once by searches at the same time', async () => {
    const { index, advisor } = advisorWith();
    const { opened, open } = gate();
    index.hold.set('index a', opened);
    const reached = index.reached('index a');
    const searches = Array.from({ length: 10 }, () => searchOnce(advisor, [named('a')]));
    await reached;
    open();
    expect(await Promise.all(searches)).toEqual(Array.from({ length: 10 }, () => ['a']));
    expect(index.writes).toEqual(['index a']);
  });

  it('is indexed by the next when the first one is aborted', async () => {
    const { index, advisor } = advisorWith();
    const controller = new AbortController();
    const { opened, fail } = gate();
    index.hold.set('index a', opened);
    const reached = index.reached('index a');
    const first = searchOnce(advisor, [named('a')], { signal: controller.signal });
    await reached;
    const second = searchOnce(advisor, [named('a')]);
    controller.abort();
    fail(new Error('aborted'));
    await expect(first).rejects.toMatchObject({ code: 'aborted' });
    expect(await second).toEqual(['a']);
    expect(index.writes).toEqual(['index a', 'index a']);
  });

  it('lets a search that waits for another one go when it is aborted', async () => {
    const { index, advisor } = advisorWith();
    const controller = new AbortController();
    const { opened, open } = gate();
    index.hold.set('index a', opened);
    const reached = index.reached('index a');
    const first = searchOnce(advisor, [named('a')]);
    await reached;
    const second = searchOnce(advisor, [named('a')], { signal: controller.signal });
    controller.abort();
    await expect(second).rejects.toMatchObject({ code: 'aborted' });
    open();
    expect(await first).toEqual(['a']);
  });

  it('is not taken away while a search runs, and goes when the last one ends', async () => {
    const { index, advisor } = advisorWith(alwaysEvict);
    const { opened, open } = gate();
    index.hold.set('search a', opened);
    const reached = index.reached('search a');
    const first = searchOnce(advisor, [named('a')]);
    await reached;
    expect(await searchOnce(advisor, [named('a')])).toEqual(['a']);
    expect(index.writes).toEqual(['index a']);
    open();
    expect(await first).toEqual(['a']);
    expect(index.writes).toEqual(['index a', 'clear a']);
  });

  it('is forgotten once, and indexed again for a search that comes meanwhile', async () => {
    let looked = (): void => {};
    const now = (): number => {
      looked();
      return 0;
    };
    const { index, advisor } = advisorWith(lruEviction({ maxSessions: 1 }), { now });
    await searchOnce(advisor, [named('a')]);
    const { opened, open } = gate();
    index.hold.set('clear a', opened);
    const reached = index.reached('clear a');
    const second = searchOnce(advisor, [named('b')]);
    await reached;
    expect(await searchOnce(advisor, [named('b')])).toEqual(['b']);
    // The clock is read as soon as a search knows its session.
    const waiting = new Promise<void>((resolve) => {
      looked = resolve;
    });
    const third = searchOnce(advisor, [named('a')]);
    await waiting;
    open();
    expect(await second).toEqual(['b']);
    expect(await third).toEqual(['a']);
    expect(await searchOnce(advisor, [named('a')])).toEqual(['a']);
    expect(index.writes).toEqual(['index a', 'index b', 'clear a', 'index a', 'clear b']);
  });

  it('stays with never, and goes after each search with always', async () => {
    const never = advisorWith(neverEvict);
    for (let i = 0; i < 3; i++) await searchOnce(never.advisor, [named('a')]);
    expect(never.index.writes).toEqual(['index a']);
    const always = advisorWith(alwaysEvict);
    for (let i = 0; i < 2; i++) expect(await searchOnce(always.advisor, [named('a')])).toEqual(['a']);
    expect(always.index.writes).toEqual(['index a', 'clear a', 'index a', 'clear a']);
    expect([...always.index.held]).toEqual([]);
  });

  it('is what was used last with LRU', async () => {
    const { index, advisor } = advisorWith(lruEviction({ maxSessions: 2 }));
    for (const name of ['a', 'b', 'a', 'c', 'a', 'b']) expect(await searchOnce(advisor, [named(name)])).toEqual([name]);
    expect(index.writes).toEqual(['index a', 'index b', 'index c', 'clear b', 'index b', 'clear c']);
    expect([...index.held]).toEqual(['a', 'b']);
  });

  it('goes when it was idle for long with TTL, by the clock it was given', async () => {
    let time = 0;
    const { index, advisor } = advisorWith(ttlEviction({ ttlMs: 100 }), { now: () => time });
    await searchOnce(advisor, [named('a')]);
    time = 99;
    await searchOnce(advisor, [named('b')]);
    expect(index.writes).toEqual(['index a', 'index b']);
    time = 100;
    await searchOnce(advisor, [named('b')]);
    expect(index.writes.at(-1)).toBe('clear a');
    time = 1000;
    await searchOnce(advisor, [named('b')]);
    expect([...index.held]).toEqual(['b']);
  });

  it('goes by any of several', async () => {
    let time = 0;
    const eviction = compositeEviction(lruEviction({ maxSessions: 2 }), ttlEviction({ ttlMs: 100 }));
    const { index, advisor } = advisorWith(eviction, { now: () => time });
    for (const name of ['a', 'b', 'c']) await searchOnce(advisor, [named(name)]);
    expect([...index.held]).toEqual(['b', 'c']);
    time = 100;
    await searchOnce(advisor, [named('c')]);
    expect([...index.held]).toEqual(['c']);
  });

  it('is never taken away from a search that needs it', async () => {
    const { index, advisor } = advisorWith(alwaysEvict);
    const names = ['a', 'b', 'c'];
    const searches = Array.from({ length: 60 }, (_, i) => searchOnce(advisor, [named(names[i % 3] ?? '')]));
    const answers = await Promise.all(searches);
    for (const [i, answer] of answers.entries()) expect(answer).toEqual([names[i % 3]]);
    expect([...index.held]).toEqual([]);
  });

  it('is replaced for a tenant whose tools change, and left alone for the others', async () => {
    const { index, advisor } = advisorWith(neverEvict, { byTenant: true });
    await searchOnce(advisor, [named('a')], { tenant: 'x' });
    await searchOnce(advisor, [named('b')], { tenant: 'y' });
    await searchOnce(advisor, [named('c')], { tenant: 'x' });
    expect(await searchOnce(advisor, [named('b')], { tenant: 'y' })).toEqual(['b']);
    await searchOnce(advisor, [named('d')]);
    expect(index.writes).toEqual(['index a', 'index b', 'index c', 'clear a', 'index d']);
    await expect(searchOnce(advisor, [named('b')], { tenant: ' ' })).rejects.toMatchObject({ subject: 'session' });
  });

  it('belongs to its tenant alone, also where others have the same tools', async () => {
    const { index, advisor } = advisorWith(neverEvict, { byTenant: true });
    for (const tenant of ['x', 'y']) await searchOnce(advisor, [named('a')], { tenant });
    await searchOnce(advisor, [named('b')], { tenant: 'x' });
    await searchOnce(advisor, [named('a')], { tenant: 'y' });
    expect(index.writes).toEqual(['index a', 'index a', 'index b', 'clear a']);
  });

  it('can be cleared by hand, and is indexed again when it is needed', async () => {
    const vectorStore = new SimpleVectorStore({ embeddingModel: hashingEmbeddingModel() });
    const advisor = new ToolSearchToolCallingAdvisor({ index: new VectorToolIndex({ vectorStore }) });
    const held = async () => (await vectorStore.similaritySearch({ query: 'mail', topK: 10 })).length;
    expect(await searchOnce(advisor, [named('mail')])).toEqual(['mail']);
    expect(await held()).toBe(1);
    await advisor.clearIndex();
    expect(await held()).toBe(0);
    expect(await searchOnce(advisor, [named('mail')])).toEqual(['mail']);
    await expect(advisor.clearIndex({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' });
    await advisor.clearIndex();
    expect(await held()).toBe(0);
  });

  it('does not fail a search when it cannot be forgotten; that is logged, and tried again', async () => {
    const index = new Watched();
    const clear = index.clear;
    let fail = true;
    index.clear = async (session, context) => {
      if (fail) throw new Error('password=hunter2');
      return clear(session, context);
    };
    const warnings: unknown[] = [];
    const logger = { debug: () => {}, info: () => {}, warn: (...entry: unknown[]) => warnings.push(entry) };
    const advisor = new ToolSearchToolCallingAdvisor({ index, eviction: lruEviction({ maxSessions: 1 }) });
    const run = async (name: string) => {
      const model = new ScriptedChatModel([search('mail'), 'ok']);
      const client = ChatClient.builder(model, { logger }).defaultTools(named(name)).defaultAdvisors(advisor).build();
      await client.prompt('Hi').call().content();
      return answersIn(model.prompts[1]);
    };
    await run('a');
    expect(await run('b')).toEqual(['["b"]']);
    expect(JSON.stringify(warnings)).toContain('could not forget');
    expect(JSON.stringify(warnings)).not.toContain('hunter2');
    fail = false;
    expect(await run('b')).toEqual(['["b"]']);
    expect([...index.held]).toEqual(['b']);
  });
});

describe('evictions', () => {
  const kept = (sessions: Readonly<Record<string, number>>, current: string, now: number) => ({
    sessions: Object.entries(sessions).map(([session, lastUsed]) => ({ session, lastUsed })),
    current,
    now,
  });

  it('keep a thousand by default', () => {
    const sessions = Object.fromEntries(Array.from({ length: 1002 }, (_, i) => [`s${i}`, i]));
    expect(lruEviction()(kept(sessions, 's1001', 0))).toEqual(['s0', 's1']);
  });

  it('never name the current one for its age, and name none twice', () => {
    expect(ttlEviction({ ttlMs: 5 })(kept({ a: 0, b: 0 }, 'a', 5))).toEqual(['b']);
    expect(compositeEviction(alwaysEvict, alwaysEvict, neverEvict)(kept({ a: 0 }, 'a', 5))).toEqual(['a']);
  });

  it.each([
    ['maxSessions', () => lruEviction({ maxSessions: 0 })],
    ['maxSessions', () => lruEviction({ maxSessions: 2.5 })],
    ['ttlMs', () => ttlEviction({ ttlMs: 0 })],
    ['ttlMs', () => ttlEviction({ ttlMs: Number.NaN })],
    ['evictions', () => compositeEviction()],
  ])('refuse what makes no sense: %s', (subject, make) => {
    expect(make).toThrow(expect.objectContaining({ code: 'invalid_argument', subject }));
  });
});
