import type { HtmlNode } from './html-node.js';

export interface HtmlVisitor {
  /** False: what is in the node is passed over, and `leave` is not called for it. */
  enter(node: HtmlNode): boolean;
  leave?(node: HtmlNode): void;
}

/** Every node of a tree in the order of the page. Goes from node to node instead of calling itself, so that any depth will do. */
export function walkHtml(root: HtmlNode, visitor: HtmlVisitor): void {
  let node: HtmlNode | null = root;
  while (node !== null) {
    const isEntered = visitor.enter(node);
    const first: HtmlNode | undefined = isEntered ? node.children?.[0] : undefined;
    if (first !== undefined) {
      node = first;
      continue;
    }
    if (isEntered) visitor.leave?.(node);
    while (node !== root && node.next === null && node.parent !== null) {
      node = node.parent;
      visitor.leave?.(node);
    }
    node = node === root ? null : node.next;
  }
}
