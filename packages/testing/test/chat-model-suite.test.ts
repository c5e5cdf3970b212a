import { describeChatModel, ScriptedChatModel, vitestRunner } from '@vernal/testing';
import { ollamaChatWire } from '@vernal/testing/wires';
import * as vitest from 'vitest';
import { ReferenceModel } from './reference-model.js';

const runner = vitestRunner(vitest);
const steps = Array.from({ length: 40 }, () => ({
  text: 'Always the same',
  usage: { promptTokens: 1, completionTokens: 3 },
}));

describeChatModel(
  'ScriptedChatModel',
  ({ capabilities }) => ({ subject: new ScriptedChatModel(steps, { capabilities }) }),
  { runner },
);

describeChatModel(
  'a client over HTTP',
  ({ baseURL, capabilities }) => ({ subject: new ReferenceModel(baseURL, capabilities) }),
  { runner, wire: ollamaChatWire },
);
