import { ChatClient } from '@vernal/client-chat';
import type { ObservationStart } from '@vernal/core';
import { connectMcp, mcpServer, mcpTool, mcpTools, streamableHttpTransport } from '@vernal/mcp';
import { serveMcpHttp } from '@vernal/mcp/node';
import { RecordingObservationRegistry, ScriptedChatModel } from '@vernal/testing';
import { expect, it } from 'vitest';

const TRACE = 'a'.repeat(32);

/** Gives each observation a place in one trace, as a tracer would. */
class Traced extends RecordingObservationRegistry {
  readonly places = new Map<string, string>();
  readonly remotes: unknown[] = [];

  override start(start: ObservationStart) {
    const observation = super.start(start);
    const traceparent = `00-${TRACE}-${String(this.observations.length).padStart(16, '0')}-01`;
    this.places.set(traceparent, `${start.kind} ${start.name}`);
    if (start.remoteParent !== undefined) this.remotes.push(start.remoteParent);
    return Object.assign(observation, { traceContext: () => ({ traceparent }) });
  }
}

it.each(['legacy', { pin: '2026-07-28' }] as const)(
  'a trace goes from the chat by the tool and the request to the server and its tool (%j)',
  async (protocol) => {
    const [here, there] = [new Traced(), new Traced()];
    let inside: string | undefined;
    const look = mcpTool({
      name: 'look',
      execute: (_, { observation }) => {
        inside = observation?.kind;
        return 'a cat';
      },
    });
    const served = await serveMcpHttp(mcpServer({ name: 'eyes', tools: [look], observationRegistry: there }));
    const eyes = await connectMcp({
      name: 'eyes',
      transport: streamableHttpTransport(served.url),
      protocol,
      observationRegistry: here,
    });
    const call = { id: '1', name: 'eyes_look', arguments: '{}' };
    const client = ChatClient.builder(new ScriptedChatModel([{ toolCalls: [call] }, 'A cat.']), {
      observationRegistry: here,
    })
      .defaultTools(mcpTools(eyes))
      .build();
    expect(await client.prompt('What is there?').call().content()).toBe('A cat.');
    await eyes.close();
    await served.close();

    const request = here.observations.find(({ kind, name }) => kind === 'mcp' && name === 'tools/call');
    const above: string[] = [];
    for (let at = request; at !== undefined; at = at.parent) above.push(at.kind);
    expect(above.slice(0, 2)).toEqual(['mcp', 'tool']);
    expect(above.at(-1)).toBe('chat_client');
    const called = there.observations.filter(({ name }) => name === 'tools/call look');
    expect(called).toHaveLength(1);
    const parents = there.remotes.map((remote) => here.places.get(String(Reflect.get(Object(remote), 'traceparent'))));
    expect(parents).toContain('mcp tools/call');
    expect(inside).toBe('mcp');
    here.assertAllStopped();
    there.assertAllStopped();
  },
);
