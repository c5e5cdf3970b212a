import { graphLevel } from './graph-level.js';
import { GraphLinks } from './graph-links.js';
import type { HnswSettings } from './hnsw-options.js';
import { NearestQueue } from './nearest-queue.js';
import { TopRows } from './top-rows.js';
import type { VectorSum } from './vector-kernel.js';
import type { VectorRows } from './vector-rows.js';

/** A node that a walk found; higher scores are nearer. */
interface Found {
  readonly score: number;
  readonly row: number;
}

type Query = Float32Array | number;

/** As many as `VectorRows.scoreFew` takes. */
const AT_A_TIME = 4_096;

/**
 * Neighbours of vectors, on levels of which each holds a few of the one below. A node stands for a row; nodes whose row is gone stay as
 * passages to what they were linked to, without a vector, until there are too many of them and the graph is made anew.
 *
 * The same rows added in the same order make the same graph.
 */
export class HnswGraph {
  readonly #settings: HnswSettings;
  readonly #sum: VectorSum;
  readonly #sign: 1 | -1;
  readonly #rows: () => VectorRows;
  readonly #links: GraphLinks;
  /** -1 where it is gone. */
  readonly #rowOfNode: number[] = [];
  readonly #queue = new NearestQueue();
  readonly #scores: Float32Array = new Float32Array(AT_A_TIME);
  /** The walk in which a node was last seen. */
  #seen = new Uint32Array(0);
  #walk = 0;
  #entry = -1;
  /** Nodes reached and not scored yet, and their rows. */
  readonly #batch: number[] = [];
  readonly #batchRows: number[] = [];

  /** `rows` are those of now: they may be replaced by a copy. */
  constructor(settings: HnswSettings, sum: VectorSum, rows: () => VectorRows) {
    this.#settings = settings;
    this.#sum = sum;
    this.#sign = sum === 'dot' ? 1 : -1;
    this.#rows = rows;
    this.#links = new GraphLinks(settings.m);
  }

  /** Links a row to its neighbours, and gives the node that stands for it from now on. */
  insert(row: number): number {
    const { efConstruction, m } = this.#settings;
    const level = graphLevel(this.#links.nodes, m);
    const top = this.#entry < 0 ? -1 : this.#links.levelOf(this.#entry);
    let near: number[] = this.#entry < 0 ? [] : [this.#entry];
    for (let above = top; above > level; above--) near = this.#nodesOf(this.#search(row, near, 1, above));
    const node = this.#links.add(level);
    this.#rowOfNode.push(row);
    for (let at = Math.min(top, level); at >= 0; at--) {
      const found = this.#search(row, near, efConstruction, at);
      const chosen = this.#spread(found, m);
      this.#links.replace(node, at, chosen);
      for (const neighbour of chosen) this.#linkBack(neighbour, node, at);
      if (found.length > 0) near = this.#nodesOf(found);
    }
    if (level > top) this.#entry = node;
    return node;
  }

  /** The row of a node is another one now, or gone (-1). */
  move(node: number, row: number): void {
    this.#rowOfNode[node] = row;
    if (row < 0 && node === this.#entry) this.#entry = this.#highest();
  }

  /**
   * Rows near the query, in no order: at most `breadth`, and only such as `accepts` marks with 1. May give fewer than there are; then only
   * an exact search finds the others. So it is with none, when more than `most` vectors had to be looked at.
   */
  nearest(query: Float32Array, breadth: number, accepts: Uint8Array | undefined, most: number): number[] {
    if (this.#entry < 0) return [];
    let near = [this.#entry];
    for (let level = this.#links.levelOf(this.#entry); level > 0; level--) {
      near = this.#nodesOf(this.#search(query, near, 1, level));
    }
    return this.#search(query, near, breadth, 0, accepts, most).map(({ row: node }) => this.#rowOf(node));
  }

  #rowOf(node: number): number {
    return this.#rowOfNode[node] ?? -1;
  }

  #nodesOf(found: readonly Found[]): number[] {
    return found.map(({ row }) => row);
  }

  /** Nodes of one level, best first. */
  #search(
    query: Query,
    from: readonly number[],
    breadth: number,
    level: number,
    accepts?: Uint8Array,
    most = Number.POSITIVE_INFINITY,
  ): Found[] {
    this.#startWalk();
    let scored = 0;
    const queue = this.#queue;
    const best = new TopRows(breadth);
    for (const node of from) this.#reach(node, level);
    for (;;) {
      for (let first = 0; first < this.#batch.length; first += AT_A_TIME) {
        const nodes = first === 0 ? this.#batch : this.#batch.slice(first, first + AT_A_TIME);
        this.#score(query, nodes, best, accepts);
      }
      scored += this.#batch.length;
      if (scored > most) return [];
      this.#batch.length = 0;
      if (queue.empty || queue.best < best.bar) return best.sorted();
      const node = queue.take();
      const count = this.#links.count(node, level);
      for (let i = 0; i < count; i++) this.#reach(this.#links.link(node, level, i), level);
    }
  }

  #score(query: Query, nodes: readonly number[], best: TopRows, accepts: Uint8Array | undefined): void {
    const count = Math.min(nodes.length, AT_A_TIME);
    const rows = this.#batchRows;
    for (let i = 0; i < count; i++) rows[i] = this.#rowOf(nodes[i] ?? 0);
    this.#rows().scoreFew(this.#sum, query, rows, count, this.#scores);
    for (let i = 0; i < count; i++) {
      const score = (this.#scores[i] ?? 0) * this.#sign;
      if (!(score > best.bar)) continue;
      const node = nodes[i] ?? 0;
      this.#queue.put(score, node);
      if (accepts === undefined || accepts[rows[i] ?? 0] === 1) best.offer(score, node);
    }
  }

  /** Puts a node into the batch, or what lies behind it when it has no row any more. */
  #reach(node: number, level: number): void {
    if (this.#seen[node] === this.#walk) return;
    this.#seen[node] = this.#walk;
    if (this.#rowOf(node) >= 0) this.#batch.push(node);
    else this.#passThrough(node, level);
  }

  #passThrough(start: number, level: number): void {
    const ways = [start];
    for (let node = ways.pop(); node !== undefined; node = ways.pop()) {
      const count = this.#links.count(node, level);
      for (let i = 0; i < count; i++) {
        const next = this.#links.link(node, level, i);
        if (this.#seen[next] === this.#walk) continue;
        this.#seen[next] = this.#walk;
        (this.#rowOf(next) >= 0 ? this.#batch : ways).push(next);
      }
    }
  }

  #startWalk(): void {
    if (this.#seen.length < this.#links.nodes) {
      const grown = new Uint32Array(Math.max(64, Math.ceil(this.#links.nodes * 1.25)));
      grown.set(this.#seen);
      this.#seen = grown;
    }
    this.#walk++;
    if (this.#walk > 0xffffffff) {
      this.#seen.fill(0);
      this.#walk = 1;
    }
    this.#queue.clear();
    this.#batch.length = 0;
  }

  /**
   * The best such that each is nearer to the query than to any that was taken before it: links that lead in different directions. What
   * is left of the room goes to the nearest of the others, so that crowds of like vectors hold together.
   */
  #spread(found: readonly Found[], most: number): number[] {
    const chosen: number[] = [];
    const rows: number[] = [];
    const others: number[] = [];
    for (const { row: node, score } of found) {
      if (chosen.length >= most) return chosen;
      if (this.#isShadowed(this.#rowOf(node), score, rows)) others.push(node);
      else {
        chosen.push(node);
        rows.push(this.#rowOf(node));
      }
    }
    return chosen.concat(others.slice(0, most - chosen.length));
  }

  #isShadowed(row: number, score: number, rows: readonly number[]): boolean {
    if (rows.length === 0) return false;
    this.#rows().scoreFew(this.#sum, row, rows, rows.length, this.#scores);
    for (let i = 0; i < rows.length; i++) if ((this.#scores[i] ?? 0) * this.#sign > score) return true;
    return false;
  }

  #linkBack(node: number, added: number, level: number): void {
    const count = this.#links.count(node, level);
    const most = this.#links.most(level);
    if (count < most) {
      this.#links.append(node, level, added);
      return;
    }
    const nodes = [added];
    for (let i = 0; i < count; i++) {
      const neighbour = this.#links.link(node, level, i);
      if (this.#rowOf(neighbour) >= 0) nodes.push(neighbour);
    }
    const rows = nodes.map((each) => this.#rowOf(each));
    this.#rows().scoreFew(this.#sum, this.#rowOf(node), rows, rows.length, this.#scores);
    const found = nodes.map((row, i) => ({ row, score: (this.#scores[i] ?? 0) * this.#sign }));
    this.#links.replace(
      node,
      level,
      this.#spread(
        found.sort((a, b) => b.score - a.score || a.row - b.row),
        most,
      ),
    );
  }

  #highest(): number {
    let highest = -1;
    let level = -1;
    for (const [node, row] of this.#rowOfNode.entries()) {
      if (row < 0 || this.#links.levelOf(node) <= level) continue;
      highest = node;
      level = this.#links.levelOf(node);
    }
    return highest;
  }
}
