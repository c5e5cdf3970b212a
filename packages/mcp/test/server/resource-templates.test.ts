import { VernalError } from '@vernal/core';
import { mcpHttpHandler, mcpResource, mcpServer } from '@vernal/mcp';
import { afterEach, describe, expect, it } from 'vitest';
import { connectClient } from './connect-client.js';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function clientOf(uri: string): Promise<Awaited<ReturnType<typeof connectClient>>> {
  const server = mcpServer({ resources: [mcpResource({ uri, read: (variables) => variables })] });
  const client = await connectClient(mcpHttpHandler(server), 'legacy');
  open.push(
    () => server.close(),
    () => client.close(),
  );
  return client;
}

describe('templates', () => {
  it.each([
    'n://{a}{b}',
    'n://{a}{b}{c}',
    'n://{a*}{b*}',
    'n://{+a}{+b}',
    'n://{a}{#b}',
    'n://{a}-{b}-{c}-{d}-{e}',
    'n://{+a}/{+b}/{+c}/{+d}/{+e}',
  ])('that cannot be read back are refused: %s', (uri) => {
    expect(() => mcpResource({ uri, read: () => '' })).toThrow(
      expect.toSatisfy((error) => VernalError.is(error) && error.code === 'invalid_argument'),
    );
  });

  it.each([
    ['n://{a}/{b}', 'n://x/y%20z', { a: 'x', b: 'y z' }],
    ['n://{year}-{month}-{day}', 'n://2026-12-01', { year: '2026', month: '12', day: '01' }],
    ['n://{+path}.{kind}', 'n://a/b.c.md', { path: 'a/b.c', kind: 'md' }],
    ['n://x{/a}{/b}', 'n://x/1/2', { a: '1', b: '2' }],
    ['n://x{?a,b}{&c}', 'n://x?a=1&b=2&c=3', { a: '1', b: '2', c: '3' }],
  ])('%s takes %s apart', async (template, uri, variables) => {
    const client = await clientOf(template);
    const [content] = (await client.readResource({ uri })).contents;
    expect(JSON.parse(content !== undefined && 'text' in content ? content.text : '')).toEqual(variables);
  });

  it.each([
    ['n://{a}/{b}', `n://${'a'.repeat(9_000)}/x`],
    ['n://{a}-{b}', `n://${'-a'.repeat(2_000)}/`],
    ['n://{a}-{b}-{c}-{d}', `n://${'-a'.repeat(40)}/`],
    ['n://{a}-{b}-{c}-{d}', `n://${'-'.repeat(1_000_000)}`],
    ['n://{+a}/{+b}/{+c}', `n://${'/'.repeat(1_000_000)}\n`],
  ])('%s is not kept busy by a long address', async (template, uri) => {
    const client = await clientOf(template);
    await expect(client.readResource({ uri }, { timeout: 60_000 })).rejects.toMatchObject({ code: -32_602 });
  });
});
