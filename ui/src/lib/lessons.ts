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

const havannah = (size: string, moves: string, swap = false): GameState => ({
  game: "havannah",
  board: { size, swap },
  moves: moves.split(" ").filter(Boolean),
});

const konane = (rows: number, moves: string): GameState => ({
  game: "konane",
  board: { rows, cols: rows, swap: false },
  moves: moves.split(" ").filter(Boolean),
});

const hex = (size: string, moves: string, swap = false): GameState => ({
  game: "hex",
  board: { size, swap },
  moves: moves.split(" ").filter(Boolean),
});

/** A game without lessons is taught by its rules alone. */
export const LESSONS: Partial<Record<GameName, Step[]>> = {
  havannah: [
    {
      title: "Place a stone",
      text: "White and Black place stones in turn, on any empty cell. Stones never move and are never captured. Place a white one.",
      state: havannah("4", ""),
      goal: "any",
      solution: "d4",
      done: "Now it would be Black's turn. Three structures win: the bridge, the fork and the ring.",
    },
    {
      title: "A bridge joins two corners",
      text: "White's chain joins two of the six corners, the cells with a pin. Any two will do. This game is won.",
      state: havannah("5", "c3 e5 d2 f6 b4 g6 e1 c5 a5 d6 e2 f3 b5 e7 d3 b2 c4"),
    },
    {
      title: "Now you: a bridge",
      text: "One stone is missing between two of White's corners. Place it.",
      state: havannah("4", "d1 c4 e2 d5 g4 e5"),
      goal: "win",
      solution: "f3",
      done: "A bridge: four stones from corner to corner.",
      missed: "That leaves the two corners apart. Look at the lower left side.",
    },
    {
      title: "A fork joins three edges",
      text: "White's group touches three of the six edges, the darker cells between the corners. Stones that the fork does not need are left unmarked.",
      state: havannah(
        "5",
        "e5 c5 f7 e6 c4 g7 g3 f3 a3 b3 g8 h8 f4 e4 d5 d4 g9 e7 b4 h5 g4 d6 f5 g6 f6",
      ),
    },
    {
      title: "Now you: a fork",
      text: "Three arms of White reach three edges. Join them with one stone.",
      state: havannah("4", "a2 b4 b2 c1 c3 c5 d5 d2 e6 d6 e7 f4 e4 f6 e3 g5 e2 b1"),
      goal: "win",
      solution: "d4",
      done: "A fork: one group on three edges.",
      missed: "The three arms are still apart. Look at the middle.",
    },
    {
      title: "A corner belongs to no edge",
      text: "This white group touches two edges and one corner: neither a fork nor a bridge, and the game goes on.",
      state: havannah(
        "5",
        "e5 c5 f7 e6 c4 g7 a3 b3 g8 h8 d5 d4 g9 e7 b4 f4 f6 d6 e4 g6 e2 f5 e1 d2 e3 f3",
      ),
      cells: ["a3", "g9", "e1"],
    },
    {
      title: "A ring goes around a cell",
      text: "White's stones close a loop around at least one cell. What is inside does not matter: an empty cell, a black stone, even a white one.",
      state: havannah("5", "d4 e5 d5 c4 e7 d7 f5 g6 e4 c5 f7 g7 d6 e3 f6"),
    },
    {
      title: "Now you: a ring",
      text: "Close the loop around the black stone in the middle.",
      state: havannah("4", "c3 d4 c4 b2 d5 f4 e5 e6 e4 c2"),
      goal: "win",
      solution: "d3",
      done: "The smallest ring: six stones around one cell.",
      missed: "The loop is still open. Which of the six neighbours of the black stone is free?",
    },
    {
      title: "The swap rule",
      text: "Moving first is an advantage, so Black may take over White's first stone instead of placing one. This stone is in the middle, which is too good to leave: swap.",
      state: havannah("4", "d4", true),
      goal: "swap",
      solution: "swap",
      done: "The stone is yours, and White is to move. A player who begins with too strong a move gives it away.",
      missed: "A stone of your own is allowed too, but the one in the middle is worth more: swap.",
    },
  ],
  konane: [
    {
      title: "Black opens",
      text: "The board is full. Black begins and takes off one black stone, in a corner or in the centre: those that are marked.",
      state: konane(6, ""),
      goal: "any",
      solution: "d4",
      done: "There is a gap now, and White widens it.",
    },
    {
      title: "White answers",
      text: "White takes off a white stone beside the gap. Choose one of those that are marked.",
      state: konane(6, "d4"),
      goal: "any",
      solution: "c4",
      done: "From now on stones jump.",
    },
    {
      title: "Jump",
      text: "A stone jumps in a straight line over a neighbour of the other colour to the empty pit behind it, and captures it. Choose a black stone, then the pit where it lands.",
      state: konane(6, "d4 c4"),
      goal: "any",
      solution: "d2-d4",
      done: "The white stone is captured. There are no other moves: no steps, no diagonals.",
    },
    {
      title: "Jump on",
      text: "A stone that has landed may jump on in the same direction. White's stone on f1 can stop on f3, or capture two stones and land on f5. Capture two.",
      state: konane(6, "f6 f5 d6-f6 f3-f5 f6-f4"),
      goal: "capture two",
      solution: "f1-f5",
      done: "Two captured. To stop earlier is allowed, to turn a corner is not.",
      missed: "That captures one. Choose f1, then the farther pit, f5.",
    },
    {
      title: "A player who cannot jump loses",
      text: "The number of stones does not count. Black is to move: find the jump after which White has none.",
      state: konane(5, "a5 b5 a3-a5 d5-b5 c3-a3 c4-a4 e3-c3 d1-d5 b2-d2 e2-c2 e5-e3 b1-d1 e1-c1 c2-c4"),
      goal: "win",
      solution: "a5-e5",
      done: "White cannot jump: Black has won.",
      missed: "White can jump again after that. Try to jump farther.",
    },
  ],
  hex: [
    {
      title: "Two sides each",
      text: "Black joins the top of the board with the bottom, White the left side with the right. They place stones in turn, on any empty cell; stones never move. Black begins: place a stone.",
      state: hex("5", ""),
      goal: "any",
      solution: "c3",
      done: "Now it would be White's turn. Whoever joins their two sides with a chain of neighbouring stones wins.",
    },
    {
      title: "A chain from side to side",
      text: "Black's chain reaches from the top to the bottom, and has won. White cannot get past it any more: one side always wins, and there are no draws.",
      state: hex("5", "c1 e1 c2 e2 b4 a1 b5 a2 c3"),
    },
    {
      title: "Now you: join the sides",
      text: "The upper and the lower part of Black's chain are not joined yet. One stone is enough.",
      state: hex("5", "c1 e1 c2 e2 b4 a1 b5 a2"),
      goal: "win",
      solution: "b3",
      done: "Joined from the top to the bottom. There were two cells for it.",
      missed: "The two parts are still apart. Look between c2 and b4.",
    },
    {
      title: "A gap with two ways",
      text: "White has taken one of the two cells between c2 and b4. Black takes the other: such a pair of stones is as good as joined.",
      state: hex("5", "c1 e1 c2 e2 b4 a1 b5 b3"),
      goal: "win",
      solution: "c3",
      done: "White could not cut both links at once. Good players often leave such gaps.",
      missed: "White takes the other cell now. Look between c2 and b4.",
    },
    {
      title: "The swap rule",
      text: "Moving first is an advantage, so White may take over Black's first stone instead of placing one: it becomes a white stone on the cell mirrored on the long diagonal. This stone is in the middle, which is too good to leave: swap.",
      state: hex("5", "c3", true),
      goal: "swap",
      solution: "swap",
      done: "The stone is yours, and Black is to move. A player who begins with too strong a move gives it away.",
      missed: "A stone of your own is allowed too, but the one in the middle is worth more: swap.",
    },
  ],
};

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
