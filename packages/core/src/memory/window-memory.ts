import { throwIfAborted } from '../context/abort-error.js';
import { type Logger, noopLogger } from '../logging/logger.js';
import type { Message, SystemMessage } from '../messages/message.js';
import { messageEquals } from '../messages/message-equals.js';
import type { ChatMemoryRepository } from './chat-memory-repository.js';
import { checkConversationId } from './conversation-id.js';

