import type { Message } from './message.js';

/** Equal by value, key order aside; media compare by content. */
export declare function messageEquals(a: Message, b: Message): boolean;
