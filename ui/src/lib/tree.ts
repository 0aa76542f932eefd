// A game with variations: nodes as the server writes them, the first being the start. Plain functions; each gives new nodes.

import type { TreeNode } from "./api";

export type Nodes = readonly TreeNode[];

/** The moves from the start to a node. */
export function movesTo(nodes: Nodes, node: number): string[] {
  const moves: string[] = [];
  for (let at: number | null | undefined = node; at; at = nodes[at]?.parent) moves.unshift(nodes[at]?.move ?? "");
  return moves;
}

export function children(nodes: Nodes, parent: number): number[] {
  const found: number[] = [];
  nodes.forEach((node, place) => {
    if (place > 0 && node.parent === parent) found.push(place);
  });
  return found;
}

/** The nodes of the line through a node, from the start to its end. */
export function lineThrough(nodes: Nodes, node: number): number[] {
  const line: number[] = [];
  for (let at: number | null | undefined = node; at != null; at = nodes[at]?.parent) line.unshift(at);
  for (let next = children(nodes, node)[0]; next != null; next = children(nodes, next)[0]) line.push(next);
  return line;
}

/** The node that some moves lead to, if they were played. */
export function find(nodes: Nodes, moves: readonly string[]): number | undefined {
  let at: number | undefined = 0;
  for (const move of moves) {
    at = children(nodes, at).find((child) => nodes[child]?.move === move);
    if (at == null) return undefined;
  }
  return at;
}

/** Adds a line of play after a node; what was played already stays as it is. */
export function withLine(nodes: Nodes, from: number, moves: readonly string[]): { nodes: Nodes; end: number } {
  let [all, at] = [nodes, from];
  for (const move of moves) {
    const known = children(all, at).find((child) => all[child]?.move === move);
    if (known == null) all = [...all, { parent: at, move }];
    at = known ?? all.length - 1;
  }
  return { nodes: all, end: at };
}

/** Makes the line through a node the main one. */
export function promoted(nodes: Nodes, node: number): { nodes: Nodes; at: number } {
  const line = new Set(lineThrough(nodes, node));
  return rebuilt(nodes, node, (parent) => {
    const all = children(nodes, parent);
    return [...all.filter((child) => line.has(child)), ...all.filter((child) => !line.has(child))];
  });
}

/** Removes a node, and all that follows it; goes to the one before. */
export function without(nodes: Nodes, gone: number): { nodes: Nodes; at: number } {
  const before = nodes[gone]?.parent ?? 0;
  return rebuilt(nodes, before, (parent) => children(nodes, parent).filter((child) => child !== gone));
}

/** How many moves a node and all that follows it have. */
export function size(nodes: Nodes, node: number): number {
  return 1 + children(nodes, node).reduce((sum, child) => sum + size(nodes, child), 0);
}

/** Writes the nodes anew, the children of each in the order given, and says where one of them is now. */
function rebuilt(nodes: Nodes, at: number, order: (parent: number) => number[]): { nodes: Nodes; at: number } {
  const written: TreeNode[] = [];
  let now = 0;
  const waiting: { old: number; parent?: number }[] = [{ old: 0 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const place = written.length;
    written.push({ ...nodes[next.old], parent: next.parent });
    if (next.old === at) now = place;
    for (const child of order(next.old).reverse()) waiting.push({ old: child, parent: place });
  }
  return { nodes: written, at: now };
}
