import type { McpServer } from '@modelcontextprotocol/server';

/** What the tools of a server noted, by its name. */
export interface Seen {
  [key: string]: unknown;
  onWaiting?: () => void;
  onCancelled?: () => void;
}

export function plainServer(seen?: Seen): McpServer;

export interface ServedHttp {
  readonly url: string;
  readonly port: number;
  readonly requests: readonly {
    readonly method: string;
    readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  }[];
  readonly sessions: ReadonlyMap<string, unknown>;
  forgetSessions(): void;
  close(): Promise<void>;
}

export function serveHttp(options?: {
  readonly port?: number;
  readonly seen?: Seen;
  readonly json?: boolean;
  readonly make?: () => McpServer;
}): Promise<ServedHttp>;
