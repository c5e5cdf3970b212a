// The adapter before a real model: llama.cpp's server. It takes half an hour to compile, so nobody has to have one: the address of a server
// that runs an instruct model is in VERNAL_LLAMA_URL (`llama-server -m MODEL.gguf --jinja`, then http://127.0.0.1:8080/v1).
import { ChatClient } from '@vernal/client-chat';
import { fold } from '@vernal/core';
import { OpenAiChatModel, openAiChatOptions } from '@vernal/model-openai';
import { describeChatModel, vitestRunner } from '@vernal/testing';
import * as vitest from 'vitest';
import { z } from 'zod';

const { expect, it } = vitest;
const url = process.env['VERNAL_LLAMA_URL'];
// Without its cache of prompts, which makes the second of two equal requests report other counters.
const extra = { cache_prompt: false };
const options = openAiChatOptions({ model: 'any', temperature: 0, seed: 1, maxTokens: 64, extra });
const model = new OpenAiChatModel({ baseURL: url ?? 'http://127.0.0.1:1/v1', defaultOptions: options });

if (url === undefined) it.skip('VERNAL_LLAMA_URL is not set: the OpenAI model on llama.cpp');
else {
  describeChatModel('openai on llama.cpp', ({ capabilities }) => ({ subject: model.with({ capabilities }) }), {
    runner: vitestRunner(vitest),
    live: () => ({ subject: model }),
    deviations: process.env['VERNAL_LLAMA_TOOLS']
      ? []
      : [
          {
            case: 'chat.live.tools',
            reason: 'models this small call no tools (VERNAL_LLAMA_TOOLS says that one does)',
          },
        ],
  });

  it('llama.cpp: a stream folds to what a call gives', async () => {
    const client = ChatClient.create(model);
    const prompt = client.prompt('What is the capital of France? Answer in one sentence.');
    const called = await prompt.call().chatResponse();
    const streamed = await fold(prompt.stream().chatResponse());
    expect(streamed.results.map(({ output, metadata }) => [output, metadata])).toEqual(
      called.results.map(({ output, metadata }) => [output, metadata]),
    );
    expect(streamed.metadata.usage.totalTokens).toBe(called.metadata.usage.totalTokens);
  });

  it('llama.cpp: native structured output obeys the schema', async () => {
    const Person = z.object({ name: z.string(), age: z.int() });
    const asked = ChatClient.create(model).prompt('Tom is 33 years old. Give his name and age.');
    expect(await asked.call().entity(Person, { native: true })).toEqual({ name: 'Tom', age: 33 });
    expect(await asked.stream().entity(Person, { native: true }).result()).toEqual({ name: 'Tom', age: 33 });
  });
}
