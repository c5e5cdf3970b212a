import { runCli } from '@vernal/cli';
import { gate, startMockServer } from '@vernal/testing/mock-server';
import { openAiChatWire } from '@vernal/testing/wires';
import { describe, expect, it } from 'vitest';
import { type FakeIo, fakeIo } from './fake-io.js';
import { run } from './run.js';
import { temporaryFolder } from './temporary-folder.js';

const files = { 'a.md': '# Ferries\n\nThe ferry to Skerry sails at noon.' };
const [CTRL_C, CTRL_D, ENTER] = ['\u0003', '\u0004', '\r'];
const openAi = (url: string): Record<string, string> => ({ OPENAI_API_KEY: 'sk-mine', OPENAI_BASE_URL: url });

describe('a conversation in a pipe', () => {
  it('remembers what was said, and shows sources', async () => {
    await using folder = await temporaryFolder(files);
    await using server = await startMockServer([
      openAiChatWire.stream(['At noon [1].']),
      openAiChatWire.stream(['I said: at noon.']),
    ]);
    const { code, out } = await run(['chat', '--docs', '.'], {
      cwd: folder.path,
      env: openAi(server.url),
      input: 'When does it sail?\r\n\r\n  \nWhat did you say?\n/exit\nNot asked\n',
    });
    expect(code).toBe(0);
    expect(out).toMatch(/^At noon \[1\]\.\n\n\[1\] a\.md — Ferries\nI said: at noon\.\n/);
    const [first, second] = server.requests.map(({ json }) => openAiChatWire.request(json).messages);
    expect(first?.map(({ type }) => type)).toEqual(['system', 'user']);
    expect(second?.slice(1)).toMatchObject([
      { type: 'user', text: 'When does it sail?' },
      { type: 'assistant', text: 'At noon [1].' },
      { type: 'user', text: expect.stringContaining('What did you say?') },
    ]);
    server.assertComplete();
  });

  it('is JSON lines with --json, an answer for each question', async () => {
    await using folder = await temporaryFolder(files);
    const { json } = await run(['chat', '--json', '--model', 'local', '--docs', '.'], {
      cwd: folder.path,
      input: 'When does the ferry to Skerry sail?\nWho won the cup of 1974?',
    });
    expect(json.filter(({ type }) => type !== 'text')).toMatchObject([
      { type: 'ready', provider: 'local' },
      { type: 'answer', text: 'The ferry to Skerry sails at noon. [1]' },
      { type: 'answer', text: 'The documents do not say.' },
    ]);
  });

  it('goes on after a question that failed, and does not hide it from its exit code', async () => {
    await using folder = await temporaryFolder(files);
    await using server = await startMockServer([
      openAiChatWire.error('authentication'),
      openAiChatWire.stream(['At noon [1].']),
    ]);
    const options = { cwd: folder.path, env: openAi(server.url), input: 'When?\nWhen?\n' };
    const { code, out, err } = await run(['chat', '--docs', '.'], options);
    expect([code, out]).toEqual([1, 'At noon [1].\n\n[1] a.md — Ferries\n']);
    expect(err).toMatch(/\nThe key was refused by OpenAI \(401.*OPENAI_API_KEY, .*\.\n$/);
  });

  it('tells a failure in JSON too', async () => {
    await using server = await startMockServer([openAiChatWire.error('authentication')]);
    const options = { cwd: '/', env: openAi(server.url), input: 'When?\n' };
    const { code, json } = await run(['chat', '--json'], options);
    expect([code, json.at(-1)]).toEqual([
      1,
      { type: 'error', code: 'model_authentication', message: expect.stringContaining('OPENAI_API_KEY') },
    ]);
  });

  it('does not send a word that begins with a slash', async () => {
    await using folder = await temporaryFolder(files);
    await using server = await startMockServer([openAiChatWire.stream(['At noon [1].'])]);
    const options = { cwd: folder.path, env: openAi(server.url), input: '/help\nWhat is /help for?\n' };
    const { code, out, err } = await run(['chat', '--docs', '.'], options);
    expect([code, out]).toEqual([1, 'At noon [1].\n\n[1] a.md — Ferries\n']);
    expect(err).toMatch(/\nThere is no \/help; \/exit ends the conversation\.\n$/);
    server.assertComplete();
  });

  it('takes a question of any length', async () => {
    await using folder = await temporaryFolder(files);
    const { code, out } = await run(['chat', '--model', 'local', '--docs', '.'], {
      cwd: folder.path,
      input: `${'Well then, '.repeat(30_000)}when does the ferry to Skerry sail?`,
    });
    expect([code, out]).toEqual([0, expect.stringMatching(/sails at noon\. \[1\]\n/)]);
  });

  it('stops the answer at Ctrl-C, and answers the next question', async () => {
    await using folder = await temporaryFolder(files);
    const hold = gate();
    const { parts, ...head } = openAiChatWire.stream(['At noon, but only on days that are not windy [1].']);
    await using server = await startMockServer([
      { ...head, parts: [...parts.slice(0, 5), { hold }, ...parts.slice(5)] },
      openAiChatWire.stream(['Yes.']),
    ]);
    const io = fakeIo({ cwd: folder.path, env: openAi(server.url) });
    const code = runCli(['chat', '--json', '--docs', '.'], io);
    io.stdin.write('When does it sail?\nReally?\n');
    await hold.reached;
    await io.shown('noon');
    expect(io.interrupt()).toBe(true);
    await server.whenDropped(1);
    await io.shown('"type":"answer"');
    // Nothing is being answered now: Ctrl-C ends the conversation.
    expect(io.interrupt()).toBe(true);
    expect(await code).toBe(0);
    expect(io.json().filter(({ type }) => type !== 'text')).toMatchObject([
      { type: 'ready' },
      { type: 'stopped' },
      { type: 'answer', question: 'Really?', text: 'Yes.' },
    ]);
  });
});

describe('a conversation at a terminal', () => {
  /** Starts it and waits for its first prompt. */
  async function conversation(
    cwd: string,
    url: string,
  ): Promise<{ readonly io: FakeIo; readonly code: Promise<number> }> {
    const io = fakeIo({ cwd, env: openAi(url), terminal: true });
    const code = runCli(['chat', '--docs', '.'], io);
    await io.shown('> ');
    return { io, code };
  }

  it('greets, prompts, answers, and ends at /exit', async () => {
    await using folder = await temporaryFolder(files);
    await using server = await startMockServer([openAiChatWire.stream(['At noon [1].'])]);
    const { io, code } = await conversation(folder.path, server.url);
    expect(io.stdout.text).toContain('\nCtrl-C stops an answer; /exit, Ctrl-D, or Ctrl-C at an empty prompt ends');
    io.stdin.write(`When?${ENTER}`);
    await io.shown('[1] a.md — Ferries\n\n');
    io.stdin.write(`/exit${ENTER}`);
    expect(await code).toBe(0);
    expect(io.stdout.text).toContain('\r\nAt noon [1].\n\n[1] a.md — Ferries\n\n');
  });

  it.each([
    ['Ctrl-D', CTRL_D],
    ['Ctrl-C at an empty prompt', CTRL_C],
    ['Ctrl-C that drops what was typed, and another one', `Who ${CTRL_C}${CTRL_C}`],
  ])('ends at %s', async (_what, keys) => {
    await using folder = await temporaryFolder(files);
    await using server = await startMockServer([]);
    const { io, code } = await conversation(folder.path, server.url);
    io.stdin.write(keys);
    expect(await code).toBe(0);
    expect(io.stdout.text).toMatch(/\n$/);
    server.assertComplete();
  });

  it('drops a line at Ctrl-C and asks the next', async () => {
    await using folder = await temporaryFolder(files);
    await using server = await startMockServer([openAiChatWire.stream(['At noon [1].'])]);
    const { io, code } = await conversation(folder.path, server.url);
    io.stdin.write(`Who sai${CTRL_C}When?${ENTER}`);
    await io.shown('At noon');
    io.stdin.write(CTRL_D);
    expect(await code).toBe(0);
    const sent = openAiChatWire.request(server.requests[0]?.json).messages.at(-1);
    expect(JSON.stringify(sent)).toMatch(/Question: When\?"/);
  });

  it('stops the answer at Ctrl-C and not the program; what was typed meanwhile waits, unseen until then', async () => {
    await using folder = await temporaryFolder(files);
    const hold = gate();
    const { parts, ...head } = openAiChatWire.stream(['At noon, but only on days that are not windy [1].']);
    await using server = await startMockServer([
      { ...head, parts: [...parts.slice(0, 5), { hold }, ...parts.slice(5)] },
      openAiChatWire.stream(['Yes.']),
    ]);
    const { io, code } = await conversation(folder.path, server.url);
    io.stdin.write(`When?${ENTER}`);
    await hold.reached;
    await io.shown('noon');
    const before = io.stdout.text;
    io.stdin.write(`Sure?${ENTER}and th`);
    io.stdout.emit('resize');
    expect(io.stdout.text).toBe(before);
    io.stdin.write(CTRL_C);
    await server.whenDropped(1);
    await io.shown('Yes.');
    await io.shown('> and th');
    expect(io.stdout.text.slice(before.length)).toMatch(/^\n\(stopped\)\n\n> Sure\?\nYes\.\n/);
    io.stdin.write(CTRL_C + CTRL_C);
    expect(await code).toBe(0);
    const [, second] = server.requests.map(({ json }) => openAiChatWire.request(json).messages);
    expect(second?.map(({ type }) => type)).toEqual(['system', 'user', 'assistant', 'user']);
  });

  it('stays after a failure, with exit code 0 since somebody saw it', async () => {
    await using folder = await temporaryFolder(files);
    await using server = await startMockServer([openAiChatWire.error('authentication')]);
    const { io, code } = await conversation(folder.path, server.url);
    io.stdin.write(`When?${ENTER}`);
    await io.shown('> ', 2);
    expect(io.stderr.text).toContain('The key was refused by OpenAI');
    io.stdin.write(CTRL_D);
    expect(await code).toBe(0);
  });
});

describe('Ctrl-C outside of a conversation', () => {
  it('stops ask in the middle of its answer, with exit code 130', async () => {
    await using folder = await temporaryFolder(files);
    const hold = gate();
    const { parts, ...head } = openAiChatWire.stream(['At noon, but only on days that are not windy [1].']);
    await using server = await startMockServer([{ ...head, parts: [...parts.slice(0, 5), { hold }] }]);
    const io = fakeIo({ cwd: folder.path, env: openAi(server.url) });
    const code = runCli(['ask', '--docs', '.', 'When?'], io);
    await hold.reached;
    await io.shown('noon');
    io.interrupt();
    expect(await code).toBe(130);
    await server.whenDropped(1);
    expect(io.stderr.text).toMatch(/\nStopped\.\n$/);
  });

  it('stops chat while it still reads documents', async () => {
    await using folder = await temporaryFolder(files);
    const hold = gate();
    await using server = await startMockServer([{ json: {}, hold }]);
    const io = fakeIo({ cwd: folder.path, env: openAi(server.url) });
    const code = runCli(['chat', '--json', '--docs', '.', '--embedding-model', 'openai'], io);
    await hold.reached;
    io.interrupt();
    expect(await code).toBe(130);
    expect(io.json()).toEqual([{ type: 'error', code: 'aborted', message: 'Stopped.' }]);
  });

  it('goes on with a conversation after ask --chat, at a terminal only', async () => {
    await using folder = await temporaryFolder(files);
    const args = ['ask', '--model', 'local', '--docs', '.', '--chat', 'When does the ferry to Skerry sail?'];
    const { code, out } = await run(args, { cwd: folder.path, input: 'Not read\n' });
    expect([code, out]).toEqual([0, 'The ferry to Skerry sails at noon. [1]\n\n[1] a.md — Ferries\n']);
    const io = fakeIo({ cwd: folder.path, terminal: true });
    const second = runCli(args, io);
    await io.shown('> ');
    io.stdin.write(`Where does the ferry sail?${ENTER}`);
    await io.shown('sails at noon', 2);
    io.stdin.write(CTRL_D);
    expect(await second).toBe(0);
  });
});
