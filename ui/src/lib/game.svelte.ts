// A game with variations, and the position that is looked at.

import * as api from "./api";
import type { FileProperty, GameState, GameTree, PositionView, TreeNode } from "./api";

/** The moves from the start to a node. */
function movesTo(nodes: TreeNode[], node: number): string[] {
  const moves: string[] = [];
  for (let at: number | null | undefined = node; at; at = nodes[at]?.parent) {
    moves.unshift(nodes[at]?.move ?? "");
  }
  return moves;
}

/** A game: nodes as the server writes them, the first being the start. */
export class Game {
  state = $state.raw<GameState>(api.FIRST);
  white = $state<string>();
  black = $state<string>();
  result = $state<string>();
  /** What else the file of the game says. */
  properties = $state.raw<FileProperty[]>();
  nodes = $state.raw<TreeNode[]>([{}]);
  current = $state(0);
  view = $state.raw<PositionView>();
  error = $state("");
  #asked = 0;

  /** The moves from the start to a node. */
  moves(node = this.current): string[] {
    return movesTo(this.nodes, node);
  }

  /** The game up to a node, as the server asks for it. */
  at(node = this.current): GameState {
    return { ...this.state, moves: this.moves(node) };
  }

  children(node = this.current): number[] {
    const found: number[] = [];
    this.nodes.forEach((other, place) => {
      if (place > 0 && other.parent === node) found.push(place);
    });
    return found;
  }

  /** The nodes of the line through the current one, from the start to its end. */
  line(): number[] {
    const line: number[] = [];
    for (let at: number | null | undefined = this.current; at != null; at = this.nodes[at]?.parent) {
      line.unshift(at);
    }
    for (let next = this.children()[0]; next != null; next = this.children(next)[0]) line.push(next);
    return line;
  }

  /** Begins a new game. */
  start(state: GameState): Promise<boolean> {
    return this.load({ state: { ...state, moves: [] }, nodes: [{}] });
  }

  /** Takes a whole game, and goes to one of its nodes; nothing changes if the server refuses it. */
  async load(tree: GameTree, at = 0): Promise<boolean> {
    const asked = ++this.#asked;
    const state = { ...tree.state, moves: [] };
    try {
      const view = await api.position({ ...state, moves: movesTo(tree.nodes, at) });
      if (asked !== this.#asked) return false;
      this.state = state;
      this.white = tree.white ?? undefined;
      this.black = tree.black ?? undefined;
      this.result = tree.result ?? undefined;
      this.properties = tree.properties;
      this.nodes = tree.nodes;
      this.current = at;
      this.view = view;
      this.error = "";
      return true;
    } catch (why) {
      this.error = (why as Error).message;
      return false;
    }
  }

  /** Writes all moves in another dialect. */
  async translate(dialect: string): Promise<void> {
    try {
      await this.load(await api.inDialect(this.tree(), dialect), this.current);
    } catch (why) {
      this.error = (why as Error).message;
    }
  }

  /** Adds a line of play as a variation, without going there. */
  add(line: string[], from: number): void {
    let at = from;
    for (const move of line) {
      const known = this.children(at).find((child) => this.nodes[child]?.move === move);
      if (known == null) this.nodes = [...this.nodes, { parent: at, move }];
      at = known ?? this.nodes.length - 1;
    }
  }

  /** Goes to a node. */
  async go(node: number): Promise<void> {
    if (!this.nodes[node]) return;
    this.current = node;
    const asked = ++this.#asked;
    try {
      const view = await api.position(this.at());
      if (asked === this.#asked) {
        this.view = view;
        this.error = "";
      }
    } catch (why) {
      this.error = (why as Error).message;
    }
  }

  /** Plays a move from the current position, or goes to it where it has been played. */
  async play(move: string): Promise<void> {
    const known = this.children().find((child) => this.nodes[child]?.move === move);
    if (known != null) return this.go(known);
    this.nodes = [...this.nodes, { parent: this.current, move }];
    return this.go(this.nodes.length - 1);
  }

  back(): Promise<void> {
    return this.go(this.nodes[this.current]?.parent ?? 0);
  }

  async forward(): Promise<void> {
    const next = this.children()[0];
    if (next != null) await this.go(next);
  }

  toStart(): Promise<void> {
    return this.go(0);
  }

  toEnd(): Promise<void> {
    return this.go(this.line().at(-1) ?? 0);
  }

  comment(text: string, node = this.current): void {
    this.nodes = this.nodes.map((other, place) =>
      place === node ? { ...other, comment: text || undefined } : other,
    );
  }

  /** Makes the variation of the current node the first among its siblings, all the way up. */
  promote(): void {
    const line = new Set(this.line());
    const order = (parent: number): number[] => {
      const children = this.children(parent);
      return [...children.filter((child) => line.has(child)), ...children.filter((child) => !line.has(child))];
    };
    this.#rebuild(order);
  }

  /** Removes the current node and all that follows it. */
  async remove(): Promise<void> {
    if (this.current === 0) return;
    const gone = this.current;
    this.current = this.nodes[gone]?.parent ?? 0;
    this.#rebuild((parent) => this.children(parent).filter((child) => child !== gone));
    await this.go(this.current);
  }

  /** Writes the nodes anew, the children of each in the order given. */
  #rebuild(order: (parent: number) => number[]): void {
    const nodes: TreeNode[] = [];
    let current = 0;
    const waiting: { old: number; parent?: number }[] = [{ old: 0 }];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const place = nodes.length;
      nodes.push({ ...this.nodes[next.old], parent: next.parent });
      if (next.old === this.current) current = place;
      for (const child of order(next.old).reverse()) waiting.push({ old: child, parent: place });
    }
    this.nodes = nodes;
    this.current = current;
  }

  /** The whole game, as the server writes it into files. */
  tree(): GameTree {
    const nodes = this.nodes.map(({ parent, move, comment, resigned, properties }) => ({
      parent,
      move,
      comment,
      resigned,
      properties,
    }));
    const { state, white, black, result, properties } = this;
    return { state, white, black, result, properties, nodes };
  }
}
