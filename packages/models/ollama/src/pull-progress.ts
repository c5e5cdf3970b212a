import { abortError, ModelError } from '@vernal/core';
import { modelErrorFrom, RequestTimeout, readAnswer, reportedCount, streamInterrupted } from '@vernal/core/adapter';
import { defined, fieldsOf, reportedText } from './answer-shape.js';
import { jsonLines } from './json-lines.js';
import { OLLAMA, type OllamaConnection, requestOllama } from './ollama-connection.js';
import { ReportedError, throwReported } from './reported-error.js';

/** How far a pull is. Source: https://docs.ollama.com/api/pull */
export interface OllamaPullProgress {
  readonly model: string;
  /** 'pulling manifest', 'pulling 8934d96d3f08', 'verifying sha256 digest', …; the last one is 'success'. */
  readonly status: string;
  /** Of the file that is being loaded, of which a model has several. */
  readonly digest?: string;
  readonly totalBytes?: number;
  readonly completedBytes?: number;
}

/** What a pull needs. */
export interface PullRequest {
  readonly model: string;
  readonly pullTimeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Pulls a model and tells how far it is. Ends after 'success'; leaving the loop closes the connection, which ends the pull. */
export async function* pullProgress(
  connection: OllamaConnection,
  { model, pullTimeoutMs, signal }: PullRequest,
): AsyncGenerator<OllamaPullProgress> {
  const timeout = new RequestTimeout(pullTimeoutMs, signal);
  const place = { ...OLLAMA, model, streaming: true, providerMessages: connection.providerMessages };
  let begun = false;
  try {
    const call = { method: 'POST', path: '/api/pull', body: { model, stream: true }, signal: timeout.signal } as const;
    const response = await timeout.within(requestOllama(connection, call));
    begun = true;
    for await (const line of jsonLines(timeout.chunks(response.body), place)) {
      const progress = readAnswer(place, () => progressOf(model, line));
      yield progress;
      if (progress.status === 'success') return;
    }
    throw streamInterrupted(place);
  } catch (error) {
    if (signal?.aborted) throw abortError(signal);
    if (timeout.late) throw silent(model);
    if (error instanceof ReportedError) throw pullFailed(error, model, connection.providerMessages ?? false);
    throw modelErrorFrom(error, { ...place, streaming: begun });
  } finally {
    timeout.stop();
  }
}

function progressOf(model: string, line: unknown): OllamaPullProgress {
  const event = fieldsOf(line);
  throwReported(event);
  const { status } = event;
  if (typeof status !== 'string') throw new TypeError('a status was expected');
  return {
    model,
    status,
    ...defined({
      digest: reportedText(event['digest']),
      totalBytes: reportedCount(event['total']),
      completedBytes: reportedCount(event['completed']),
    }),
  };
}

function silent(model: string): ModelError {
  return new ModelError(`Ollama had no news of the model it pulls: raise \`pullTimeoutMs\`, or try again`, {
    code: 'timeout',
    provider: OLLAMA.provider,
    subject: 'pullTimeoutMs',
    retryable: true,
    details: { model },
  });
}

/** The status was sent before the fault was known, so that the words are all there is. Without any, another try may help. */
function pullFailed(error: ReportedError, model: string, providerMessages: boolean): ModelError {
  const missing = /does not exist|not found/i.test(error.message);
  const fix = missing
    ? "the registry does not have it: check the model's name and tag"
    : 'check that the server reaches the registry and has room, and try again';
  const words = providerMessages && error.message !== '' ? ` (${error.message})` : '';
  return new ModelError(`Ollama could not pull the model: ${fix}${words}`, {
    code: missing ? 'model_not_found' : 'model_error',
    provider: OLLAMA.provider,
    subject: 'model',
    retryable: !missing,
    details: { model },
  });
}
