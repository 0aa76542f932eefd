// The page and the whole game in the address: `#/analyse?game=havannah&size=5&moves=c3.d4&at=1`. A
// variation stands in brackets after the move that it replaces, `c3.d4.(e5.f6).g7`, and comments follow by the
// numbers of their nodes: `&note=3 a threat`. So do the other properties of a file (`&property=0 EV Cup`) and
// resignations (`&resigned=7 white`).

import { GAMES, OPTIONS, type Board, type GameTree, type TreeNode } from "./api";

/** The value of an option of a board as an address has it. */
const VALUES = {
  text: (text: string | null) => text ?? undefined,
  number: (text: string | null) => (text == null ? undefined : Number(text) || 0),
  switch: (text: string | null) => text === "1",
};

export interface Place {
  page: string;
  tree?: GameTree;
  /** The node that is looked at. */
  at: number;
  /** All that the address says. */
  values: URLSearchParams;
}

/** What is known of the players and the result. */
const NAMES = ["white", "black", "result"] as const;

/** Reads an address; what cannot be read is left out, and the server judges the rest. */
export function read(hash: string): Place {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const values = new URLSearchParams(query);
  const game = GAMES.find((one) => one.game === values.get("game"))?.game;
  if (!game) return { page: path, at: 0, values };
  const number = (name: string) => (values.has(name) ? Number(values.get(name)) || 0 : undefined);
  const nodes = readMoves(values.get("moves") ?? "");
  const board: Board = {};
  for (const { name, kind } of OPTIONS) board[name] = VALUES[kind](values.get(name));
  const dialect = values.get("dialect") ?? undefined;
  for (const note of values.getAll("note")) {
    const [number = "", ...comment] = note.split(" ");
    const node = nodes[Number(number)];
    if (node) node.comment = comment.join(" ");
  }
  for (const property of values.getAll("property")) {
    const [number = "", name = "", ...value] = property.split(" ");
    const node = nodes[Number(number)];
    if (!node || !name) continue;
    node.properties ??= [];
    const known = node.properties.at(-1);
    // Values of one property stand one after the other.
    if (known?.name === name) known.values.push(value.join(" "));
    else node.properties.push({ name, values: [value.join(" ")] });
  }
  for (const resigned of values.getAll("resigned")) {
    const [number = "", side] = resigned.split(" ");
    const node = nodes[Number(number)];
    if (node) node.resigned = side;
  }
  // Those of the root belong to the game.
  const { properties, ...root } = nodes[0] ?? {};
  nodes[0] = root;
  const [white, black, result] = NAMES.map((name) => values.get(name) ?? undefined);
  const at = Math.max(0, Math.min(Math.trunc(number("at") ?? lastOf(nodes)), nodes.length - 1));
  const tree: GameTree = { state: { game, board, dialect, moves: [] }, white, black, result, properties, nodes };
  return { page: path, tree, at, values };
}

/** Writes an address; what else it says comes at its end. */
export function write(page: string, tree?: GameTree, at?: number, more: Record<string, string> = {}): string {
  if (!tree) return `#/${page}`;
  const { game, dialect } = tree.state;
  const board: Board = tree.state.board ?? {};
  const values = new URLSearchParams({ game });
  for (const { name } of OPTIONS) {
    const value = board[name] === true ? "1" : board[name];
    if (value != null && value !== false) values.set(name, String(value));
  }
  if (dialect) values.set("dialect", dialect);
  const { text, order } = writeMoves(tree.nodes);
  if (text) values.set("moves", text);
  order.forEach((node, place) => {
    const { comment, resigned, properties = [] } = tree.nodes[node] ?? {};
    if (comment) values.append("note", `${place} ${comment}`);
    if (resigned) values.append("resigned", `${place} ${resigned}`);
    for (const { name, values: texts } of place === 0 ? [...(tree.properties ?? []), ...properties] : properties) {
      for (const text of texts) values.append("property", `${place} ${name} ${text}`);
    }
  });
  for (const name of NAMES) {
    if (tree[name]) values.set(name, tree[name]);
  }
  // The nodes are counted as they are written: reading gives them these places.
  const place = order.indexOf(at ?? lastOf(tree.nodes));
  if (place >= 0 && order[place] !== lastOf(tree.nodes)) values.set("at", String(place));
  for (const [name, value] of Object.entries(more)) values.set(name, value);
  return `#/${page}?${values}`;
}

/** The end of the main line. */
function lastOf(nodes: TreeNode[]): number {
  let last = 0;
  for (;;) {
    const next = nodes.findIndex((node, place) => place > 0 && node.parent === last);
    if (next < 0) return last;
    last = next;
  }
}

function readMoves(text: string): TreeNode[] {
  const nodes: TreeNode[] = [{}];
  const open: number[] = [];
  let at = 0;
  for (const word of text.split(/\.|(?=[()])|(?<=[()])/)) {
    if (word === "") continue;
    else if (word === "(") {
      open.push(at);
      at = nodes[at]?.parent ?? 0;
    } else if (word === ")") at = open.pop() ?? at;
    else {
      nodes.push({ parent: at, move: word });
      at = nodes.length - 1;
    }
  }
  return nodes;
}

function writeMoves(nodes: TreeNode[]): { text: string; order: number[] } {
  const children = new Map<number, number[]>();
  nodes.forEach((node, place) => {
    if (place > 0 && node.parent != null) {
      children.set(node.parent, [...(children.get(node.parent) ?? []), place]);
    }
  });
  const words: string[] = [];
  const order = [0];
  const visit = (place: number) => {
    words.push(nodes[place]?.move ?? "");
    order.push(place);
  };
  // A child that is the main line is visited first, then its alternatives in brackets, then what follows.
  const walk = (from: number) => {
    let at: number | undefined = from;
    while (at != null) {
      const [main, ...others]: number[] = children.get(at) ?? [];
      if (main == null) return;
      visit(main);
      for (const other of others) {
        words.push("(");
        visit(other);
        walk(other);
        words.push(")");
      }
      at = main;
    }
  };
  walk(0);
  return { text: words.join(".").replaceAll("(.", "(").replaceAll(".)", ")"), order };
}
