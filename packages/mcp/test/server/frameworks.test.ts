import 'reflect-metadata';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { type McpHttpOptions, type McpServer, mcpHttpHandler } from '@vernal/mcp';
import { mcpFastify, mcpNest, mcpNodeHandler, serveMcpHttp } from '@vernal/mcp/node';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { afterEach, describe, expect, it } from 'vitest';
import { newClient } from './connect-client.js';
import { notesServer } from './notes-server.js';

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

const OPTIONS: McpHttpOptions = { path: '/mcp', sse: true };

const OF_ITS_OWN = 'a server of its own';

/** Address of an application that has the server at /mcp, and a page of its own at /own. */
const FRAMEWORKS: Readonly<Record<string, (server: McpServer) => Promise<URL>>> = {
  [OF_ITS_OWN]: async (server) => {
    const listening = await serveMcpHttp(server, OPTIONS);
    open.push(() => listening.close());
    return listening.url;
  },
  'node:http': async (server) => {
    const handler = mcpNodeHandler(server, OPTIONS);
    return listen(
      createServer((request, response) =>
        handler(request, response, () => {
          response.end('own');
        }),
      ),
    );
  },
  'Express, at its root, behind a body parser': async (server) => {
    const app = express();
    app.use(express.json());
    app.use(mcpNodeHandler(server, OPTIONS));
    app.get('/own', (_, response) => void response.send('own'));
    return listen(createServer(app));
  },
  'Express, at a path, before a body parser': async (server) => {
    const app = express();
    const handler = mcpNodeHandler(server, OPTIONS);
    app.use('/mcp', handler);
    app.use('/sse', handler);
    app.get('/own', (_, response) => void response.send('own'));
    return listen(createServer(app));
  },
  Fastify: async (server) => {
    // The client may hold a connection that it never used, which neither side calls idle.
    const app = fastify({ forceCloseConnections: true });
    await app.register(mcpFastify(server, OPTIONS));
    app.get('/own', () => 'own');
    open.push(() => app.close());
    await app.listen({ port: 0, host: '127.0.0.1' });
    return new URL('/mcp', `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`);
  },
  Hono: async (server) => {
    const app = new Hono();
    const handler = mcpHttpHandler(server, { sse: true });
    for (const path of ['/mcp', '/sse', '/mcp/message']) app.all(path, (context) => handler.fetch(context.req.raw));
    app.get('/own', (context) => context.text('own'));
    const listening = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server;
    await new Promise((resolve) => listening.once('listening', resolve));
    open.push(() => closed(listening));
    return new URL('/mcp', `http://127.0.0.1:${(listening.address() as AddressInfo).port}`);
  },
  'NestJS on Express': (server) => nest(server, new ExpressAdapter()),
  'NestJS on Fastify': (server) => nest(server, new FastifyAdapter({ forceCloseConnections: true })),
};

async function nest(server: McpServer, adapter: ExpressAdapter | FastifyAdapter): Promise<URL> {
  class AppModule {}
  Module({ imports: [mcpNest(server, OPTIONS)] })(AppModule);
  const app = await NestFactory.create(AppModule, adapter, { logger: false });
  app.getHttpAdapter().get('/own', (_: unknown, response: { send(text: string): void }) => response.send('own'));
  open.push(() => app.close());
  await app.listen(0, '127.0.0.1');
  return new URL('/mcp', `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`);
}

async function listen(server: Server): Promise<URL> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(() => closed(server));
  return new URL('/mcp', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

const CALL = { name: 'countNotes', arguments: { folder: 'shopping' } };

describe.each(Object.entries(FRAMEWORKS))('%s', (name, start) => {
  it('serves clients of both protocols, of the first SDK and of the deprecated transport', async () => {
    const server = notesServer();
    open.push(() => server.close());
    const url = await start(server);

    for (const era of ['legacy', 'modern'] as const) {
      const client = newClient(era);
      await client.connect(new StreamableHTTPClientTransport(url));
      expect((await client.callTool(CALL)).structuredContent).toEqual({ count: 2 });
      const deployed = await client.callTool({ name: 'deploy', arguments: { to: 'prod' } });
      expect(deployed.content).toMatchObject([{ text: 'Deployed to prod: because (file:///work)' }]);
      await client.close();
    }
    for (const transport of [new FirstTransport(url), new SSEClientTransport(new URL('/sse', url))]) {
      const client = new FirstClient({ name: 'first', version: '1.0.0' });
      // Its own type says of optional members what `exactOptionalPropertyTypes` does not take.
      await client.connect(transport as Parameters<FirstClient['connect']>[0]);
      expect((await client.listTools()).tools).toHaveLength(6);
      expect(await client.callTool(CALL)).toMatchObject({ structuredContent: { count: 2 } });
      await client.close();
    }
    const own = await fetch(new URL('/own', url));
    expect(await own.text()).toContain(name === OF_ITS_OWN ? 'Not found' : 'own');
    const evil = await fetch(url, { method: 'POST', headers: { origin: 'https://evil.example.com' }, body: '{}' });
    expect(evil.status).toBe(403);
  }, 60_000);
});
