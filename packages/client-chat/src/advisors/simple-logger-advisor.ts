import type { ChatResponse, Logger } from '@vernal/core';
import type { ChatClientRequest } from './advisor-request.js';
import type { AdvisorPlace } from './base-advisor.js';
import { BaseAdvisor } from './base-advisor.js';

/** Debug lines of request and response. Contents are left out unless `content` is true. Order 0, either scope. */
export declare class SimpleLoggerAdvisor extends BaseAdvisor {
  readonly name: string;
  constructor(
    options: AdvisorPlace & {
      readonly logger: Logger;
      readonly content?: boolean | undefined;
      readonly requestToString?: ((request: ChatClientRequest) => string) | undefined;
      readonly responseToString?: ((response: ChatResponse) => string) | undefined;
    },
  );
}
