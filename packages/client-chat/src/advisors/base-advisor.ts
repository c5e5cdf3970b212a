import type {
  AdvisorChain,
  AdvisorScope,
  CallAdvisor,
  CallAdvisorChain,
  StreamAdvisor,
  StreamAdvisorChain,
} from './advisor.js';
import type { ChatClientRequest, ChatClientResponse } from './advisor-request.js';

/** Once before, once after, the same for call and stream. */
export declare abstract class BaseAdvisor implements CallAdvisor, StreamAdvisor {
  abstract readonly name: string;
  /** Default 0. */
  readonly order: number;
  readonly scope?: AdvisorScope | undefined;
  readonly role?: 'tool' | 'memory' | undefined;
  constructor(options?: { readonly order?: number | undefined; readonly scope?: AdvisorScope | undefined });
  before(request: ChatClientRequest, chain: AdvisorChain): ChatClientRequest | Promise<ChatClientRequest>;
  /**
   * On a stream: the folded response, once, at the end. What it adds to context and metadata goes out in one last chunk without
   * text; changed text is an error there (`invalid_state`).
   */
  after(response: ChatClientResponse, chain: AdvisorChain): ChatClientResponse | Promise<ChatClientResponse>;
  adviseCall(request: ChatClientRequest, chain: CallAdvisorChain): Promise<ChatClientResponse>;
  adviseStream(request: ChatClientRequest, chain: StreamAdvisorChain): AsyncIterable<ChatClientResponse>;
}

export interface AdvisorPlace {
  readonly order?: number | undefined;
  readonly scope?: AdvisorScope | undefined;
}
