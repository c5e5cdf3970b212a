import type * as Pdfjs from 'pdfjs-dist/legacy/build/pdf.mjs';
import type * as PdfjsWorker from 'pdfjs-dist/legacy/build/pdf.worker.mjs';
import { builtin, type Require } from './builtin.js';

/** The two halves of pdf.js: the one that is asked, and the one that reads. */
export interface PdfjsModules {
  readonly api: typeof Pdfjs;
  readonly worker: typeof PdfjsWorker;
}

/** Folders of pdf.js, as paths or URLs that end with a slash. */
export interface PdfjsFolders {
  readonly cMapUrl: string | undefined;
  readonly standardFontDataUrl: string | undefined;
}

const API = 'pdfjs-dist/legacy/build/pdf.min.mjs';
const WORKER = 'pdfjs-dist/legacy/build/pdf.worker.min.mjs';

let loaded: Promise<PdfjsModules> | undefined;

/** pdf.js, when it is first needed: it is large. */
export function loadPdfjs(): Promise<PdfjsModules> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<PdfjsModules> {
  const require = requirePdfjs();
  if (require !== undefined) {
    return leavingNoTrace(() => ({ api: require(API) as typeof Pdfjs, worker: require(WORKER) as typeof PdfjsWorker }));
  }
  const api: typeof Pdfjs = await import('pdfjs-dist/legacy/build/pdf.min.mjs');
  const worker: typeof PdfjsWorker = await import('pdfjs-dist/legacy/build/pdf.worker.min.mjs');
  return { api, worker };
}

/** Where the installed pdf.js has its character maps and its fonts; undefined where there are no folders. */
export function pdfjsFolders(): PdfjsFolders {
  const manifest = requirePdfjs()?.resolve('pdfjs-dist/package.json');
  const path = builtin('node:path');
  if (manifest === undefined || path === undefined) return { cMapUrl: undefined, standardFontDataUrl: undefined };
  const folder = (name: string): string => path.join(path.dirname(manifest), name) + path.sep;
  return { cMapUrl: folder('cmaps'), standardFontDataUrl: folder('standard_fonts') };
}

function requirePdfjs(): Require | undefined {
  const module = builtin('node:module');
  if (module === undefined) return undefined;
  try {
    // From inside of node_modules, where Node.js does not warn of requiring what is an ES module.
    return module.createRequire(module.createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
  } catch {
    // Bundled with the application: an import finds it.
    return undefined;
  }
}

/** What pdf.js would replace by slower versions of its own, for all of the process. */
const replaced: readonly (readonly [object, string])[] = [
  [Array.prototype, 'push'],
  [JSON, 'parse'],
  [JSON, 'stringify'],
  [Function.prototype, 'toString'],
];
/** What makes other packages believe that they are in a browser. `DOMMatrix` and the others have to be there while pdf.js loads. */
const drawing = ['DOMMatrix', 'ImageData', 'Path2D'];
const browserNames = [...drawing, 'self', 'navigator'];

/**
 * Loads pdf.js as a guest: on Node.js it would load a native canvas, warn on the console where there is none, and change globals. As
 * `load` is synchronous, nobody else sees what is changed meanwhile.
 */
function leavingNoTrace<T>(load: () => T): T {
  const scope: Record<string, unknown> = globalThis;
  const before = replaced.map(([owner, name]) => Object.getOwnPropertyDescriptor(owner, name));
  const added = browserNames.filter((name) => !(name in scope));
  for (const name of drawing) if (added.includes(name)) scope[name] = class {};
  const { getBuiltinModule } = process;
  const { warn } = console;
  console.warn = () => {};
  process.getBuiltinModule = ((name: string) =>
    name === 'module' ? { createRequire: () => () => ({}) } : getBuiltinModule.call(process, name)) as never;
  try {
    return load();
  } finally {
    process.getBuiltinModule = getBuiltinModule;
    console.warn = warn;
    for (const name of added) delete scope[name];
    replaced.forEach(([owner, name], at) => {
      const descriptor = before[at];
      if (descriptor !== undefined) Object.defineProperty(owner, name, descriptor);
    });
  }
}
