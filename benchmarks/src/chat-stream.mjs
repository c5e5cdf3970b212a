// What a chunk costs on its way from the model to the loop, and what a stream costs before its first and after its last.
import { ChatClient } from '@vernal/client-chat';
import { compare, each, peer } from './measure.mjs';
import { aiModels, chunked, passAdvisors } from './models.mjs';

const drain = async (iterable, count) => {
  let chunks = 0;
  for await (const _ of iterable) chunks += 1;
  if (chunks < count) throw new Error(`only ${chunks} chunks`);
};

async function* words(count) {
  for (let i = 0; i < count; i += 1) yield 'word ';
}

const client = (count, advisors = []) =>
  ChatClient.builder(chunked(count))
    .defaultAdvisors(...advisors)
    .build();

/** By name, what makes a stream of `count` chunks. Clients are made beforehand: they are measured in the call. */
async function streams(sizes) {
  const made = (make) => new Map(sizes.map((size) => [size, make(size)]));
  const bare = made(client);
  const advised = made((size) => client(size, passAdvisors()));
  const from = (clients, count) => clients.get(count).prompt('Hello').stream();
  const found = {
    'floor: an async generator': words,
    'the model alone (makes its chunks)': (count) => chunked(count).stream(),
    'vernal content(), 0 advisors': (count) => from(bare, count).content(),
    'vernal content(), 3 advisors': (count) => from(advised, count).content(),
    'vernal chatResponse(), 0 advisors': (count) => from(bare, count).chatResponse(),
  };
  const langchain = await peer('@langchain/core/utils/testing');
  if (langchain) {
    const fakes = made((size) => new langchain.FakeListChatModel({ responses: ['w'.repeat(size)] }));
    found['langchain model.stream'] = (count) => fakes.get(count).stream('Hello');
  }
  const models = await aiModels();
  if (models) {
    const mocks = made(models.chunked);
    found['ai streamText'] = (count) => models.ai.streamText({ model: mocks.get(count), prompt: 'Hello' }).textStream;
  }
  return Object.entries(found);
}

export async function chatStream() {
  const chunks = 2000;
  const weighed = 250;
  const whole = await streams([chunks, weighed]);
  await compare(
    'Stream, per chunk',
    Object.fromEntries(whole.map(([name, open]) => [name, async (count) => drain(await open(count), count)])),
    { operations: chunks, weighed },
  );
  const single = await streams([1]);
  return compare(
    'Stream of one chunk, from the request to the end',
    Object.fromEntries(single.map(([name, open]) => [name, each(async () => drain(await open(1), 1))])),
    { operations: 500, weighed: 50 },
  );
}
