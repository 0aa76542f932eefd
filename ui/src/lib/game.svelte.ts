// A game with variations, and the position that is looked at. Node and position change together, once the server has told
// of the position: what cannot be shown has not happened.

import * as api from "./api";
import type { FileProperty, GameState, GameTree, PositionView } from "./api";
import * as drawings from "./drawings";
import * as tree from "./tree";

/** A game through which somebody can go. */
export interface Browsable {
  readonly state: GameState;
  readonly nodes: tree.Nodes;
  readonly current: number;
  readonly view: PositionView | undefined;
  go(node: number): void;
  back(): void;
  forward(): void;
  toStart(): void;
  toEnd(): void;
  /** The game up to the node that is looked at. */
  at(): GameState;
  tree(): GameTree;
  translate(dialect: string): void;
}

/** What is remembered of a game, so that a change can be undone. */
interface Before {
  nodes: tree.Nodes;
  current: number;
}

export class Game implements Browsable {
  state = $state.raw<GameState>(api.FIRST);
  white = $state<string>();
  black = $state<string>();
  result = $state<string>();
  /** What else the file of the game says. */
  properties = $state.raw<FileProperty[]>();
  nodes = $state.raw<tree.Nodes>([{}]);
  current = $state(0);
  view = $state.raw<PositionView>();
  error = $state("");
  /** Whether a position is asked for. */
  waiting = $state(false);
  /** What can be undone. */
  before = $state.raw<Before>();
  #asked = 0;
  /** Where the last request leads, before it is answered. */
  #heading = 0;
  /** A new move that the server has not confirmed: whoever goes elsewhere does so after it. */
  #playing: Promise<unknown> | undefined;

  /** The moves from the start to a node. */
  moves(node = this.current): string[] {
    return tree.movesTo(this.nodes, node);
  }

  at(node = this.current): GameState {
    return { ...this.state, moves: this.moves(node) };
  }

  /** What a node is known by, whatever happens to the tree. */
  key(node = this.current): string {
    return this.moves(node).join(" ");
  }

  children(node = this.current): number[] {
    return tree.children(this.nodes, node);
  }

  line(): number[] {
    return tree.lineThrough(this.nodes, this.current);
  }

  /** Begins a new game. */
  start(state: GameState): Promise<boolean> {
    return this.load({ state: { ...state, moves: [] }, nodes: [{}] });
  }

  /** Takes a whole game, and goes to one of its nodes; nothing changes if the server refuses it. */
  load(game: GameTree, at = 0): Promise<boolean> {
    const state = { ...game.state, moves: [] };
    const view = api.position({ ...state, moves: tree.movesTo(game.nodes, at) });
    return this.#when(view, at, () => {
      this.state = state;
      this.white = game.white ?? undefined;
      this.black = game.black ?? undefined;
      this.result = game.result ?? undefined;
      this.properties = game.properties;
      this.nodes = game.nodes;
      this.before = undefined;
    });
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
  add(line: readonly string[], from: number): void {
    this.nodes = tree.withLine(this.nodes, from, line).nodes;
  }

  /** Goes to a node. */
  async go(node: number): Promise<void> {
    await this.#playing;
    if (this.nodes[node]) await this.#when(api.position(this.at(node)), node, () => {});
  }

  /**
   * Plays a move from the current position, or goes to it where it has been played. One move at a time: a click on a
   * board that is about to change is not meant for the position that comes.
   */
  async play(move: string): Promise<void> {
    if (this.#playing) return;
    const from = this.current;
    const known = this.children(from).find((child) => this.nodes[child]?.move === move);
    if (known != null) return this.go(known);
    const view = api.position({ ...this.state, moves: [...this.moves(from), move] });
    this.#playing = this.#when(view, from, () => {
      const { nodes, end } = tree.withLine(this.nodes, from, [move]);
      this.nodes = nodes;
      return end;
    });
    await this.#playing;
    this.#playing = undefined;
  }

  async back(): Promise<void> {
    await this.#playing;
    await this.go(this.nodes[this.#heading]?.parent ?? 0);
  }

  async forward(): Promise<void> {
    await this.#playing;
    const next = this.children(this.#heading)[0];
    if (next != null) await this.go(next);
  }

  toStart(): Promise<void> {
    return this.go(0);
  }

  toEnd(): Promise<void> {
    return this.go(this.line().at(-1) ?? 0);
  }

  comment(text: string, node = this.current): void {
    this.nodes = this.nodes.map((other, place) => (place === node ? { ...other, comment: text || undefined } : other));
  }

  /** What is drawn on the board at the node that is looked at. */
  readonly drawing = $derived.by(() => drawings.read(this.#here));

  /** Draws something there, or takes it away. */
  draw(tool: drawings.Tool, cell: string, to?: string): void {
    this.#here = drawings.drawn(this.#here, tool, cell, to);
  }

  clearDrawing(): void {
    this.#here = drawings.cleared(this.#here);
  }

  /** The properties of the node that is looked at; those of the start belong to the game. */
  get #here(): FileProperty[] | undefined {
    return this.current === 0 ? this.properties : this.nodes[this.current]?.properties;
  }
  set #here(properties: FileProperty[] | undefined) {
    if (this.current === 0) this.properties = properties;
    else this.nodes = this.nodes.map((node, place) => (place === this.current ? { ...node, properties } : node));
  }

  /** Makes the variation of the current node the main line. */
  promote(): void {
    const { nodes, at } = tree.promoted(this.nodes, this.current);
    this.#forget();
    this.before = { nodes: this.nodes, current: this.current };
    this.nodes = nodes;
    this.current = this.#heading = at;
  }

  /** Removes the current node and all that follows it. */
  async remove(): Promise<void> {
    const gone = this.current;
    if (gone === 0) return;
    const before = { nodes: this.nodes, current: gone };
    const view = api.position(this.at(this.nodes[gone]?.parent ?? 0));
    await this.#when(view, this.nodes[gone]?.parent ?? 0, () => {
      const { nodes, at } = tree.without(this.nodes, gone);
      this.before = before;
      this.nodes = nodes;
      return at;
    });
  }

  /** Undoes the last change of the tree. */
  async undo(): Promise<void> {
    const { before } = this;
    if (!before) return;
    const view = api.position({ ...this.state, moves: tree.movesTo(before.nodes, before.current) });
    await this.#when(view, before.current, () => {
      this.nodes = before.nodes;
      this.before = undefined;
    });
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

  /** What was asked for before is not waited for any more. */
  #forget(): void {
    this.#asked++;
    this.waiting = false;
  }

  /** Changes the game once a position is known, unless something else is asked for before. */
  async #when(position: Promise<PositionView>, node: number, change: () => number | void): Promise<boolean> {
    const asked = ++this.#asked;
    this.#heading = node;
    this.waiting = true;
    try {
      const view = await position;
      if (asked !== this.#asked) return false;
      this.current = this.#heading = change() ?? node;
      this.view = view;
      this.error = "";
      return true;
    } catch (why) {
      if (asked === this.#asked) {
        this.#heading = this.current;
        this.error = (why as Error).message;
      }
      return false;
    } finally {
      if (asked === this.#asked) this.waiting = false;
    }
  }
}
