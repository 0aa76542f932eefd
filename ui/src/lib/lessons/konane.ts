// Kōnane: the opening, jumps, and who loses.

import type { GameState } from "../api";
import type { Step } from "../lesson";

const state = (rows: number, moves: string): GameState => ({
  game: "konane",
  board: { rows, cols: rows, swap: false },
  moves: moves.split(" ").filter(Boolean),
});

export default [
  {
    title: "Black opens",
    text: "The board is full. Black begins and takes off one black stone, in a corner or in the centre: those that are marked.",
    state: state(6, ""),
    goal: "any",
    solution: "d4",
    done: "There is a gap now, and White widens it.",
  },
  {
    title: "White answers",
    text: "White takes off a white stone beside the gap. Choose one of those that are marked.",
    state: state(6, "d4"),
    goal: "any",
    solution: "c4",
    done: "From now on stones jump.",
  },
  {
    title: "Jump",
    text: "A stone jumps in a straight line over a neighbour of the other colour to the empty pit behind it, and captures it. Choose a black stone, then the pit where it lands.",
    state: state(6, "d4 c4"),
    goal: "any",
    solution: "d2-d4",
    done: "The white stone is captured. There are no other moves: no steps, no diagonals.",
  },
  {
    title: "Jump on",
    text: "A stone that has landed may jump on in the same direction. White's stone on f1 can stop on f3, or capture two stones and land on f5. Capture two.",
    state: state(6, "f6 f5 d6-f6 f3-f5 f6-f4"),
    goal: "capture two",
    solution: "f1-f5",
    done: "Two captured. To stop earlier is allowed, to turn a corner is not.",
    missed: "That captures one. Choose f1, then the farther pit, f5.",
  },
  {
    title: "A player who cannot jump loses",
    text: "The number of stones does not count. Black is to move: find the jump after which White has none.",
    state: state(5, "a5 b5 a3-a5 d5-b5 c3-a3 c4-a4 e3-c3 d1-d5 b2-d2 e2-c2 e5-e3 b1-d1 e1-c1 c2-c4"),
    goal: "win",
    solution: "a5-e5",
    done: "White cannot jump: Black has won.",
    missed: "White can jump again after that. Try to jump farther.",
  },
] satisfies Step[];
