import type { FilterExpression, FilterKey, FilterNode } from './filter-expression.js';
import { comparedScalar, filterInvalid, filterKey, isFilterComparison, listedScalars } from './filter-value.js';

/** Levels that a chain of the same AND or OR to the left does not count for. */
const MAX_DEPTH = 500;
const MAX_NODES = 100_000;

interface Parts {
  readonly type?: unknown;
  readonly group?: unknown;
  readonly left?: unknown;
  readonly right?: unknown;
  readonly key?: unknown;
  readonly value?: unknown;
}

/** Walks a tree from outside, whose nodes may be anything, and makes a clean frozen copy. */
class FilterValidation {
  #nodes = 0;

  node(value: unknown, path: string, depth: number): FilterNode {
    const parts = this.#object(value, path, depth);
    if (parts.type !== undefined || parts.group === undefined) return this.expression(value, path, depth);
    return Object.freeze({ group: this.expression(parts.group, `${path}.group`, depth + 1) });
  }

  expression(value: unknown, path: string, depth: number): FilterExpression {
    const parts = this.#object(value, path, depth);
    const { type } = parts;
    switch (type) {
      case 'AND':
      case 'OR':
        return this.#join(type, parts, path, depth);
      case 'NOT':
        this.#noRight(parts, path);
        return Object.freeze({ type, left: this.node(parts.left, `${path}.left`, depth + 1) });
      case 'ISNULL':
      case 'ISNOTNULL':
        this.#noRight(parts, path);
        return Object.freeze({ type, left: this.#key(parts, path) });
      case 'IN':
      case 'NIN': {
        const values = Object.freeze(listedScalars(this.#right(parts, path), `${path}.right.value`));
        return Object.freeze({ type, left: this.#key(parts, path), right: Object.freeze({ value: values }) });
      }
      default: {
        if (!isFilterComparison(type)) {
          filterInvalid(
            `${path}.type`,
            'must be one of AND, OR, NOT, EQ, NE, GT, GTE, LT, LTE, IN, NIN, ISNULL, ISNOTNULL',
          );
        }
        const scalar = comparedScalar(type, this.#right(parts, path), `${path}.right.value`);
        return Object.freeze({ type, left: this.#key(parts, path), right: Object.freeze({ value: scalar }) });
      }
    }
  }

  /** Down the left spine in a loop: a chain is as deep as it is long. */
  #join(type: 'AND' | 'OR', top: Parts, path: string, depth: number): FilterExpression {
    const rights: { readonly value: unknown; readonly path: string }[] = [];
    let current = top;
    let currentPath = path;
    for (;;) {
      rights.push({ value: current.right, path: `${currentPath}.right` });
      // The path of a long chain would grow with every link: its middle says nothing.
      currentPath = rights.length > 20 ? `${path}.left…` : `${currentPath}.left`;
      const left = this.#object(current.left, currentPath, depth);
      if (left.type !== type) {
        let node = this.node(current.left, currentPath, depth + 1);
        for (const right of rights.reverse()) {
          node = Object.freeze({ type, left: node, right: this.node(right.value, right.path, depth + 1) });
        }
        return node as FilterExpression;
      }
      current = left;
    }
  }

  #object(value: unknown, path: string, depth: number): Parts {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      filterInvalid(path, "must be an object with a 'type', or a group");
    }
    if (depth > MAX_DEPTH) {
      filterInvalid(path, `nested deeper than ${MAX_DEPTH} levels: use IN for lists of values, or chain from the left`);
    }
    this.#nodes++;
    if (this.#nodes > MAX_NODES)
      filterInvalid(path, `the tree has more than ${MAX_NODES} parts: use IN for lists of values`);
    return value;
  }

  #key(parts: Parts, path: string): FilterKey {
    const { left } = parts;
    const key = typeof left === 'object' && left !== null && 'key' in left ? left.key : undefined;
    return Object.freeze({ key: filterKey(key, `${path}.left.key`) });
  }

  #right(parts: Parts, path: string): unknown {
    const { right } = parts;
    if (typeof right === 'object' && right !== null && 'value' in right) return right.value;
    return filterInvalid(`${path}.right`, 'must be an object with a value');
  }

  #noRight(parts: Parts, path: string): void {
    if (parts.right !== undefined && parts.right !== null)
      filterInvalid(`${path}.right`, 'has no meaning here: take it away');
  }
}

/**
 * A tree from outside: JSON of a request, a tool's arguments. Gives a clean, frozen copy; what is not part of a filter is left out.
 *
 * @throws VernalError `filter_invalid`; its `subject` and message name the path of the first fault, as in `$.left.right.value[2]`
 */
export function validateFilter(value: unknown): FilterExpression {
  const node = new FilterValidation().node(value, '$', 0);
  return 'group' in node ? node.group : node;
}
