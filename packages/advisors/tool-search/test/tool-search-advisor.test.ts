import {
  type KeywordToolIndex,
  TOOL_SEARCH_FOUND,
  type ToolIndex,
  ToolSearchToolCallingAdvisor,
} from '@vernal/advisors-tool-search';
import { type AnyAdvisor, ChatClient, HIGHEST_PRECEDENCE, withRequest } from '@vernal/client-chat';
import { contextValue, staticToolResolver, ToolCallingManager, tool } from '@vernal/core';
import { RecordingObservationRegistry, ScriptedChatModel } from '@vernal/testing';
import { describe, expect, it } from 'vitest';
import { answersIn, ask, MODES, namesOf, OFFICE, office, search, Toolbox, use } from './conversation.js';

const SEARCH = 'toolSearchTool';

describe.each(MODES)('ToolSearchToolCallingAdvisor in a %s', (mode) => {
  it('offers the search, then what was found behind it, and runs that', async () => {
    const { client, box, offered, model } = office([
      { text: 'I look.', toolCalls: [{ name: SEARCH, arguments: { query: 'book a hotel' } }] },
      search('flights'),
      use('bookHotel', 'searchFlights'),
      'Booked.',
    ]);
    const response = await ask(client.prompt('A trip to Rome'), mode);
    expect(response.chatResponse?.result?.output.text).toBe('I look.Booked.');
    expect(box.ran).toEqual(['bookHotel', 'searchFlights']);
    expect(offered()).toEqual([
      [SEARCH],
      [SEARCH, 'bookHotel'],
      [SEARCH, 'bookHotel', 'searchFlights'],
      [SEARCH, 'bookHotel', 'searchFlights'],
    ]);
    expect(answersIn(model.prompts[1])).toEqual(['["bookHotel"]']);
    expect(contextValue(response.context, TOOL_SEARCH_FOUND)).toEqual(['bookHotel', 'searchFlights']);
    expect(response.turn.map(({ type }) => type)).toEqual([
      'user',
      ...['assistant', 'tool', 'assistant', 'tool', 'assistant', 'tool', 'assistant'],
    ]);
  });

  it('lets nothing be called that was not offered, not even beside the search that finds it', async () => {
    const { client, box, model } = office([
      {
        toolCalls: [
          { name: SEARCH, arguments: { query: 'email' } },
          { name: 'sendEmail', arguments: {} },
        ],
      },
      use('bookHotel'),
      use('sendEmail'),
      'Sent.',
    ]);
    await ask(client.prompt('Mail'), mode);
    expect(box.ran).toEqual(['sendEmail']);
    expect(answersIn(model.prompts[1])).toEqual([
      '["sendEmail"]',
      "Tool 'sendEmail' does not exist. Available tools: toolSearchTool.",
    ]);
    expect(answersIn(model.prompts[2])).toEqual([
      "Tool 'bookHotel' does not exist. Available tools: toolSearchTool, sendEmail.",
    ]);
  });

  it('says in words that nothing was found, and goes on', async () => {
    const { client, model, offered } = office([search('helicopter'), 'I cannot.']);
    await ask(client.prompt('Fly me'), mode);
    expect(answersIn(model.prompts[1])[0]).toMatch(/^No tool matches\. Search once more with other/);
    expect(offered()[1]).toEqual([SEARCH]);
  });

  it('keeps only what the newest search found when it does not accumulate', async () => {
    const { client, offered } = office(
      [search('hotel'), search('flights'), use('searchFlights'), search('helicopter'), 'Done.'],
      { accumulate: false },
    );
    await ask(client.prompt('Trip'), mode);
    expect(offered()).toEqual([
      [SEARCH],
      [SEARCH, 'bookHotel'],
      [SEARCH, 'searchFlights'],
      [SEARCH, 'searchFlights'],
      [SEARCH],
    ]);
  });

  it('does not take a search that failed for one that found nothing', async () => {
    const { client, offered } = office([search('hotel'), search(' '), use('bookHotel'), 'Done.'], {
      accumulate: false,
    });
    await ask(client.prompt('Trip'), mode);
    expect(offered()[2]).toEqual([SEARCH, 'bookHotel']);
  });

  it.each([true, false])('does not lose tools without an internal history, accumulating: %s', async (accumulate) => {
    const { client, box, offered, model } = office([search('hotel'), use('bookHotel'), use('bookHotel'), 'Done.'], {
      internalHistory: false,
      accumulate,
    });
    await ask(client.prompt('Hotels').system('Be brief.'), mode);
    expect(model.prompts[2]?.messages.map(({ type }) => type)).toEqual(['system', 'tool']);
    expect(offered().slice(1)).toEqual(Array.from({ length: 3 }, () => [SEARCH, 'bookHotel']));
    expect(box.ran).toEqual(['bookHotel', 'bookHotel']);
  });

  it('tells the model of the search in its system message, exactly once', async () => {
    const { client, model } = office([search('hotel'), use('bookHotel'), 'Done.']);
    await ask(client.prompt('Hotel').system('You are kind.'), mode);
    for (const prompt of model.prompts) {
      const text = prompt.systemMessage.text;
      expect(prompt.systemMessages).toHaveLength(1);
      expect(text.startsWith('You are kind.\n\nYou have more tools')).toBe(true);
      expect(text.split('You have more tools')).toHaveLength(2);
      expect(text).toContain(SEARCH);
    }
  });

  it('takes another note, or none, and does not repeat one that is there', async () => {
    const own = office(['ok'], { systemMessageSuffix: 'Search first.' });
    await ask(own.client.prompt('Hi'), mode);
    expect(own.model.prompts[0]?.systemMessage.text).toBe('Search first.');
    const there = office(['ok'], { systemMessageSuffix: 'Search first.' });
    await ask(there.client.prompt('Hi').system('Search first. Then act.'), mode);
    expect(there.model.prompts[0]?.systemMessage.text).toBe('Search first. Then act.');
    const none = office(['ok'], { systemMessageSuffix: '' });
    await ask(none.client.prompt('Hi'), mode);
    expect(none.model.prompts[0]?.systemMessages).toEqual([]);
  });

  it('caps what the model asks for, and takes a sensible number when it does not ask', async () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`mail${i}`, 'Sends mail']));
    const counts = async (options: { maxResults?: number; defaultResults?: number }, wanted?: number) => {
      const { client, model } = office(
        [search('mail', wanted === undefined ? {} : { maxResults: wanted }), 'ok'],
        options,
        [],
        many,
      );
      await ask(client.prompt('Mail'), mode);
      return JSON.parse(answersIn(model.prompts[1])[0] ?? '').length;
    };
    expect(await counts({})).toBe(5);
    expect(await counts({}, 2)).toBe(2);
    expect(await counts({}, 1000)).toBe(10);
    expect(await counts({ maxResults: 3 })).toBe(3);
    expect(await counts({ maxResults: 20, defaultResults: 7 })).toBe(7);
  });

  it('answers arguments that do not fit, so that the model can mend them', async () => {
    const { client, model } = office([search(' '), search('hotel', { maxResults: 0 }), search('hotel'), 'ok']);
    await ask(client.prompt('Hotel'), mode);
    expect(answersIn(model.prompts[1])[0]).toContain('query');
    expect(answersIn(model.prompts[2])[0]).toContain('maxResults');
    expect(answersIn(model.prompts[3])).toEqual(['["bookHotel"]']);
  });

  it('gives what the tools do beside their names where that is wanted', async () => {
    const { client, model, offered } = office([search('hotel'), 'ok'], { summaries: true });
    await ask(client.prompt('Hotel'), mode);
    expect(JSON.parse(answersIn(model.prompts[1])[0] ?? '')).toEqual([
      { name: 'bookHotel', description: 'Books a hotel room' },
    ]);
    expect(offered()[1]).toEqual([SEARCH, 'bookHotel']);
  });

  it('always offers some, in the order they were given, and a tool that is forced', async () => {
    const { client, offered } = office([use('currentTime'), search('email'), 'ok'], {
      alwaysOffer: ['currentTime', 'bookHotel', 'unknown'],
    });
    await ask(client.prompt('Hi').options({ toolChoice: { tool: 'searchFlights' } }), mode);
    const always = [SEARCH, 'bookHotel', 'searchFlights', 'currentTime'];
    expect(offered()).toEqual([always, always, [...always, 'sendEmail']]);
  });

  it('searches in one category where tools have categories', async () => {
    const { client, model } = office(
      [
        search('books finds sends', { categoryFilter: 'travel' }),
        search('email', { categoryFilter: 'travel' }),
        search('email', { categoryFilter: 'Travel' }),
        'ok',
      ],
      { categories: ({ definition: { name } }) => (/Hotel|Flights/.test(name) ? ['travel', 'booking'] : undefined) },
    );
    await ask(client.prompt('Hi'), mode);
    const schema = model.prompts[0]?.options.tools?.[0]?.definition.inputSchema;
    expect(schema).toMatchObject({ properties: { categoryFilter: { enum: ['booking', 'travel'] } } });
    expect(JSON.parse(answersIn(model.prompts[1])[0] ?? '').toSorted()).toEqual(['bookHotel', 'searchFlights']);
    expect(answersIn(model.prompts[2])[0]).toContain('without categoryFilter');
    expect(answersIn(model.prompts[3])[0]).toContain('categoryFilter');
  });

  it('takes categories from the metadata of tools', async () => {
    const model = new ScriptedChatModel([search('run', { categoryFilter: 'b' }), 'ok']);
    const made = (name: string, category: unknown) => {
      const callback = tool({ name, description: 'Can run', execute: () => 'x' });
      return { ...callback, metadata: { ...callback.metadata, category } };
    };
    const client = ChatClient.builder(model)
      .defaultTools(made('one', 'a'), made('two', ['b', 7]), made('three', 7))
      .defaultAdvisors(new ToolSearchToolCallingAdvisor())
      .build();
    await ask(client.prompt('Hi'), mode);
    expect(answersIn(model.prompts[1])).toEqual(['["two"]']);
  });

  it('offers few tools as they are, and asks without tools as if it were not there', async () => {
    const few = office([use('bookHotel'), 'ok'], { minTools: 5 });
    await ask(few.client.prompt('Hotel'), mode);
    expect(few.offered()).toEqual([Object.keys(OFFICE), Object.keys(OFFICE)]);
    expect(few.model.prompts[0]?.systemMessages).toEqual([]);
    const none = office(['ok'], {}, [], {});
    await ask(none.client.prompt('Hi'), mode);
    expect(none.offered()).toEqual([[]]);
    expect(none.model.prompts[0]?.systemMessages).toEqual([]);
  });

  it('finds tools that are only named, with a manager that knows them', async () => {
    const box = new Toolbox(OFFICE);
    const model = new ScriptedChatModel([search('hotel'), use('bookHotel'), 'ok']);
    const manager = new ToolCallingManager({ resolver: staticToolResolver(box.tools) });
    const client = ChatClient.builder(model).defaultAdvisors(new ToolSearchToolCallingAdvisor({ manager })).build();
    await ask(client.prompt('Hotel').toolNames('bookHotel', 'sendEmail'), mode);
    expect(model.prompts.map(namesOf)).toEqual([[SEARCH], [SEARCH, 'bookHotel'], [SEARCH, 'bookHotel']]);
    expect(box.ran).toEqual(['bookHotel']);
  });

  it('refuses names that nobody knows, and two tools of one name, as the tool loop does', async () => {
    const named = office(['never']);
    await expect(ask(named.client.prompt('Hi').toolNames('other'), mode)).rejects.toMatchObject({
      code: 'invalid_argument',
      subject: 'toolNames',
    });
    const [twice] = new Toolbox(OFFICE).tools;
    const doubling: AnyAdvisor = {
      name: 'doubling',
      order: HIGHEST_PRECEDENCE,
      adviseCall: (request, chain) => {
        const tools = [...(request.prompt.options.tools ?? []), ...(twice === undefined ? [] : [twice])];
        return chain.nextCall(withRequest(request, { prompt: request.prompt.withOptions({ tools }) }));
      },
    };
    const doubled = office(['never'], {}, [doubling]);
    await expect(ask(doubled.client.prompt('Hi'), mode)).rejects.toMatchObject({
      code: 'invalid_argument',
      subject: 'tools',
    });
  });

  it('hands its hooks the tools that are about to be offered, and keeps what they change', async () => {
    const extra = tool({ name: 'extra', execute: () => 'x' });
    const seen: string[][] = [];
    const { client, offered } = office([search('hotel'), search('email'), use('extra'), 'ok'], {
      beforeRound: ({ index, request }) => {
        seen.push(namesOf(request.prompt));
        const tools = request.prompt.options.tools ?? [];
        if (index === 0)
          return withRequest(request, { prompt: request.prompt.withOptions({ tools: [...tools, extra] }) });
        if (index > 1) return request;
        const fewer = tools.filter(({ definition }) => definition.name !== 'bookHotel');
        return withRequest(request, { prompt: request.prompt.withOptions({ tools: fewer }) });
      },
    });
    await ask(client.prompt('Hi'), mode);
    expect(seen[1]).toEqual([SEARCH, 'extra', 'bookHotel']);
    expect(offered()).toEqual([
      [SEARCH, 'extra'],
      [SEARCH, 'extra'],
      [SEARCH, 'extra', 'sendEmail'],
      [SEARCH, 'extra', 'sendEmail'],
    ]);
  });

  it('offers from the start what a request says was found, and ignores names it does not know', async () => {
    const { client, offered } = office([use('sendEmail'), 'ok']);
    const spec = client.prompt('Mail').advisors((a) => a.param(TOOL_SEARCH_FOUND, ['gone', 'sendEmail']));
    await ask(spec, mode);
    expect(offered()[0]).toEqual([SEARCH, 'sendEmail']);
    const wrong = client.prompt('Mail').advisors((a) => a.param<unknown>(TOOL_SEARCH_FOUND, 'sendEmail'));
    await expect(ask(wrong, mode)).rejects.toMatchObject({ code: 'invalid_argument', subject: TOOL_SEARCH_FOUND });
  });

  it('ignores names that an index makes up, and more than it was asked for', async () => {
    const index: ToolIndex = {
      index: async () => {},
      clear: async () => {},
      search: async () =>
        ['made-up', 'bookHotel', 'bookHotel', 'sendEmail', 'currentTime'].map((name) => ({ name, score: 1 })),
    };
    const { client, model } = office([search('x', { maxResults: 2 }), 'ok'], { index });
    await ask(client.prompt('Hi'), mode);
    expect(answersIn(model.prompts[1])).toEqual(['["bookHotel","sendEmail"]']);
  });

  it('tells the model when the index fails, without its words', async () => {
    const index: ToolIndex = {
      index: async () => {
        throw new Error('password=hunter2');
      },
      clear: async () => {},
      search: async () => [],
    };
    const { client, model } = office([search('x'), 'I could not search.'], { index });
    await ask(client.prompt('Hi'), mode);
    const [answer] = answersIn(model.prompts[1]);
    expect(answer).toContain(SEARCH);
    expect(answer).not.toContain('hunter2');
  });

  it('ends an aborted search with the request', async () => {
    const controller = new AbortController();
    const index: ToolIndex = {
      index: async () => {},
      clear: async () => {},
      search: (_, context) =>
        new Promise((_resolve, reject) => {
          context?.signal?.addEventListener('abort', () => reject(new Error('stopped')), { once: true });
          controller.abort();
        }),
    };
    const { client, model } = office([search('x'), 'never'], { index });
    await expect(ask(client.prompt('Hi').signal(controller.signal), mode)).rejects.toMatchObject({ code: 'aborted' });
    expect(model.prompts).toHaveLength(1);
  });

  it('is observed as a call of a tool', async () => {
    const registry = new RecordingObservationRegistry();
    const model = new ScriptedChatModel([search('hotel'), 'ok']);
    const client = ChatClient.builder(model, { observationRegistry: registry })
      .defaultTools(new Toolbox(OFFICE).tools)
      .defaultAdvisors(new ToolSearchToolCallingAdvisor())
      .build();
    await ask(client.prompt('Hotel'), mode);
    const tools = registry.observations.filter(({ kind }) => kind === 'tool');
    expect(tools).toHaveLength(1);
    expect(tools[0]).toMatchObject({ name: SEARCH, stopped: true });
  });

  it('refuses a tool of its own name', async () => {
    const { client } = office(['ok'], {}, [], { toolSearchTool: 'mine' });
    await expect(ask(client.prompt('Hi'), mode)).rejects.toMatchObject({
      code: 'invalid_argument',
      subject: 'toolName',
    });
    const other = office(
      [{ toolCalls: [{ name: 'find', arguments: { query: 'mine' } }] }, 'ok'],
      { toolName: 'find' },
      [],
      {
        toolSearchTool: 'mine',
      },
    );
    await ask(other.client.prompt('Hi'), mode);
    expect(other.offered()).toEqual([['find'], ['find', 'toolSearchTool']]);
  });
});

describe('options of ToolSearchToolCallingAdvisor', () => {
  it('takes the place of the tool loop in a client', () => {
    const advisor = new ToolSearchToolCallingAdvisor();
    expect([advisor.name, advisor.role]).toEqual(['ToolSearchToolCallingAdvisor', 'tool']);
    expect(() => ChatClient.builder(new ScriptedChatModel([]), { toolCallingAdvisor: advisor }).build()).not.toThrow();
  });

  it.each([
    [{ maxResults: 0 }, 'maxResults'],
    [{ maxResults: 1.5 }, 'maxResults'],
    [{ defaultResults: -1 }, 'defaultResults'],
    [{ defaultResults: 11 }, 'defaultResults'],
    [{ minTools: 0 }, 'minTools'],
    [{ toolName: ' ' }, 'toolName'],
    [{ toolDescription: '' }, 'toolDescription'],
    [{ alwaysOffer: [''] }, 'alwaysOffer'],
    [{ maxRounds: 0 }, 'maxRounds'],
    [{ order: Number.POSITIVE_INFINITY }, 'order'],
    [{ index: {} as KeywordToolIndex }, 'index'],
  ])('refuses %o', (options, subject) => {
    expect(() => new ToolSearchToolCallingAdvisor(options)).toThrow(
      expect.objectContaining({ code: 'invalid_argument', subject }),
    );
  });
});
