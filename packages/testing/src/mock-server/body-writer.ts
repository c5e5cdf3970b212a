import type { ServerResponse } from 'node:http';
import { joinBytes } from '@vernal/core';
import { cutBytes } from './cut-bytes.js';
import { waitAt } from './gate.js';
import type { BodyPart, ByteSplit, SseEvent } from './mock-reply.js';

const encoder = new TextEncoder();

function sseText({ event, id, data }: SseEvent): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  const lines = text.split('\n').map((line) => `data: ${line}\n`);
  return `${event === undefined ? '' : `event: ${event}\n`}${id === undefined ? '' : `id: ${id}\n`}${lines.join('')}\n`;
}

function bytesOf(part: string | Uint8Array | SseEvent): Uint8Array {
  if (typeof part === 'string') return encoder.encode(part);
  return part instanceof Uint8Array ? part : encoder.encode(sseText(part));
}

/** A turn of the event loop: lets the network take what was written, so that it arrives as a piece of its own. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Waits, but no longer than the response lives. */
async function whileOpen(response: ServerResponse, wait: Promise<void>): Promise<void> {
  if (response.destroyed) return;
  let onClose = (): void => {};
  const closed = new Promise<void>((resolve) => {
    onClose = resolve;
    response.once('close', onClose);
  });
  try {
    await Promise.race([wait, closed]);
  } finally {
    response.removeListener('close', onClose);
  }
}

async function write(response: ServerResponse, bytes: Uint8Array, split: ByteSplit | undefined): Promise<void> {
  for (const piece of cutBytes(bytes, split)) {
    if (response.destroyed) return;
    if (!response.write(piece)) {
      await whileOpen(response, new Promise((resolve) => response.once('drain', () => resolve())));
    }
    await turn();
  }
}

/** How a body is to end; 'gone' means that the client left first. */
export type BodyEnd = 'close' | 'cut' | 'reset' | 'hang' | 'gone';

/** Writes the parts one after the other. Splits count from the last instruction, over the parts between. */
export async function writeBody(
  response: ServerResponse,
  parts: readonly BodyPart[],
  split: ByteSplit | undefined,
): Promise<BodyEnd> {
  let pending: Uint8Array[] = [];
  const flush = async (): Promise<void> => {
    const bytes = joinBytes(pending);
    pending = [];
    await write(response, bytes, split);
  };
  for (const part of parts) {
    if (response.destroyed) return 'gone';
    if (typeof part === 'object' && 'hold' in part) {
      await flush();
      await whileOpen(response, waitAt(part.hold));
    } else if (typeof part === 'object' && 'end' in part) {
      await flush();
      return response.destroyed ? 'gone' : part.end;
    } else {
      pending.push(bytesOf(part));
      if (split === undefined) await flush();
    }
  }
  await flush();
  return response.destroyed ? 'gone' : 'close';
}
