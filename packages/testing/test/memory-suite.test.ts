import type { ChatMemoryRepository, ConversationSlice } from '@vernal/core';
import { InMemoryChatMemoryRepository, MessageWindowChatMemory } from '@vernal/core';
import type { SuiteReport } from '@vernal/testing';
import { describeChatMemory, describeMemoryRepository, vitestRunner } from '@vernal/testing';
import * as vitest from 'vitest';
import { describe, expect, it } from 'vitest';
import { keepReport } from '../../../scripts/suite-report.mjs';
import { CollectingRunner, outcomes } from './collecting-runner.js';

const runner = vitestRunner(vitest);

/** The same repository for the same namespace: a second writer is the same object here. */
function shared(
  make: () => ChatMemoryRepository,
): (setup: { readonly namespace: string }) => { subject: ChatMemoryRepository } {
  const made = new Map<string, ChatMemoryRepository>();
  return ({ namespace }) => {
    const subject = made.get(namespace) ?? make();
    made.set(namespace, subject);
    return { subject };
  };
}

let commands = 0;
class CountingRepository extends InMemoryChatMemoryRepository {
  override async append(
    ...parameters: Parameters<InMemoryChatMemoryRepository['append']>
  ): Promise<{ sequence: number }> {
    commands++;
    return super.append(...parameters);
  }
}
function takeCommands(): number {
  const taken = commands;
  commands = 0;
  return taken;
}

describeMemoryRepository(
  'InMemoryChatMemoryRepository',
  shared(() => new CountingRepository()),
  { runner, commands: takeCommands, onReport: keepReport },
);
describeChatMemory(
  'MessageWindowChatMemory',
  ({ repository }) => ({ subject: new MessageWindowChatMemory({ repository, maxMessages: 12 }) }),
  { runner },
);

type Break = (repository: ChatMemoryRepository) => Partial<ChatMemoryRepository>;

function broken(change: Break): () => ChatMemoryRepository {
  return () => {
    const right = new InMemoryChatMemoryRepository();
    const members: ChatMemoryRepository = {
      findConversationIds: (options) => right.findConversationIds(options),
      findByConversationId: (id, options) => right.findByConversationId(id, options),
      append: (id, messages, options) => right.append(id, messages, options),
      deleteBefore: (id, sequence, options) => right.deleteBefore(id, sequence, options),
      saveAll: (id, messages, options) => right.saveAll(id, messages, options),
      deleteByConversationId: (id, options) => right.deleteByConversationId(id, options),
    };
    return { ...members, ...change(right) };
  };
}

const changed = (slice: ConversationSlice, change: Partial<ConversationSlice>): ConversationSlice => ({
  ...slice,
  ...change,
});

describe('a broken repository fails the case that is about it', () => {
  it.each<[string, Break, string, readonly string[]]>([
    [
      'conflicts that nobody notices',
      (right) => ({ append: (id, messages, options) => right.append(id, messages, { signal: options?.signal }) }),
      'memory.append',
      ['memory.append.misuse', 'memory.append.expected', 'memory.append.one-winner'],
    ],
    [
      'messages one by one',
      (right) => ({
        async append(id, messages, options) {
          let written = await right.append(id, [], options);
          for (const message of messages) {
            await Promise.resolve();
            written = await right.append(id, [message]);
          }
          return written;
        },
      }),
      'memory.append.two',
      ['memory.append.two-writers'],
    ],
    [
      'metadata that are dropped',
      (right) => ({
        append: (id, messages, options) =>
          right.append(
            id,
            messages.map((one) => ({ ...one, metadata: {} })),
            options,
          ),
      }),
      'memory.append.r',
      ['memory.append.round-trip'],
    ],
    [
      'the newest first',
      (right) => ({
        async findByConversationId(id, options) {
          const slice = await right.findByConversationId(id, options);
          return changed(slice, { messages: slice.messages.toReversed() });
        },
      }),
      'memory.find',
      [
        'memory.find.last',
        'memory.find.before',
        'memory.find.include-system',
        'memory.find.range',
        'memory.find.include-system-before',
        'memory.find.restart',
      ],
    ],
    [
      'ids without their case',
      (right) => ({
        append: (id, messages, options) => right.append(id.toLowerCase(), messages, options),
        findByConversationId: (id, options) => right.findByConversationId(id.toLowerCase(), options),
      }),
      'memory.ids.a',
      ['memory.ids.apart'],
    ],
    [
      'system messages that are trimmed away',
      (right) => ({ deleteBefore: (id, sequence) => right.deleteBefore(id, sequence) }),
      'memory.delete-before',
      ['memory.delete-before.keep-system'],
    ],
    [
      'sequences that start anew',
      (right) => ({
        async saveAll(id, messages, options) {
          await right.saveAll(id, [], options);
          const { sequence } = await right.append(id, messages);
          return { sequence: sequence - 1 };
        },
      }),
      'memory.save-all.r',
      ['memory.save-all.replaces'],
    ],
    [
      'text that is cut at U+0000',
      (right) => ({
        append: (id, messages, options) =>
          right.append(
            id,
            messages.map((one) => (one.type === 'user' ? { ...one, text: one.text.split('\u0000')[0] ?? '' } : one)),
            options,
          ),
      }),
      'memory.text.',
      ['memory.text.odd', 'memory.text.exact'],
    ],
    [
      'appends that read before they write',
      (right) => ({
        async append(id, messages, options) {
          const { messages: known } = await right.findByConversationId(id);
          return right.saveAll(id, [...known, ...messages], options);
        },
      }),
      'memory.append.two',
      ['memory.append.two-writers'],
    ],
    [
      'a list that leads into the repository',
      (right) => {
        const read = new Map<string, ConversationSlice>();
        return {
          async findByConversationId(id, options) {
            const slice = read.get(id) ?? (await right.findByConversationId(id, options));
            read.set(id, slice);
            return slice;
          },
        };
      },
      'memory.append.apart',
      ['memory.append.apart'],
    ],
    [
      'a list that is written up to the message that is none',
      (right) => ({
        async append(id, messages, options) {
          let sequence = 0;
          for (const message of messages) sequence = (await right.append(id, [message], options)).sequence;
          return { sequence };
        },
      }),
      'memory.append.refused',
      ['memory.append.refused'],
    ],
    [
      'a page of ids and no more',
      (right) => ({
        async *findConversationIds() {
          let count = 0;
          for await (const id of right.findConversationIds()) if (++count <= 100) yield id;
        },
      }),
      'memory.ids.many',
      ['memory.ids.many'],
    ],
    [
      'blank ids',
      (right) => ({ deleteByConversationId: async (id) => (id ? right.deleteByConversationId(id) : undefined) }),
      'memory.ids.blank',
      ['memory.ids.blank'],
    ],
  ])('%s', async (_, change, prefix, expected) => {
    const collecting = new CollectingRunner();
    let report: SuiteReport | undefined;
    describeMemoryRepository('broken', shared(broken(change)), {
      runner: collecting,
      onReport: (value) => {
        report = value;
      },
    });
    expect(await collecting.run(prefix)).toEqual(expected);
    expect(Object.values(outcomes(report)).filter((one) => one === 'fail')).toHaveLength(expected.length);
  });
});

it('the cost case needs a count, and says so', async () => {
  const collecting = new CollectingRunner();
  let report: SuiteReport | undefined;
  describeMemoryRepository(
    'uncounted',
    shared(() => new InMemoryChatMemoryRepository()),
    {
      runner: collecting,
      onReport: (value) => {
        report = value;
      },
    },
  );
  expect(await collecting.run('memory.append.cost')).toEqual([]);
  expect(outcomes(report)).toEqual({ 'memory.append.cost': 'not-declared' });
});
