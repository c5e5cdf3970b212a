/** A text as it stands in a statement that takes no parameters. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
