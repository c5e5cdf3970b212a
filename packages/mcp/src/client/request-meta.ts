import type { CallContext, McpObservationData, ObservationRegistry } from '@vernal/core';
import { type SafeObservation, startSafely, VernalError } from '@vernal/core';

/** Goes into `_meta` of a request. */
export type RequestMetaData = Readonly<Record<string, unknown>>;

/** Who asks for what. */
export interface ObservedRequest {
  readonly connection: string;
  readonly method: string;
  /** The tool or the prompt. */
  readonly target?: string | undefined;
  readonly uri?: string | undefined;
}

/** Nobody looks. */
const NOT_NOTED = (): void => {};

/** Runs a request as an observation of kind 'mcp', and hands it what to send along so that the server goes on with the trace. */
export function observed<T>(
  registry: ObservationRegistry,
  request: ObservedRequest,
  context: CallContext | undefined,
  run: RunRequest<T>,
): Promise<T> {
  if (!registry.enabled) return run(traceMeta(context?.observation), NOT_NOTED);
  return watched(registry, request, context, run);
}

type RunRequest<T> = (
  meta: RequestMetaData | undefined,
  add: (data: () => Partial<McpObservationData>) => void,
) => Promise<T>;

async function watched<T>(
  registry: ObservationRegistry,
  request: ObservedRequest,
  context: CallContext | undefined,
  run: RunRequest<T>,
): Promise<T> {
  const { connection, method, target, uri } = request;
  const data: McpObservationData = {
    side: 'client',
    method,
    server: connection,
    ...(target === undefined ? undefined : { target }),
    ...(uri === undefined || !registry.content ? undefined : { uri }),
  };
  const observation = startSafely(registry, () => ({
    kind: 'mcp',
    name: method,
    parent: context?.observation,
    data: { ...data },
  }));
  try {
    return await observation.run(() =>
      run(traceMeta(observation.observation), (more) => observation.add({ ...more() })),
    );
  } catch (error) {
    noteError(observation, error);
    throw error;
  } finally {
    observation.stop();
  }
}

function noteError(observation: SafeObservation, error: unknown): void {
  const errorCode = VernalError.is(error) ? error.details['errorCode'] : undefined;
  if (typeof errorCode === 'number') observation.add({ errorCode });
  observation.error(error);
}

/** As OpenTelemetry and the protocol have it: `traceparent` and `tracestate` without a prefix. */
function traceMeta(observation: CallContext['observation']): RequestMetaData | undefined {
  if (observation?.traceContext === undefined) return undefined;
  try {
    const { traceparent, tracestate } = observation.traceContext() ?? {};
    if (traceparent === undefined) return undefined;
    return tracestate === undefined ? { traceparent } : { traceparent, tracestate };
  } catch {
    // An observer that fails is no reason for the request to fail.
    return undefined;
  }
}
