import { isOneLine, type Segment } from './segment.js';

/** Segments at one height. */
export interface Row {
  /** From left to right. */
  readonly segments: readonly Segment[];
  readonly top: number;
  readonly bottom: number;
  /** Of the longest segment, as is `size`. */
  readonly baseline: number;
  readonly size: number;
}

/** From the top downwards. */
export function rowsOf(segments: readonly Segment[]): Row[] {
  const rows: Row[] = [];
  let open: Segment[] = [];
  let main: Segment | undefined;
  const close = (): void => {
    if (main === undefined) return;
    const { top, bottom, baseline, size } = main;
    rows.push({ segments: open.sort((a, b) => a.left - b.left), top, bottom, baseline, size });
  };
  for (const segment of [...segments].sort((a, b) => a.baseline - b.baseline)) {
    if (main !== undefined && isOneLine(main, segment)) {
      open.push(segment);
      if (segment.length > main.length) main = segment;
    } else {
      close();
      open = [segment];
      main = segment;
    }
  }
  close();
  return rows;
}
