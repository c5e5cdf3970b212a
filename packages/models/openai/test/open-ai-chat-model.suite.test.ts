import { noRetry } from '@vernal/core';
import { OpenAiChatModel } from '@vernal/model-openai';
import { describeChatModel, vitestRunner } from '@vernal/testing';
import { openAiChatWire } from '@vernal/testing/wires';
import * as vitest from 'vitest';

describeChatModel(
  'openai',
  ({ baseURL, capabilities }) => ({
    subject: new OpenAiChatModel({
      baseURL: `${baseURL}/v1`,
      apiKey: 'test',
      maxRetries: 0,
      retry: noRetry,
      capabilities,
    }),
  }),
  { runner: vitestRunner(vitest), wire: openAiChatWire },
);
