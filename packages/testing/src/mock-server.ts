/** The entry point `@vernal/testing/mock-server`: a provider's server over real HTTP on 127.0.0.1, for tests on Node. */
export type { Gate } from './mock-server/gate.js';
export { gate } from './mock-server/gate.js';
export type {
  BodyPart,
  ByteSplit,
  DropReply,
  JsonReply,
  MockExchange,
  MockReply,
  MockRequest,
  PartsReply,
  SseEvent,
} from './mock-server/mock-reply.js';
export type { MockServer } from './mock-server/mock-server.js';
export { startMockServer } from './mock-server/mock-server.js';
