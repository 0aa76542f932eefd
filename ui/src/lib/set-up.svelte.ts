// A position that somebody sets up: stones on cells, and who moves. The server says whether it is a position of the game.

import * as api from "./api";
import type { Board, CellView, GameState, PositionView } from "./api";
import { SIDES, type Side } from "./match";

/** What choosing a cell puts there. */
export type Brush = Side | "empty";

/** The stones of a view, by their cells. */
const stonesOf = (view: PositionView) =>
  new Map(view.cells.flatMap(({ name, stone }) => (stone ? [[name, stone as Side] as const] : [])));

/** A board without anything set up on it, by the rules under which positions are. */
function bare({ stones, turn, setup, opening, ...board }: Board): Board {
  return { ...board, swap: false };
}

export class SetUp {
  brush = $state<Brush>("white");
  turn = $state<Side>("white");
  /** What the server says of it: why it is no position, or the position. */
  problem = $state("");
  position = $state.raw<PositionView>();
  #stones = $state.raw<ReadonlyMap<string, Side>>(new Map());
  #board: Board;
  #asked = 0;

  /** Begins with the position of a game, which stays as it is. Cells have their names in the default dialect. */
  constructor(
    readonly game: GameState["game"],
    board: Board,
    readonly first: PositionView,
  ) {
    this.#board = bare(board);
    this.turn = first.to_move as Side;
    this.#stones = stonesOf(first);
    void this.#look();
  }

  /** The board with the stones that are on it so far. */
  readonly view = $derived.by((): PositionView => {
    const cells = this.first.cells.map((cell): CellView => ({ ...cell, stone: this.#stones.get(cell.name), number: undefined }));
    const state = this.problem || `Set up: ${this.turn} to move.`;
    return { ...this.first, cells, state, to_move: this.turn, outcome: undefined, structure: undefined, last: [], winning: [], legal: [], played: [] };
  });

  get state(): GameState {
    const words = SIDES.flatMap((side) => {
      const own = this.first.cells.filter(({ name }) => this.#stones.get(name) === side);
      return own.length > 0 ? [side, ...own.map(({ name }) => name)] : [];
    });
    return { game: this.game, board: { ...this.#board, stones: words.join(" "), turn: this.turn }, moves: [] };
  }

  /** Puts what the brush has on a cell; where it is already, the cell becomes empty. */
  choose(cell: string): void {
    const stones = new Map(this.#stones);
    if (this.brush === "empty" || stones.get(cell) === this.brush) stones.delete(cell);
    else stones.set(cell, this.brush);
    this.#change(stones);
  }

  moves(side: Side): void {
    this.turn = side;
    void this.#look();
  }

  clear(): void {
    this.#change(new Map());
  }

  /** The stones of the start of a game. */
  async begin(): Promise<void> {
    try {
      this.#change(stonesOf(await api.position({ game: this.game, board: this.#board, moves: [] })));
    } catch (why) {
      this.problem = (why as Error).message;
    }
  }

  #change(stones: ReadonlyMap<string, Side>): void {
    this.#stones = stones;
    void this.#look();
  }

  async #look(): Promise<void> {
    const asked = ++this.#asked;
    let [position, problem]: [PositionView | undefined, string] = [undefined, ""];
    try {
      position = await api.position(this.state);
    } catch (why) {
      problem = (why as Error).message;
    }
    if (asked !== this.#asked) return;
    this.position = position;
    this.problem = problem;
  }
}
