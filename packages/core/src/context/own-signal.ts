/** The signal of a request whose caller has none: fires when the reader turns away. Made when someone asks for it. */
export class OwnSignal {
  #controller: AbortController | undefined;

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    return this.#controller.signal;
  }

  cancel(): void {
    this.#controller?.abort();
  }
}
