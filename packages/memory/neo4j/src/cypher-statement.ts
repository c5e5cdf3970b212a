/** Text and values; a value is never part of the text. */
export interface CypherStatement {
  readonly text: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}
