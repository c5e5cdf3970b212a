const ROMAN: readonly (readonly [number, string])[] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
];

/** 1 is i. Larger numbers than Romans wrote stay decimal. */
export function roman(count: number): string {
  if (count < 1 || count > 3_999) return String(count);
  let rest = count;
  let text = '';
  for (const [value, letters] of ROMAN) {
    while (rest >= value) {
      text += letters;
      rest -= value;
    }
  }
  return text;
}

/** 1 is a, 27 is aa, as word processors count. */
export function letters(count: number): string {
  if (count < 1 || count > 780) return String(count);
  return String.fromCharCode(97 + ((count - 1) % 26)).repeat(Math.ceil(count / 26));
}
