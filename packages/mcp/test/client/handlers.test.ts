import { InMemoryTransport } from '@modelcontextprotocol/server';
import {
  chatModelSampling,
  connectMcp,
  McpConnection,
  type McpConnectionOptions,
  McpElicitation,
  type McpHandlerContext,
  McpLogging,
  McpProgress,
  McpResourceListChanged,
  McpSampling,
  type McpSamplingRequest,
  type McpToolDescription,
  McpToolListChanged,
} from '@vernal/mcp';
import { ScriptedChatModel } from '@vernal/testing';
import { expect, test } from 'vitest';
import { plainServer, type Seen } from './plain-server.mjs';

const LIMIT = 60_000;

/** A connection to a server in this process. */
async function connected(options: Partial<McpConnectionOptions> = {}, seen: Seen = {}): Promise<McpConnection> {
  return await connectMcp({
    name: 'plain',
    requestTimeoutMs: LIMIT,
    transport: {
      kind: 'in-process',
      async open() {
        const [ours, theirs] = InMemoryTransport.createLinkedPair();
        await plainServer(seen).connect(theirs);
        return ours;
      },
    },
    ...options,
  });
}

async function textOf(
  connection: McpConnection,
  tool: string,
  args: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const { content } = await connection.callTool(tool, args);
  return content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('');
}

test('sampling is answered by a chat model', async () => {
  const model = new ScriptedChatModel([{ text: 'Because of the sun.', finishReason: 'stop' }]);
  const asked: McpSamplingRequest[] = [];
  await using connection = await connected({
    handlers: {
      sampling: chatModelSampling(model, {
        maxTokens: 20,
        approve: (request) => {
          asked.push(request);
          return true;
        },
      }),
    },
  });
  expect(JSON.parse(await textOf(connection, 'ask-model', { prompt: 'Why blue?' }))).toMatchObject({
    role: 'assistant',
    stopReason: 'endTurn',
    content: { type: 'text', text: 'Because of the sun.' },
  });
  expect(model.prompts[0]?.messages).toMatchObject([
    { type: 'system', text: 'Be brief.' },
    { type: 'user', text: 'Why blue?' },
  ]);
  expect(model.prompts[0]?.options.maxTokens).toBe(20);
  expect(asked).toHaveLength(1);
});

test('sampling that the user refuses, or that nobody answers, is an error of the tool', async () => {
  const model = new ScriptedChatModel(['never']);
  await using refusing = await connected({
    handlers: { sampling: chatModelSampling(model, { approve: () => false }) },
  });
  expect(await textOf(refusing, 'ask-model', { prompt: 'x' })).toContain('User rejected sampling request');
  expect(model.prompts).toHaveLength(0);
  await using without = await connected();
  expect((await without.callTool('ask-model', { prompt: 'x' })).isError).toBe(true);
});

test('a server does not read what went wrong inside of a handler', async () => {
  await using connection = await connected({
    handlers: {
      sampling: () => {
        throw new Error('the key sk-123 was refused');
      },
    },
  });
  const text = await textOf(connection, 'ask-model', { prompt: 'x' });
  expect(text).toContain('could not answer');
  expect(text).not.toContain('sk-123');
});

test('an elicitation is checked against the form, and its defaults fill in', async () => {
  await using good = await connected({
    handlers: { elicitation: () => ({ action: 'accept', content: { size: 'A4' } }) },
  });
  expect(JSON.parse(await textOf(good, 'ask-user'))).toEqual({ action: 'accept', content: { size: 'A4', copies: 1 } });
  await using bad = await connected({
    handlers: { elicitation: () => ({ action: 'accept', content: { size: 'A3' } }) },
  });
  expect((await bad.callTool('ask-user')).isError).toBe(true);
  await using declined = await connected({ handlers: { elicitation: () => ({ action: 'decline' }) } });
  expect(JSON.parse(await textOf(declined, 'ask-user'))).toEqual({ action: 'decline' });
});

test('roots are told, and told again when they change', async () => {
  await using connection = await connected({ roots: [{ uri: 'file:///srv/a' }] });
  expect(await textOf(connection, 'ask-roots')).toBe('file:///srv/a');
  await connection.setRoots([{ uri: 'file:///srv/b' }, { uri: 'file:///srv/c' }]);
  expect(await textOf(connection, 'ask-roots')).toBe('file:///srv/b file:///srv/c');
  await expect(connection.setRoots([{ uri: 'https://example.com' }])).rejects.toMatchObject({
    code: 'invalid_argument',
  });
  await using none = await connected();
  expect((await none.callTool('ask-roots')).isError).toBe(true);
  await expect(none.setRoots([])).rejects.toMatchObject({ code: 'invalid_state' });
});

test('the log of the server, from a level on', async () => {
  const lines: unknown[] = [];
  await using connection = await connected({
    loggingLevel: 'warning',
    handlers: { logging: ({ level, logger, data }, { connection }) => lines.push({ level, logger, data, connection }) },
  });
  await connection.callTool('log');
  expect(lines).toEqual([{ level: 'warning', logger: 'printer', data: { paper: 'low' }, connection: 'plain' }]);
  await connection.setLoggingLevel('error');
  await connection.callTool('log');
  expect(lines).toHaveLength(1);
});

test('lists that change, and a resource that was subscribed to', async () => {
  const lists: string[][] = [];
  let toolsTold = (): void => {};
  const told = new Promise<void>((resolve) => {
    toolsTold = resolve;
  });
  let updated = (_uri: string): void => {};
  const update = new Promise<string>((resolve) => {
    updated = resolve;
  });
  let resourcesTold = (_count: number): void => {};
  const resources = new Promise<number>((resolve) => {
    resourcesTold = resolve;
  });
  const seen: Seen = {};
  await using connection = await connected(
    {
      handlers: {
        toolListChanged: (tools) => {
          lists.push(tools.map(({ name }) => name));
          if (tools.some(({ name }) => name === 'grown1')) toolsTold();
        },
        resourceListChanged: (items) => resourcesTold(items.length),
        resourceUpdated: (uri) => updated(uri),
      },
    },
    seen,
  );
  expect((await connection.listTools()).some(({ name }) => name === 'grown1')).toBe(false);
  await connection.callTool('grow');
  await told;
  expect((await connection.listTools()).some(({ name }) => name === 'grown1')).toBe(true);
  await connection.subscribeResource('mem://note');
  await connection.callTool('touch');
  expect(await update).toBe('mem://note');
  expect(await resources).toBe(1);
  await connection.unsubscribeResource('mem://note');
  expect(seen['unsubscribed']).toEqual(['mem://note']);
});

class Handlers {
  readonly heard: string[] = [];

  @McpLogging()
  log({ data }: { data?: unknown }, { connection }: McpHandlerContext): void {
    this.heard.push(`log ${connection} ${JSON.stringify(data)}`);
  }

  @McpLogging({ clients: 'other' })
  otherLog(): void {
    this.heard.push('log of another');
  }

  @McpSampling({ clients: ['plain'] })
  sample(request: McpSamplingRequest) {
    const [message] = request.messages;
    const text = `you said ${JSON.stringify(message?.content)}`;
    return { role: 'assistant' as const, model: 'parrot', content: { type: 'text' as const, text } };
  }

  @McpElicitation()
  async elicit() {
    return { action: 'accept' as const, content: { size: 'A5' } };
  }

  @McpProgress()
  progress({ progress }: { progress: number }, { tool }: McpHandlerContext & { readonly tool: string }): void {
    this.heard.push(`${tool} ${progress}`);
  }

  @McpToolListChanged()
  tools(tools: readonly McpToolDescription[]): void {
    this.heard.push(`tools ${tools.length > 5}`);
  }

  @McpResourceListChanged()
  #resources(): void {
    this.heard.push('resources');
  }

  /** Keeps the private one in use. */
  again(): void {
    this.#resources();
  }
}

test('decorated methods answer and listen, for the connections that they name', async () => {
  const handlers = new Handlers();
  await using connection = await connected({ handlers });
  expect(await textOf(connection, 'ask-model', { prompt: 'hi' })).toContain('you said');
  expect(JSON.parse(await textOf(connection, 'ask-user'))).toMatchObject({ content: { size: 'A5' } });
  await connection.callTool('log');
  await connection.callTool('steps');
  await connection.callTool('touch');
  await connection.callTool('grow');
  await expect.poll(() => handlers.heard.at(-1), { timeout: LIMIT }).toBe('tools true');
  await expect.poll(() => handlers.heard.includes('resources'), { timeout: LIMIT }).toBe(true);
  expect(handlers.heard.slice(0, 4)).toEqual(['log plain {"paper":"low"}', 'steps 1', 'steps 2', 'steps 3']);
  expect(handlers.heard).not.toContain('log of another');
});

class Louder extends Handlers {
  override elicit() {
    return Promise.resolve({ action: 'accept' as const, content: { size: 'A4' } });
  }
}

test('an override takes the place of what it overrides', async () => {
  await using connection = await connected({ handlers: new Louder() });
  expect(JSON.parse(await textOf(connection, 'ask-user'))).toMatchObject({ content: { size: 'A4' } });
});

test('two that would answer the same are refused, and so is what has no handler', () => {
  const transport = { kind: 'none', open: () => Promise.reject(new Error('never')) };
  const make = (handlers: NonNullable<McpConnectionOptions['handlers']>) => () =>
    new McpConnection({ name: 'plain', transport, handlers });
  expect(make([new Handlers(), new Handlers()])).toThrow(/two/);
  expect(make([new Handlers(), { elicitation: () => ({ action: 'cancel' }) }])).toThrow(/elicitation/);
  expect(make(new Date())).toThrow(/@McpLogging/);
  expect(make({ samplng: () => 1 })).toThrow(/samplng: is no handler/);
});

test('a listener that throws hurts nobody', async () => {
  const warnings: string[] = [];
  await using connection = await connected({
    logger: { debug() {}, info() {}, warn: (message) => warnings.push(message) },
    handlers: {
      logging: () => {
        throw new Error('mine');
      },
      progress: () => Promise.reject(new Error('mine too')),
    },
  });
  expect(await textOf(connection, 'log')).toBe('logged');
  expect(await textOf(connection, 'steps')).toBe('walked');
  await expect.poll(() => warnings.length, { timeout: LIMIT }).toBe(4);
});
