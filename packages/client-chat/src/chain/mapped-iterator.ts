export const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined };

/** Another iterator's items through a function; what it makes undefined is left out. */
export class MappedIterator<In, Out> implements AsyncIterableIterator<Out> {
  readonly #source: AsyncIterator<In>;
  readonly #map: (item: In) => Out | undefined;

  constructor(source: AsyncIterator<In>, map: (item: In) => Out | undefined) {
    this.#source = source;
    this.#map = map;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Out>> {
    return this.#source.next().then(this.#onStep);
  }

  async return(): Promise<IteratorResult<Out>> {
    await this.#source.return?.();
    return DONE;
  }

  /** A source that cannot be told of an error is left. */
  async throw(error: unknown): Promise<IteratorResult<Out>> {
    if (this.#source.throw === undefined) await this.#source.return?.();
    else await this.#source.throw(error);
    throw error;
  }

  readonly #onStep = (step: IteratorResult<In>): IteratorResult<Out> | Promise<IteratorResult<Out>> => {
    if (step.done === true) return DONE;
    try {
      const value = this.#map(step.value);
      return value === undefined ? this.next() : { done: false, value };
    } catch (error) {
      return this.throw(error);
    }
  };
}
