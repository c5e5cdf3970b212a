import { noRetry } from '@vernal/core';
import { AnthropicChatModel } from '@vernal/model-anthropic';
import { describeChatModel, vitestRunner } from '@vernal/testing';
import { anthropicMessagesWire } from '@vernal/testing/wires';
import * as vitest from 'vitest';

describeChatModel(
  'anthropic',
  ({ baseURL, capabilities }) => ({
    subject: new AnthropicChatModel({ baseURL, apiKey: 'test', maxRetries: 0, retry: noRetry, capabilities }),
  }),
  { runner: vitestRunner(vitest), wire: anthropicMessagesWire },
);
