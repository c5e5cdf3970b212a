/** Entries of the first and of the largest block; each block is twice as long as the one before it. */
const FIRST_BLOCK = 2;
const LARGEST_BLOCK = 1024;
/** Numbers of a page. */
const PAGE = 1 << 16;
const OFFSET = PAGE - 1;
/** The first page begins small: most indexes are. */
const SMALL_PAGE = 1024;
const NO_PAGE = new Uint32Array(0);

/** Where one list stands. Made and changed by `PostingLists` alone. */
export interface PostingList {
  /** Entries in it. */
  size: number;
  first: number;
  last: number;
  /** Of the last block. */
  room: number;
  used: number;
}

/** Sees a run of entries: `page[start]` up to `page[end - 1]`. */
export type PostingVisit = (page: Uint32Array, start: number, end: number) => void;

/**
 * Many lists of whole numbers below 2^32 that grow at their ends, in a few large arrays: chains of blocks, each led by the place of the
 * next. A list of its own for each word would cost more than what it holds: most words of a text stand in one or two documents.
 */
export class PostingLists {
  readonly #pages: Uint32Array[] = [];
  /** Taken of the last page. */
  #taken = PAGE;

  newList(): PostingList {
    const first = this.#block(FIRST_BLOCK);
    return { size: 0, first, last: first, room: FIRST_BLOCK, used: 0 };
  }

  append(list: PostingList, entry: number): void {
    if (list.used === list.room) this.#nextBlock(list);
    this.#page(list.last)[(list.last & OFFSET) + 1 + list.used] = entry;
    list.used++;
    list.size++;
  }

  /** In order, block by block: a call for each entry would cost more than the work on it. */
  scan(list: PostingList, visit: PostingVisit): void {
    let block = list.first;
    let room = FIRST_BLOCK;
    for (let left = list.size; left > 0; left -= room, room = doubled(room)) {
      if (room !== FIRST_BLOCK) block = this.#page(block)[block & OFFSET] ?? 0;
      const start = (block & OFFSET) + 1;
      visit(this.#page(block), start, start + Math.min(room, left));
    }
  }

  /** Takes out what is not to be kept. Blocks that fall empty stay with the list, for what comes. */
  keep(list: PostingList, wanted: (entry: number) => boolean): void {
    const kept: PostingList = { size: 0, first: list.first, last: list.first, room: FIRST_BLOCK, used: 0 };
    // What is kept moves forward only, so it never runs into what was not read yet.
    this.scan(list, (page, start, end) => {
      for (let i = start; i < end; i++) {
        const entry = page[i] ?? 0;
        if (wanted(entry)) this.append(kept, entry);
      }
    });
    Object.assign(list, kept);
  }

  #nextBlock(list: PostingList): void {
    const room = doubled(list.room);
    const place = list.last & OFFSET;
    const known = this.#page(list.last)[place] ?? 0;
    const next = known === 0 ? this.#block(room) : known;
    // Asked for again: taking a block may have put another array in the place of the page.
    this.#page(list.last)[place] = next;
    list.last = next;
    list.room = room;
    list.used = 0;
  }

  /** Of zeros, so it has no next block. */
  #block(entries: number): number {
    const words = entries + 1;
    if (this.#taken + words > PAGE) {
      // The first word of a page stays free: 0 is the place of no block.
      this.#pages.push(new Uint32Array(this.#pages.length === 0 ? SMALL_PAGE : PAGE));
      this.#taken = 1;
    }
    const at = this.#pages.length - 1;
    const start = this.#taken;
    this.#taken += words;
    const page = this.#pages[at];
    if (page !== undefined && page.length < this.#taken) {
      const larger = new Uint32Array(Math.min(PAGE, Math.max(page.length * 2, this.#taken)));
      larger.set(page);
      this.#pages[at] = larger;
    }
    return at * PAGE + start;
  }

  #page(place: number): Uint32Array {
    return this.#pages[Math.floor(place / PAGE)] ?? NO_PAGE;
  }
}

function doubled(room: number): number {
  return Math.min(room * 2, LARGEST_BLOCK);
}
