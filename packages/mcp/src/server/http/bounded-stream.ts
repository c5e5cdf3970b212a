/**
 * The same answer, whose stream of events breaks off when more than so many bytes wait for its reader: the SDK's streams hold whatever is
 * sent. One event may be larger. A client that was only slow comes back for the rest, where an event store has it.
 */
export function boundedStream(response: Response, maxBytes: number): Response {
  if (response.body === null || response.headers.get('content-type')?.startsWith('text/event-stream') !== true)
    return response;
  const reader = response.body.getReader();
  let open = true;
  const pump = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    try {
      for (;;) {
        const next = await reader.read();
        if (!open) return;
        if (next.done) return controller.close();
        if ((controller.desiredSize ?? 0) <= 0) {
          open = false;
          controller.error(new Error('The client reads too slowly'));
          return await reader.cancel();
        }
        controller.enqueue(next.value);
      }
    } catch (error) {
      if (open) controller.error(error);
    }
  };
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => void pump(controller),
      async cancel(reason) {
        open = false;
        await reader.cancel(reason);
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: maxBytes }),
  );
  return new Response(body, { status: response.status, headers: response.headers });
}
