import type { Document } from '../documents/document.js';
import type { Message } from '../messages/message.js';
import type { Usage } from '../responses/usage.js';

/** Data of kind 'chat_model'. `inputMessages` and `outputMessages` only when the registry's `content` is true. */
export interface ChatModelObservationData {
  readonly provider: string;
  readonly stream: boolean;
  readonly requestModel?: string;
  readonly responseModel?: string;
  readonly responseId?: string;
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly maxTokens?: number;
  readonly frequencyPenalty?: number;
  readonly presencePenalty?: number;
  readonly stopSequences?: readonly string[];
  readonly toolNames?: readonly string[];
  /** One a generation; 'cancelled' for a stream that was left before its end. */
  readonly finishReasons?: readonly string[];
  /** What was counted until the end, or until the stream was left. */
  readonly usage?: Usage;
  readonly inputMessages?: readonly Message[];
  readonly outputMessages?: readonly Message[];
}

/** Data of kind 'chat_client'. */
export interface ChatClientObservationData {
  readonly stream: boolean;
  readonly advisors: readonly string[];
  readonly conversationId?: string;
  readonly toolNames?: readonly string[];
}

/** Data of kind 'advisor'. */
export interface AdvisorObservationData {
  readonly order: number;
  readonly scope?: 'turn' | 'round';
}

/** Data of kind 'tool'. `arguments` and `result` only when the registry's `content` is true. */
export interface ToolObservationData {
  readonly description: string;
  readonly toolCallId: string;
  readonly type: 'function';
  readonly arguments?: string;
  readonly result?: string;
}

/** Data of kind 'vector_store'. `query` and `filter` only when the registry's `content` is true. */
export interface VectorStoreObservationData {
  readonly system: string;
  readonly operation: 'add' | 'delete' | 'query';
  readonly collection?: string;
  readonly namespace?: string;
  readonly metric?: string;
  readonly dimensions?: number;
  readonly fieldName?: string;
  readonly topK?: number;
  readonly similarityThreshold?: number;
  /** Documents or ids written, or documents found. */
  readonly count?: number;
  readonly query?: string;
  readonly filter?: string;
}

/** Data of kind 'rag': one part of a retrieval pipeline at work. `query`, `queries` and `documents` only when the registry's `content` is true. */
export interface RagObservationData {
  readonly step: 'transform' | 'expand' | 'retrieve' | 'join' | 'post_process' | 'augment';
  /** Place of the part among those of its step, from 0. */
  readonly index: number;
  /** Queries that an expander made. */
  readonly queryCount?: number;
  /** Documents that the part was given. */
  readonly inputCount?: number;
  /** Documents that it gave. */
  readonly count?: number;
  /** The query that it was given. */
  readonly query?: string;
  /** What it made of the query. */
  readonly queries?: readonly string[];
  /** What it gave. */
  readonly documents?: readonly Document[];
}

/** Data of kind 'mcp': one request of the Model Context Protocol, at the side that sends it or at the one that answers. */
export interface McpObservationData {
  readonly side: 'client' | 'server';
  /** 'tools/call', 'resources/read' and so on. */
  readonly method: string;
  /** The connection's name at the client, the server's name at the server. */
  readonly server: string;
  readonly protocolVersion?: string;
  readonly sessionId?: string;
  /** The tool or the prompt that is asked for. */
  readonly target?: string;
  /** The resource's address; only when the registry's `content` is true. */
  readonly uri?: string;
  /** The number of a JSON-RPC error. */
  readonly errorCode?: number;
}
