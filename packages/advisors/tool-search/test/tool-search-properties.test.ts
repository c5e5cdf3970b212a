import { ToolSearchToolCallingAdvisor } from '@vernal/advisors-tool-search';
import { ChatClient } from '@vernal/client-chat';
import { type Prompt, tool } from '@vernal/core';
import { type ScriptAnswer, ScriptedChatModel, type ScriptStep } from '@vernal/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ask, MODES, type Mode, namesOf } from './conversation.js';

const VERBS = ['get', 'create', 'delete', 'list', 'update'];
const THINGS =
  'invoice customer order ticket employee flight hotel room file folder issue branch server log bucket table chart image recording light'.split(
    ' ',
  );
const PLACES = ['', 'archive', 'draft', 'team', 'region'];
/** 500 names of parts that overlap, so that a search finds several. */
const NAMES = VERBS.flatMap((verb) =>
  THINGS.flatMap((thing) => PLACES.map((place) => [verb, thing, place].filter(Boolean).join('_'))),
);

type Action = { readonly search: string; readonly max?: number } | { readonly call: number };

const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ search: fc.constantFrom(...THINGS, 'archive', 'nothing such'), max: fc.integer({ min: 1, max: 12 }) }),
  fc.record({ call: fc.nat(NAMES.length - 1) }),
);

/** A model that searches, and calls any of the 500 tools, offered or not. */
function steps(rounds: readonly (readonly Action[])[]): ScriptStep[] {
  const calls = (actions: readonly Action[]): ScriptAnswer => ({
    toolCalls: actions.map((one) =>
      'search' in one
        ? { name: 'toolSearchTool', arguments: { query: one.search, maxResults: one.max ?? 5 } }
        : { name: NAMES[one.call] ?? '', arguments: {} },
    ),
  });
  return [...rounds.map(calls), 'Done.'];
}

async function run(rounds: readonly (readonly Action[])[], mode: Mode, accumulate: boolean) {
  const ran: { readonly name: string; readonly round: number }[] = [];
  const model = new ScriptedChatModel(steps(rounds));
  const tools = NAMES.map((name) =>
    tool({
      name,
      description: `Tool to ${name.replaceAll('_', ' ')}`,
      execute: () => {
        ran.push({ name, round: model.prompts.length - 1 });
        return 'ok';
      },
    }),
  );
  const client = ChatClient.builder(model)
    .defaultTools(tools)
    .defaultAdvisors(new ToolSearchToolCallingAdvisor({ accumulate, alwaysOffer: ['get_file', 'list_log'] }))
    .build();
  const response = await ask(client.prompt('Go'), mode);
  return { ran, offered: model.prompts.map(namesOf), prompts: model.prompts, response };
}

/** Names that the answers of searches in the newest message give, read without the code under test. */
function newlyFound(prompt: Prompt): string[] {
  const last = prompt.messages.at(-1);
  if (last?.type !== 'tool') return [];
  return last.responses.flatMap(({ name, result }) =>
    name === 'toolSearchTool' && result.startsWith('[') ? (JSON.parse(result) as string[]) : [],
  );
}

describe.each(MODES)('500 tools in a %s', (mode) => {
  it('reaches only what was offered, and only ever appends to what is offered', { timeout: 180_000 }, async () => {
    expect(new Set(NAMES).size).toBe(500);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(action, { minLength: 1, maxLength: 4 }), { maxLength: 6 }), async (rounds) => {
        const { ran, offered, prompts } = await run(rounds, mode, true);
        expect(offered[0]).toEqual(['toolSearchTool', 'get_file', 'list_log']);
        for (const { name, round } of ran) expect(offered[round]).toContain(name);
        for (const [i, prompt] of prompts.entries()) {
          if (i === 0) continue;
          const before = offered[i - 1] ?? [];
          const added = [...new Set(newlyFound(prompt))].filter((name) => !before.includes(name));
          expect(offered[i]).toEqual([...before, ...added]);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('offers what the newest searches found when it does not accumulate', { timeout: 180_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(action, { minLength: 1, maxLength: 3 }), { maxLength: 5 }), async (rounds) => {
        const { ran, offered, prompts } = await run(rounds, mode, false);
        const always = ['toolSearchTool', 'get_file', 'list_log'];
        let newest: string[] = [];
        for (const [i, prompt] of prompts.entries()) {
          const searched = rounds[i - 1]?.some((one) => 'search' in one) ?? false;
          if (searched) newest = [...new Set(newlyFound(prompt))].filter((name) => !always.includes(name));
          expect(offered[i]).toEqual([...always, ...newest]);
        }
        for (const { name, round } of ran) expect(offered[round]).toContain(name);
      }),
      { numRuns: 25 },
    );
  });
});
