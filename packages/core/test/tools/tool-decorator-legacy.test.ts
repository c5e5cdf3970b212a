import { Tool, toolsFrom } from '@vernal/core';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

/** A class as a NestJS application writes it, compiled with the legacy dialect. */
const source = `
class Orders {
  placed = [];
  constructor(shop) { this.shop = shop; }

  @Tool({ description: 'Places an order', input: z.object({ id: z.string(), quantity: z.number().default(1) }) })
  async place(order, context) {
    this.placed.push(order.id);
    return { placed: order.id + ' x ' + order.quantity, by: this.shop, call: context.toolCallId };
  }

  @Tool({ name: 'orderCount', returnDirect: true })
  count() { return this.placed.length; }

  @Tool({ description: 'The shop' })
  static shop() { return 'of ' + this.name; }
}
class MoreOrders extends Orders {
  count() { return 100 + super.count(); }
  @Tool({})
  cancel() { return 'cancelled'; }
}
export { Orders, MoreOrders };
`;

interface OrdersClass {
  new (shop: string): { readonly placed: string[] };
}

function compileLegacy(): { readonly Orders: OrdersClass; readonly MoreOrders: OrdersClass } {
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.CommonJS,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
    },
  });
  const module = { exports: {} as { Orders: OrdersClass; MoreOrders: OrdersClass } };
  new Function('exports', 'Tool', 'z', outputText)(module.exports, Tool, z);
  return module.exports;
}

describe('@Tool under experimentalDecorators', () => {
  const { Orders, MoreOrders } = compileLegacy();
  const context = { values: {}, signal: AbortSignal.abort(), toolCallId: 'c1', messages: [] };

  it('finds and calls instance methods', async () => {
    const orders = new Orders('Vernal');
    const [place, count, ...rest] = toolsFrom(orders);
    expect(rest).toEqual([]);
    expect(place?.definition).toMatchObject({
      name: 'place',
      description: 'Places an order',
      inputSchema: { required: ['id'] },
    });
    expect(await place?.call('{"id":"a7"}', context)).toBe('{"placed":"a7 x 1","by":"Vernal","call":"c1"}');
    expect(orders.placed).toEqual(['a7']);
    expect(count?.definition.name).toBe('orderCount');
    expect(count?.metadata.returnDirect).toBe(true);
    expect(await count?.call('')).toBe('1');
  });

  it('finds static methods on the class', async () => {
    const [shop, ...rest] = toolsFrom(Orders);
    expect(rest).toEqual([]);
    expect(await shop?.call('')).toBe('of Orders');
  });

  it('inherits, and calls overrides', async () => {
    const tools = toolsFrom(new MoreOrders('x'));
    expect(tools.map(({ definition }) => definition.name)).toEqual(['place', 'orderCount', 'cancel']);
    expect(await tools[1]?.call('')).toBe('100');
    expect(await toolsFrom(MoreOrders)[0]?.call('')).toBe('of MoreOrders');
  });

  it('leaves the base class alone', () => {
    expect(toolsFrom(new Orders('x'))).toHaveLength(2);
  });
});
