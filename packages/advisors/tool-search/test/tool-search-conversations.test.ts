import { TOOL_SEARCH_FOUND, ToolSearchToolCallingAdvisor } from '@vernal/advisors-tool-search';
import { type AdvisorScope, ChatClient, MessageChatMemoryAdvisor } from '@vernal/client-chat';
import { type ApprovalDecision, MessageWindowChatMemory, type PendingApproval, ToolCallingManager } from '@vernal/core';
import { ScriptedChatModel, type ScriptStep } from '@vernal/testing';
import { describe, expect, it } from 'vitest';
import { ask, MODES, namesOf, OFFICE, office, search, Toolbox, use } from './conversation.js';

const SEARCH = 'toolSearchTool';

describe.each(MODES)('tools that were found, in a %s', (mode) => {
  it('outlive their turn when a memory around the loop holds the searches', async () => {
    const memory = new MessageChatMemoryAdvisor({ chatMemory: new MessageWindowChatMemory() });
    const { client, offered } = office(
      [search('hotel'), 'There is one.', search('email'), 'ok', use('bookHotel'), 'Booked.', 'Hello.'],
      {},
      [memory],
    );
    await ask(client.prompt('A hotel?').conversation('a'), mode);
    await ask(client.prompt('Mail it').conversation('a'), mode);
    await ask(client.prompt('Book it').conversation('a'), mode);
    await ask(client.prompt('Hi').conversation('b'), mode);
    expect(offered()).toEqual([
      [SEARCH],
      [SEARCH, 'bookHotel'],
      [SEARCH, 'bookHotel'],
      ...Array.from({ length: 3 }, () => [SEARCH, 'bookHotel', 'sendEmail']),
      [SEARCH],
    ]);
  });

  it('are not lost between rounds when the memory stands inside of the loop, and the note stays one', async () => {
    const chatMemory = new MessageWindowChatMemory();
    const memory = new MessageChatMemoryAdvisor({ chatMemory, scope: 'round' });
    const { client, offered, model, box } = office(
      [search('hotel'), search('email'), use('bookHotel', 'sendEmail'), 'Done.', 'Hello.'],
      {},
      [memory],
    );
    const first = await ask(client.prompt('Hotel').system('Be kind.').conversation('a'), mode);
    expect(box.ran.toSorted()).toEqual(['bookHotel', 'sendEmail']);
    const found = first.context[TOOL_SEARCH_FOUND];
    const second = await ask(
      client
        .prompt('Again')
        .system('Be kind.')
        .conversation('a')
        .advisors((a) => a.param(TOOL_SEARCH_FOUND, [...(found as string[]), 'goneTool'])),
      mode,
    );
    expect(second.context[TOOL_SEARCH_FOUND]).toEqual(found);
    const both = [SEARCH, 'bookHotel', 'sendEmail'];
    expect(offered()).toEqual([[SEARCH], [SEARCH, 'bookHotel'], both, both, both]);
    for (const prompt of model.prompts) expect(prompt.contents.split('You have more tools')).toHaveLength(2);
  });

  it.each<AdvisorScope>(['turn', 'round'])(
    'outlive a wait for approval in another process, memory per %s',
    async (scope) => {
      const process = (steps: readonly ScriptStep[]) => {
        const box = new Toolbox(OFFICE);
        const model = new ScriptedChatModel(steps);
        const manager = new ToolCallingManager({
          approvalKey: new Uint8Array(32).fill(3),
          approve: ({ name }): ApprovalDecision => ({ type: name === SEARCH ? 'approve' : 'defer' }),
        });
        const client = ChatClient.builder(model)
          .defaultTools(box.tools)
          .defaultAdvisors(
            new ToolSearchToolCallingAdvisor({ manager }),
            new MessageChatMemoryAdvisor({ chatMemory: new MessageWindowChatMemory(), scope }),
          )
          .build();
        return { box, model, client };
      };
      const here = process([search('email'), search('hotel'), use('bookHotel')]);
      const waiting = await ask(here.client.prompt('Hotel').conversation('a'), mode);
      expect(here.box.ran).toEqual([]);
      const pending = JSON.parse(JSON.stringify(waiting.pendingApproval)) as PendingApproval;
      const there = process([use('sendEmail'), 'unused']);
      const response = await ask(
        there.client.resume(pending, { [pending.calls[0]?.id ?? '']: { type: 'approve' } }),
        mode,
      );
      expect(there.box.ran).toEqual(['bookHotel']);
      expect(there.model.prompts.map(namesOf)).toEqual([[SEARCH, 'sendEmail', 'bookHotel']]);
      expect(response.pendingApproval?.calls.map(({ name }) => name)).toEqual(['sendEmail']);
    },
  );

  it('are found by a search that waited for approval itself', async () => {
    const process = (steps: readonly ScriptStep[]) => {
      const box = new Toolbox(OFFICE);
      const model = new ScriptedChatModel(steps);
      const manager = new ToolCallingManager({
        approvalKey: new Uint8Array(32).fill(3),
        approve: ({ name }): ApprovalDecision => ({ type: name === SEARCH ? 'defer' : 'approve' }),
      });
      const advisor = new ToolSearchToolCallingAdvisor({ manager });
      return { box, model, client: ChatClient.builder(model).defaultTools(box.tools).defaultAdvisors(advisor).build() };
    };
    const here = process([search('hotel')]);
    const { pendingApproval } = await ask(here.client.prompt('Hotel').system('Be kind.'), mode);
    const pending = JSON.parse(JSON.stringify(pendingApproval)) as PendingApproval;
    const there = process([use('bookHotel'), 'Booked.']);
    await ask(there.client.resume(pending, { [pending.calls[0]?.id ?? '']: { type: 'approve' } }), mode);
    expect(there.box.ran).toEqual(['bookHotel']);
    expect(there.model.prompts.map(namesOf)).toEqual(Array.from({ length: 2 }, () => [SEARCH, 'bookHotel']));
    expect(there.model.prompts[0]?.contents.split('You have more tools')).toHaveLength(2);
  });

  it('stay with their conversation when many run at once, each with tools of its own', async () => {
    const advisor = new ToolSearchToolCallingAdvisor();
    const run = async (tenant: number) => {
      const box = new Toolbox({
        sendEmail: 'Sends an email message',
        [`tenant${tenant}Secret`]: `Reads the secret of tenant ${tenant}`,
        [`tenant${tenant}Note`]: `Writes a note for tenant ${tenant}`,
      });
      const model = new ScriptedChatModel([
        search('secret'),
        use(`tenant${tenant}Secret`, `tenant${(tenant + 1) % 20}Secret`),
        search('note'),
        'Done.',
      ]);
      const client = ChatClient.builder(model).defaultTools(box.tools).defaultAdvisors(advisor).build();
      await ask(client.prompt('Go'), mode);
      return { ran: box.ran, offered: model.prompts.map(namesOf) };
    };
    const runs = await Promise.all(Array.from({ length: 20 }, (_, tenant) => run(tenant)));
    for (const [tenant, { ran, offered }] of runs.entries()) {
      expect(ran).toEqual([`tenant${tenant}Secret`]);
      expect(offered).toEqual([
        [SEARCH],
        [SEARCH, `tenant${tenant}Secret`],
        [SEARCH, `tenant${tenant}Secret`],
        [SEARCH, `tenant${tenant}Secret`, `tenant${tenant}Note`],
      ]);
    }
  });
});
