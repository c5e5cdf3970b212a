// What a call costs over HTTP, through the official SDK: the SDK alone, Vernal around it, and both over kept connections.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { ChatClient } from '@vernal/client-chat';
import { OpenAiChatModel } from '@vernal/model-openai';
import { pooledFetch } from '@vernal/node';
import OpenAI from 'openai';
import { compare, peer } from './measure.mjs';

const messages = [{ role: 'user', content: 'Hello' }];

/** By hand: one request, its whole answer as text. */
const byHand = (agent, port) => (body) =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const sent = request({ port, host: '127.0.0.1', path: '/v1/chat/completions', method: 'POST', agent, headers });
    sent.on('error', reject);
    sent.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve(text));
    });
    sent.end(body);
  });

async function drain(iterable) {
  let chunks = 0;
  for await (const _ of iterable) chunks += 1;
  if (chunks < 100) throw new Error(`only ${chunks} chunks`);
}

function events(text) {
  let chunks = 0;
  for (const line of text.split('\n'))
    if (line.startsWith('data: {')) chunks += JSON.parse(line.slice(6)).choices.length;
  if (chunks < 100) throw new Error(`only ${chunks} chunks`);
}

/** `width` at the same time. */
const atOnce = (width, operation) => async (count) => {
  for (let i = 0; i < count; i += width) await Promise.all(Array.from({ length: width }, operation));
};

export async function httpCall() {
  const server = fork(fileURLToPath(new URL('./http-server.mjs', import.meta.url)));
  const [port] = await once(server, 'message');
  const agent = new Agent({ keepAlive: true });
  const pool = pooledFetch();
  try {
    const baseURL = `http://127.0.0.1:${port}/v1`;
    const post = byHand(agent, port);
    const sdk = new OpenAI({ apiKey: 'k', baseURL });
    const pooledSdk = new OpenAI({ apiKey: 'k', baseURL, fetch: pool });
    const vernal = ChatClient.create(new OpenAiChatModel({ baseURL, defaultOptions: { model: 'm' } }));
    const pooled = ChatClient.create(new OpenAiChatModel({ baseURL, fetch: pool, defaultOptions: { model: 'm' } }));
    const langchain = await peer('@langchain/openai');
    const chat = langchain && new langchain.ChatOpenAI({ model: 'm', apiKey: 'k', configuration: { baseURL } });
    const calls = {
      'floor: node:http by hand': async () => JSON.parse(await post(JSON.stringify({ model: 'm', messages }))),
      'openai, the SDK alone': () => sdk.chat.completions.create({ model: 'm', messages }),
      'openai with pooledFetch': () => pooledSdk.chat.completions.create({ model: 'm', messages }),
      vernal: () => vernal.prompt('Hello').call().content(),
      'vernal with pooledFetch': () => pooled.prompt('Hello').call().content(),
      ...(chat && { 'langchain ChatOpenAI': () => chat.invoke('Hello') }),
    };
    for (const width of [1, 64]) {
      const contestants = Object.entries(calls).map(([name, call]) => [name, atOnce(width, call)]);
      await compare(`HTTP call, ${width} at once`, Object.fromEntries(contestants), {
        operations: 192,
        rounds: 15,
        weighed: 0,
      });
    }
    const asked = { model: 'm', messages, stream: true, stream_options: { include_usage: true } };
    const streams = {
      'floor: node:http by hand': async () => events(await post(JSON.stringify(asked))),
      'openai, the SDK alone': async () => drain(await sdk.chat.completions.create(asked)),
      'openai with pooledFetch': async () => drain(await pooledSdk.chat.completions.create(asked)),
      vernal: () => drain(vernal.prompt('Hello').stream().content()),
      'vernal with pooledFetch': () => drain(pooled.prompt('Hello').stream().content()),
      ...(chat && { 'langchain ChatOpenAI': async () => drain(await chat.stream('Hello')) }),
    };
    for (const width of [1, 16]) {
      const contestants = Object.entries(streams).map(([name, stream]) => [name, atOnce(width, stream)]);
      await compare(`HTTP stream of 100 chunks, ${width} at once`, Object.fromEntries(contestants), {
        operations: 48,
        rounds: 15,
        weighed: 0,
      });
    }
  } finally {
    agent.destroy();
    await pool.close();
    server.disconnect();
  }
}
