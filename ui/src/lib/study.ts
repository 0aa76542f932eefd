// What is known of games besides their moves: reviews, and chances that an analysis found. Both are kept in the browser, by
// the moves they are about, so that they outlive the page and any change of variations; and they are saved with a game.

import type { GameState, GameTree, Reviewed } from "./api";
import { Shelf } from "./kept";
import { lineThrough, movesTo } from "./tree";

export interface Review {
  simulations: number;
  /** The moves that have been reviewed, from the first on. */
  reviewed: Reviewed[];
}

/** White's chances by the moves that lead to a position, separated by spaces. */
export type Chances = Record<string, number>;

interface Study {
  review?: Review;
  chances?: Chances;
}

export const reviews = new Shelf<Review>("reviews");
export const chances = new Shelf<Chances>("chances");

/** What a board is known by. */
export function boardKey({ game, board, dialect }: GameState): string {
  const { size, rows, cols, setup, opening, swap } = board ?? {};
  return JSON.stringify([game, size, rows, cols, setup, opening, swap ?? false, dialect ?? "grid"]);
}

/** What the moves of a game are known by. */
export const gameKey = (state: GameState, moves: readonly string[]): string => `${boardKey(state)} ${moves.join(" ")}`;

const mainLine = ({ nodes }: GameTree): string[] => movesTo(nodes, lineThrough(nodes, 0).at(-1) ?? 0);

/** What is known of a game, as text. */
export function written(game: GameTree): string | undefined {
  const review = reviews.get(gameKey(game.state, mainLine(game)));
  const all = chances.get(boardKey(game.state)) ?? {};
  const own = new Set(game.nodes.map((_, node) => movesTo(game.nodes, node).join(" ")));
  const known = Object.entries(all).filter(([key]) => own.has(key));
  if (!review && known.length === 0) return undefined;
  return JSON.stringify({ review, chances: Object.fromEntries(known) } satisfies Study);
}

/** Takes over what is known of a game that was saved. */
export function read(game: GameTree, text: string): void {
  const { review, chances: known } = JSON.parse(text) as Study;
  if (review) reviews.put(gameKey(game.state, mainLine(game)), review);
  const key = boardKey(game.state);
  if (known) chances.put(key, { ...chances.get(key), ...known });
}
