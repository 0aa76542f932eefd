// Interactive lessons on the rules of the games. A lesson has positions, moves and texts; the server computes what a move
// does, and whether it wins. e2e/layout.test.ts plays every solution.

import type { GameName, GameState, PositionView } from "./api";
import { change } from "./board/change";

/** What the learner's move has to do. */
export type Goal = "any" | "swap" | "capture two" | "win";

export interface Step {
  title: string;
  /** The explanation and the task. */
  text: string;
  state: GameState;
  /** Without a goal the step only shows a position. */
  goal?: Goal;
  /** A move that does it. */
  solution?: string;
  /** Shown after the right move, and after another one. */
  done?: string;
  missed?: string;
  /** Cells that the text mentions. */
  cells?: string[];
}

/** The lessons of a game are a file in `lessons` with its name, loaded on demand. */
const LESSONS = import.meta.glob<Step[]>("./lessons/*.ts", { import: "default" });
const file = (game: GameName) => `./lessons/${game}.ts`;

/** Whether a game has lessons: one without is taught by its rules alone. */
export const isTaught = (game: GameName): boolean => file(game) in LESSONS;

/** The lessons of a game. */
export const lessons = async (game: GameName): Promise<Step[]> => (await LESSONS[file(game)]?.()) ?? [];

/** Whether a move has done what it had to. */
export function reached(goal: Goal, move: string, before: PositionView, after: PositionView): boolean {
  switch (goal) {
    case "any":
      return true;
    case "swap":
      return move === "swap";
    case "capture two":
      return (change(before, after)?.gone.length ?? 0) >= 2;
    case "win":
      return after.outcome === before.to_move;
  }
}
