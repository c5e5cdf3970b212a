import { JdbcChatMemoryRepository } from '@vernal/memory-jdbc';
import { startMockServer } from '@vernal/testing/mock-server';
import { openAiChatWire } from '@vernal/testing/wires';
import { describe, expect, it } from 'vitest';
import { run } from './run.js';
import { temporaryFolder } from './temporary-folder.js';

const openAi = (url: string): Record<string, string> => ({ OPENAI_API_KEY: 'sk-mine', OPENAI_BASE_URL: url });

describe('vernal chat --memory', () => {
  it('goes on with a conversation that an earlier one has kept, and with no other', async () => {
    await using folder = await temporaryFolder({});
    await using server = await startMockServer(
      ['Hello, Ann.', 'Hello.', 'You are Ann.'].map((text) => openAiChatWire.stream([text])),
    );
    const chat = (input: string, ...more: string[]) =>
      run(['chat', '--memory', 'chat.db', ...more], { cwd: folder.path, env: openAi(server.url), input });
    const first = await chat('I am Ann\n');
    expect([first.code, first.err]).toEqual([0, expect.stringContaining("Begins the conversation 'default'")]);
    expect((await chat('Hello\n', '--conversation', 'other')).err).toContain("Begins the conversation 'other'");
    const again = await chat('Who am I?\n');
    expect(again.err).toContain("Goes on with the conversation 'default', 2 messages");
    const sent = server.requests.map(({ json }) => openAiChatWire.request(json).messages.length);
    expect(sent).toEqual([1, 1, 3]);
    const url = `sqlite:${folder.path}/chat.db`;
    await using repository = new JdbcChatMemoryRepository({ url });
    expect((await repository.findByConversationId('default')).messages).toHaveLength(4);
  });

  it.each([
    [['--memory', 'ftp://x'], 'ftp:', 2],
    [['--memory', 'a.db', '--memory', 'b.db'], 'twice', 2],
    [['--conversation', 'c'], '--memory', 2],
    [['--memory', 'sqlite:no/such/folder/chat.db'], 'file', 1],
    [['--memory', 'postgres://ann:secret@127.0.0.1:1/x'], 'PostgreSQL cannot be asked', 1],
  ])('says before the first question what is wrong: %j', async (args, words, code) => {
    await using folder = await temporaryFolder({});
    const ended = await run(['chat', ...args], { cwd: folder.path, env: openAi('http://127.0.0.1:1'), input: 'q\n' });
    expect([ended.code, ended.err]).toEqual([code, expect.stringContaining(words)]);
    expect(ended.err + ended.out).not.toContain('secret');
  });
});
