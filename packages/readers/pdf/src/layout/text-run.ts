/** A piece of text in one style. Lengths are in points; lines run from left to right and follow each other downwards, however the page is turned. */
export interface TextRun {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly baseline: number;
  readonly top: number;
  readonly bottom: number;
  /** Of the font. */
  readonly size: number;
  readonly isRtl: boolean;
  /** White space stands between the run before and this one. */
  readonly isSpaced: boolean;
}

/** The runs of a page that run in one direction. */
export interface RunGroup {
  readonly runs: readonly TextRun[];
  /** Where a point of the page, in points from its top left corner, lies for these runs. */
  place(x: number, y: number): { readonly x: number; readonly y: number };
}
