import type { JsonObject } from '@vernal/core';
import { shownPoint } from './page-runs.js';
import type { PdfFile } from './pdf-file.js';

type Matrix = readonly [number, number, number, number, number, number];

const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/**
 * The images that a page shows: place and size in points from the top left corner, and how many pixels they have. pdf.js decodes them on
 * the way, which is why they are listed only when asked for.
 */
export async function pageImages(file: PdfFile, number: number): Promise<JsonObject[]> {
  const page = await file.lenientPage(number);
  if (page === undefined) return [];
  const { OPS, AnnotationMode } = file.modules.api;
  const list = await file.attempt(page.getOperatorList({ annotationMode: AnnotationMode.DISABLE }));
  const box = { view: page.view, rotate: page.rotate, userUnit: page.userUnit };
  const images: JsonObject[] = [];
  const saved: Matrix[] = [];
  let matrix = IDENTITY;

  function show(pixelWidth: unknown, pixelHeight: unknown, at: Matrix): void {
    const corners = [
      [0, 0],
      [1, 0],
      [0, 1],
      [1, 1],
    ].map(([x = 0, y = 0]) => shownPoint(box, ...apply(at, x, y)));
    const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
    const [x, y] = [Math.min(...xs), Math.min(...ys)];
    images.push({
      page_number: number,
      x: rounded(x),
      y: rounded(y),
      width: rounded(Math.max(...xs) - x),
      height: rounded(Math.max(...ys) - y),
      ...(typeof pixelWidth === 'number' && { pixel_width: pixelWidth }),
      ...(typeof pixelHeight === 'number' && { pixel_height: pixelHeight }),
    });
  }

  list?.fnArray.forEach((operator, at) => {
    const args: readonly unknown[] = list.argsArray[at] ?? [];
    const first = args[0] as { readonly width?: unknown; readonly height?: unknown } | undefined;
    if (operator === OPS.save || operator === OPS.paintFormXObjectBegin) saved.push(matrix);
    if (operator === OPS.restore || operator === OPS.paintFormXObjectEnd) matrix = saved.pop() ?? matrix;
    if (operator === OPS.transform) matrix = multiply(matrix, args);
    if (operator === OPS.paintFormXObjectBegin && isNumbers(args[0])) matrix = multiply(matrix, args[0]);
    if (operator === OPS.paintImageXObject) show(args[1], args[2], matrix);
    if (operator === OPS.paintInlineImageXObject || operator === OPS.paintImageMaskXObject)
      show(first?.width, first?.height, matrix);
    if (operator === OPS.paintImageXObjectRepeat && isNumbers(args[3])) {
      const [, scaleX = 1, scaleY = 1, places] = args as [unknown, number, number, ArrayLike<number>];
      for (let i = 0; i + 1 < places.length; i += 2)
        show(undefined, undefined, multiply(matrix, [scaleX, 0, 0, scaleY, places[i] ?? 0, places[i + 1] ?? 0]));
    }
  });
  page.cleanup();
  return images;
}

function isNumbers(value: unknown): value is ArrayLike<number> {
  return Array.isArray(value) || ArrayBuffer.isView(value);
}

function multiply([a, b, c, d, e, f]: Matrix, by: ArrayLike<unknown>): Matrix {
  const [a2 = 1, b2 = 0, c2 = 0, d2 = 1, e2 = 0, f2 = 0] = Array.from(by, Number);
  return [a * a2 + c * b2, b * a2 + d * b2, a * c2 + c * d2, b * c2 + d * d2, a * e2 + c * f2 + e, b * e2 + d * f2 + f];
}

const apply = ([a, b, c, d, e, f]: Matrix, x: number, y: number): readonly [number, number] => [
  a * x + c * y + e,
  b * x + d * y + f,
];

const rounded = (value: number): number => (Number.isFinite(value) ? Math.round(value * 10) / 10 : 0);
