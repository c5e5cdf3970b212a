export interface ExampleServer {
  readonly url: string;
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}
export function exampleServer(mockServer: object, wires: object): Promise<ExampleServer>;
