import { OllamaChatModel } from '@vernal/model-ollama';
import { describeChatModel, vitestRunner } from '@vernal/testing';
import { ollamaChatWire } from '@vernal/testing/wires';
import * as vitest from 'vitest';

describeChatModel(
  'ollama',
  ({ baseURL, capabilities }) => ({
    subject: new OllamaChatModel({ baseURL, capabilities, defaultOptions: { model: 'llama3.2' } }),
  }),
  { runner: vitestRunner(vitest), wire: ollamaChatWire },
);
