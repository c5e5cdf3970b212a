// A service as NestJS has it: legacy decorators, emitted metadata, parameter properties. Its own tsconfig.

import { ChatClient } from '@vernal/client-chat';
import type { ChatModel, ToolContext } from '@vernal/core';
import { Tool, toolsFrom } from '@vernal/core';
import { z } from 'zod';

// What @nestjs/common declares.
declare function Injectable(): ClassDecorator;
declare function Inject(token: string): ParameterDecorator;

const Order = z.object({ id: z.string(), quantity: z.number().int().default(1) });

@Injectable()
export class Orders {
  readonly placed: string[] = [];

  @Tool({ description: 'Places an order', input: Order })
  async place(order: z.infer<typeof Order>, context: ToolContext): Promise<{ placed: string }> {
    context.signal.throwIfAborted();
    this.placed.push(order.id);
    return { placed: `${order.id} x ${order.quantity}` };
  }

  @Tool({ description: 'How many orders there are', name: 'orderCount', returnDirect: true })
  count(): number {
    return this.placed.length;
  }

  @Tool({ description: 'The shop' })
  static shop(): string {
    return 'Vernal';
  }

  // @ts-expect-error the method takes what the schema yields
  @Tool({ description: 'wrong', input: Order })
  wrong(order: { sku: string }): string {
    return order.sku;
  }
}

@Injectable()
export class Assistant {
  private readonly client: ChatClient;
  constructor(@Inject('ChatModel') model: ChatModel, private readonly orders: Orders) {
    this.client = ChatClient.builder(model).defaultSystem('You sell.').defaultTools(orders, toolsFrom(Orders)).build();
  }

  async ask(question: string, conversation: string): Promise<string> {
    const answer = await this.client.prompt(question).conversation(conversation).call().content();
    return `${answer} (${this.orders.placed.length})`;
  }
}
