import {
  BaseEmbeddingModel,
  type BaseEmbeddingModelOptions,
  type EmbeddingModelRequest,
  type EmbeddingResponse,
  VernalError,
} from '@vernal/core';
import type OpenAI from 'openai';
import { type OpenAiConnection, openAiClient } from './open-ai-connection.js';
import { openAiError } from './open-ai-error.js';
import { requireKey } from './require-key.js';
