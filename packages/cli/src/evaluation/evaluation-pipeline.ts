import { addUsage, type Logger, VernalError } from '@vernal/core';
import { type Pipeline, pipelineResult } from '@vernal/evaluation';
import { assistant } from '../assistant.js';
import type { CliIo } from '../cli-io.js';
import { errorCode, errorSentence } from '../output/error-sentence.js';
import type { Session } from '../session.js';

/** Answers questions as `vernal ask` does. What fails is told in the words of the command line. */
export function evaluationPipeline(session: Session, io: CliIo): Pipeline<string> {
  return async (question, { signal }) => {
    try {
      // One for each question: several are under way, and each is to know what it has spent.
      const { client, retrieval } = await assistant(session, io, { remembers: false });
      const answer = await client.prompt(question).signal(signal).call().chatClientResponse();
      const result = pipelineResult(answer);
      if (retrieval === undefined) return result;
      const usage = addUsage(result.usage ?? {}, retrieval.takeUsage());
      return { ...result, usage, documents: retrieval.documentsIn(answer.context) ?? [] };
    } catch (error) {
      if (signal?.aborted) throw error;
      throw told(error, io, session.logger);
    }
  };
}

/** Goes into reports: the words of foreign errors may quote a question, so they are left to `--verbose`. */
function told(error: unknown, { env }: CliIo, logger: Logger): VernalError {
  logger.debug('failed', { error });
  const sentence = VernalError.is(error)
    ? errorSentence(error, env)
    : 'Something that Vernal did not expect went wrong: run it again with --verbose to see where.';
  return new VernalError(sentence, { code: errorCode(error), cause: error });
}
