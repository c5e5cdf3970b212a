import type { Observation, ObservationRegistry, ObservationStart } from '@vernal/core';
import { type McpServer, mcpServer, mcpTool } from '@vernal/mcp';
import { expect, it } from 'vitest';
import { connectClient, handlerOf } from './connect-client.js';

interface Seen {
  readonly start: ObservationStart;
  readonly errors: unknown[];
  readonly data: Record<string, unknown>;
  stopped: number;
}

function recording(seen: Seen[], content = false): ObservationRegistry {
  return {
    enabled: true,
    content,
    start(start) {
      const entry: Seen = { start, errors: [], data: { ...start.data }, stopped: 0 };
      seen.push(entry);
      const observation: Observation = {
        kind: start.kind,
        add: (data) => void Object.assign(entry.data, data),
        event: () => {},
        error: (error) => void entry.errors.push(error),
        stop: () => {
          entry.stopped += 1;
        },
        run: (fn) => fn(),
      };
      return observation;
    },
  };
}

it('each request is observed as part of the client’s trace, and the tool is given it to go on', async () => {
  const seen: Seen[] = [];
  let inside: Observation | undefined;
  const server: McpServer = mcpServer({
    name: 'observed',
    observationRegistry: recording(seen),
    tools: [
      mcpTool({
        name: 'look',
        execute: (_, { observation }) => {
          inside = observation;
          return 'ok';
        },
      }),
      mcpTool({
        name: 'fail',
        execute: () => {
          throw new Error('no');
        },
      }),
    ],
  });
  const client = await connectClient(handlerOf(server), 'legacy');
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  await client.callTool({ name: 'look', _meta: { traceparent, tracestate: 'a=1' } });
  await client.callTool({ name: 'fail' });
  await client.callTool({ name: 'gone' }).catch(() => {});
  await client.close();
  await server.close();

  const [look, fail, gone] = seen;
  expect(look?.start).toMatchObject({
    kind: 'mcp',
    name: 'tools/call look',
    remoteParent: { traceparent, tracestate: 'a=1' },
    data: { side: 'server', method: 'tools/call', server: 'observed', target: 'look', protocolVersion: '2025-11-25' },
  });
  expect(look?.start.data['sessionId']).toEqual(expect.any(String));
  expect(inside?.kind).toBe('mcp');
  expect(look?.errors).toEqual([]);
  expect(fail?.start.remoteParent).toBeUndefined();
  expect(fail?.errors).toHaveLength(1);
  expect(gone?.data['errorCode']).toBe(-32_602);
  expect(seen.map(({ stopped }) => stopped)).toEqual([1, 1, 1]);
});
