/** A process; `ended` rejects with what it wrote to its error output when it does not end well and was not killed. */
export interface RunningProgram {
  readonly ended: Promise<void>;
  kill(): void;
}
/** `told` hears each line of its output. */
export declare function startProgram(
  entry: URL,
  input: unknown,
  told?: (line: string) => void,
): Promise<RunningProgram>;
export declare function runProgram(entry: URL, input: unknown): Promise<void>;
