import { addUsage, type ChatModel, type Usage } from '@vernal/core';

/** A model, and what it was asked. */
export interface CountingModel {
  /** The same model. */
  readonly model: ChatModel;
  /** Tokens since this was called last. */
  takeUsage(): Usage;
}

/** For a model that is asked beside the answer: its tokens stand in no answer. */
export function countingModel(of: ChatModel): CountingModel {
  let counted: Usage = {};
  const call: ChatModel['call'] = async (prompt, context) => {
    const response = await of.call(prompt, context);
    counted = addUsage(counted, response.metadata.usage);
    return response;
  };
  return {
    model: {
      provider: of.provider,
      capabilities: of.capabilities,
      defaultOptions: of.defaultOptions,
      call,
      async *stream(prompt, context) {
        yield await call(prompt, context);
      },
    },
    takeUsage() {
      const usage = counted;
      counted = {};
      return usage;
    },
  };
}
