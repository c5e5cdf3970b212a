import type {
  CallToolResult,
  CompleteRequestParams,
  CreateMessageRequestParams,
  ElicitRequestParams,
  ElicitResult,
  GetPromptResult,
  LoggingMessageNotificationParams,
  Progress,
  ReadResourceResult,
  Root,
} from '@modelcontextprotocol/client';

/** What a server wants of a model: messages, a system prompt, the most tokens, and wishes about the model. */
export type McpSamplingRequest = CreateMessageRequestParams;

/** What a server wants of the user: a form (`mode` 'form', the default) with `requestedSchema`, or that `url` is opened (`mode` 'url'). */
export type McpElicitationRequest = ElicitRequestParams;

/** What the user did: `accept` with the `content` of the form, `decline`, or `cancel`. */
export type McpElicitationAnswer = ElicitResult;

/** A line of a server's log: `level`, `data` of any kind, and the name of the `logger` where it has one. */
export type McpLogMessage = LoggingMessageNotificationParams;

/** How far a request is: `progress` grows; `total` and `message` where the server gives them. */
export type McpProgressUpdate = Progress;

/** What a tool answered, as it came over the wire; `toolResultOf` makes a result of ours of it. */
export type McpCallToolResult = CallToolResult;

/** A prompt with its arguments filled in; `promptMessages` makes messages of it. */
export type McpPromptResult = GetPromptResult;

/** The contents of a resource; `resourceDocuments` makes documents of it. */
export type McpResourceResult = ReadResourceResult;

/** A directory or file that a server may work with: a `file://` address, and a name for people. */
export type McpRoot = Root;

/** What is to be completed: an argument of a prompt (`ref/prompt`), or a variable of a template (`ref/resource`), and what was typed so far. */
export type McpCompletionRequest = CompleteRequestParams;
