import type { ChatResponse } from '@vernal/core';
import { fold, VernalError } from '@vernal/core';
import type { AdvisorContext, ChatClientResponse } from '../advisors/advisor-request.js';
import { AskReading, type Source } from './ask-reading.js';
import { restOf } from './closing-chunk.js';
import { type Ask, StreamRun } from './stream-run.js';
import { turnLogOf } from './turn-log.js';

/**
 * The one loop that streams. `advise` waits for whole answers, as in a call; what it asks for is opened by `open`, handed out chunk by
 * chunk, folded, and given to it. Chunks cross this one hop, however many advisors there are. The last chunk brings what did not go
 * out yet, and the turn.
 *
 * A consumer that leaves, or throws, ends the source first and then waits for the advisors to tidy up.
 */
export async function* driveStream(
  advise: (run: StreamRun) => Promise<ChatClientResponse>,
  open: (ask: Ask) => Source,
): AsyncGenerator<ChatClientResponse, void, undefined> {
  const run = new StreamRun();
  const sent: ChatResponse[] = [];
  let asked = 0;
  let whole: ChatClientResponse | undefined;
  let context: AdvisorContext = {};
  let ask: Ask | undefined;
  let reading: AskReading | undefined;
  let leaving: unknown = LEFT;
  run.start(advise(run));
  try {
    for (;;) {
      for (const chunk of run.takeHeld()) {
        sent.push(chunk);
        yield { chatResponse: chunk, context, turn: NO_TURN };
      }
      ask = run.takeAsk();
      if (ask === undefined) {
        if (run.outcome !== undefined) break;
        await run.event();
        continue;
      }
      asked++;
      let failure: { readonly error: unknown } | undefined;
      for (;;) {
        let out: ChatResponse | undefined;
        try {
          reading ??= openReading(ask, open);
          const step = await reading.next();
          if (step.done === true) break;
          const chunk = reading.accept(step.value);
          out = chunk === undefined ? undefined : run.pass(chunk);
        } catch (error) {
          failure = { error };
          break;
        }
        if (out === undefined) continue;
        context = reading.context;
        sent.push(out);
        yield { chatResponse: out, context, turn: NO_TURN };
      }
      if (failure === undefined && reading !== undefined) {
        whole = await reading.whole();
        context = whole.context;
        ask.resolve(whole);
      } else {
        await closeReading(reading, ask);
        ask.reject(failure?.error);
      }
      reading = undefined;
    }
    if (run.outcome.response === undefined) throw run.outcome.error;
    const { response } = run.outcome;
    // Folding what went out is only needed where it differs from the one answer that was folded already.
    const out = asked === 1 && !run.filtered ? whole?.chatResponse : await foldSent(sent);
    yield lastChunk(restOf(out, response.chatResponse), response);
  } catch (error) {
    leaving = error;
    throw error;
  } finally {
    if (run.outcome === undefined) {
      const reason = leaving === LEFT ? leftError() : leaving;
      if (ask !== undefined) await closeReading(reading, ask);
      ask?.reject(reason);
      await run.leave(reason);
    }
  }
}

const LEFT = Symbol('left');
const NO_TURN: ChatClientResponse['turn'] = [];

function openReading(ask: Ask, open: (ask: Ask) => Source): AskReading {
  return new AskReading(() => open(ask), ask.request);
}

async function closeReading(reading: AskReading | undefined, ask: Ask): Promise<void> {
  if (reading === undefined) return;
  await reading.close();
  const log = turnLogOf(ask.request.context);
  if (log !== undefined) log.partial = reading.text;
}

async function foldSent(sent: readonly ChatResponse[]): Promise<ChatResponse | undefined> {
  return sent.length === 0 ? undefined : fold(sent);
}

function lastChunk(rest: ChatResponse | undefined, response: ChatClientResponse): ChatClientResponse {
  const { chatResponse: _, ...closing } = response;
  return rest === undefined ? closing : { ...closing, chatResponse: rest };
}

function leftError(): VernalError {
  return new VernalError('The consumer left the stream before its end', { code: 'aborted', subject: 'stream' });
}
