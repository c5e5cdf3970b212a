interface Field {
  instruction: string;
  isResult: boolean;
}

/** Fields inside each other: of a field its result is text, its instruction is not. */
export class FieldStack {
  readonly #fields: Field[] = [];
  #instructions = 0;

  begin(): void {
    this.#fields.push({ instruction: '', isResult: false });
    this.#instructions++;
  }

  separate(): void {
    const field = this.#fields.at(-1);
    if (field === undefined || field.isResult) return;
    field.isResult = true;
    this.#instructions--;
  }

  /** The address of a link that ends here. */
  end(): string | undefined {
    const field = this.#fields.pop();
    if (field?.isResult === false) this.#instructions--;
    return /^\s*HYPERLINK\s+"([^"]+)"/i.exec(field?.instruction ?? '')?.[1];
  }

  instruct(text: string): void {
    const field = this.#fields.at(-1);
    if (field !== undefined && field.instruction.length < 4_096) field.instruction += text;
  }

  /** False inside an instruction. */
  get isText(): boolean {
    return this.#instructions === 0;
  }
}
