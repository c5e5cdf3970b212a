export interface Page {
  /** Relative to the top of the repository. */
  readonly name: string;
  readonly text: string;
}
/** Guides, the pages at the top, and the READMEs of packages and examples. */
export function pages(): Page[];
export function codeBlocks(text: string): { readonly language: string; readonly code: string }[];
/** The texts behind `// →` in the code. */
export function promisedLines(code: string): string[];
export function importedPackages(code: string): string[];
/** Targets of links outside of code. */
export function links(text: string): string[];
/** What a link may name behind `#`. */
export function anchors(text: string): string[];
