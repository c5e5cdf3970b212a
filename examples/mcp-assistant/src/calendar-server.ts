import { type McpServer, McpTool, mcpServer } from '@vernal/mcp';
import { z } from 'zod';

const Trip = z.object({ title: z.string(), day: z.string().describe('Such as 2026-05-01') });

/** A calendar that forgets everything with its process. */
class Calendar {
  readonly #trips: z.infer<typeof Trip>[] = [];

  @McpTool({ description: 'Trips of a day', input: Trip.pick({ day: true }), annotations: { readOnlyHint: true } })
  list({ day }: { day: string }): string {
    const trips = this.#trips.filter((trip) => trip.day === day);
    return trips.length === 0 ? 'nothing' : trips.map(({ title }) => title).join(', ');
  }

  @McpTool({ description: 'Puts a trip into the calendar', input: Trip, annotations: { destructiveHint: false } })
  add(trip: z.infer<typeof Trip>): string {
    return `number ${this.#trips.push(trip)}`;
  }
}

export function calendarServer(): McpServer {
  return mcpServer({ name: 'calendar', components: [new Calendar()] });
}
