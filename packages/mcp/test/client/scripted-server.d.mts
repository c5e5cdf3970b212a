import type { ServerResponse } from 'node:http';

export interface ScriptedRequest {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

export type ScriptedCase = 'hugeText' | 'endless' | 'odd' | 'badAnswers' | 'none';

export function answerOf(name: ScriptedCase, request: ScriptedRequest): object;

export function scriptedHttp(
  name: ScriptedCase,
  respond?: (request: ScriptedRequest, response: ServerResponse) => boolean | Promise<boolean>,
): Promise<{ readonly url: string; close(): Promise<void> }>;
