/**
 * How a model is loaded: a request with other values loads it anew. Newer servers pass over what is marked as of older ones.
 * Sources: `OllamaChatOptions` and `OllamaEmbeddingOptions` of Spring AI; the type `Runner` of Ollama's API.
 */
export interface OllamaLoadOptions {
  /** Whether memory is spread by NUMA. Default false. Older servers only. */
  readonly numa: boolean;
  /** Size of the context in tokens. The server's default depends on its memory and its setting. */
  readonly numCtx: number;
  /** Most tokens of a prompt that are read at once. Server's default 512. */
  readonly numBatch: number;
  /** Layers that go to the GPU; 0 is none, -1 lets the server choose. Server's default -1. */
  readonly numGpu: number;
  /** Of several GPUs the one that keeps what is not worth splitting. Server's default 0. */
  readonly mainGpu: number;
  /** Uses less memory of the GPU. Default false. Older servers only. */
  readonly lowVram: boolean;
  /** Keeps the cache of keys and values in 16 bits. Default true. Older servers only. */
  readonly f16Kv: boolean;
  /** Computes logits of all tokens and not of the last one only. Older servers only. */
  readonly logitsAll: boolean;
  /** Loads the vocabulary without the weights. Older servers only. */
  readonly vocabOnly: boolean;
  /** Maps the file of the model into memory. The server chooses unless told. */
  readonly useMmap: boolean;
  /** Locks the model in memory, so that it is not swapped out. Default false. Older servers only. */
  readonly useMlock: boolean;
  /** Threads that compute. Best the number of physical cores; the server chooses unless told. */
  readonly numThread: number;
}
