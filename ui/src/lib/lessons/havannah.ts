// Havannah: placing, the three structures, the swap rule.

import type { GameState } from "../api";
import type { Step } from "../lesson";

const state = (size: string, moves: string, swap = false): GameState => ({
  game: "havannah",
  board: { size, swap },
  moves: moves.split(" ").filter(Boolean),
});

export default [
  {
    title: "Place a stone",
    text: "White and Black place stones in turn, on any empty cell. Stones never move and are never captured. Place a white one.",
    state: state("4", ""),
    goal: "any",
    solution: "d4",
    done: "Now it would be Black's turn. Three structures win: the bridge, the fork and the ring.",
  },
  {
    title: "A bridge joins two corners",
    text: "White's chain joins two of the six corners, the cells with a pin. Any two will do. This game is won.",
    state: state("5", "c3 e5 d2 f6 b4 g6 e1 c5 a5 d6 e2 f3 b5 e7 d3 b2 c4"),
  },
  {
    title: "Now you: a bridge",
    text: "One stone is missing between two of White's corners. Place it.",
    state: state("4", "d1 c4 e2 d5 g4 e5"),
    goal: "win",
    solution: "f3",
    done: "A bridge: four stones from corner to corner.",
    missed: "That leaves the two corners apart. Look at the lower left side.",
  },
  {
    title: "A fork joins three edges",
    text: "White's group touches three of the six edges, the darker cells between the corners. Stones that the fork does not need are left unmarked.",
    state: state(
      "5",
      "e5 c5 f7 e6 c4 g7 g3 f3 a3 b3 g8 h8 f4 e4 d5 d4 g9 e7 b4 h5 g4 d6 f5 g6 f6",
    ),
  },
  {
    title: "Now you: a fork",
    text: "Three arms of White reach three edges. Join them with one stone.",
    state: state("4", "a2 b4 b2 c1 c3 c5 d5 d2 e6 d6 e7 f4 e4 f6 e3 g5 e2 b1"),
    goal: "win",
    solution: "d4",
    done: "A fork: one group on three edges.",
    missed: "The three arms are still apart. Look at the middle.",
  },
  {
    title: "A corner belongs to no edge",
    text: "This white group touches two edges and one corner: neither a fork nor a bridge, and the game goes on.",
    state: state(
      "5",
      "e5 c5 f7 e6 c4 g7 a3 b3 g8 h8 d5 d4 g9 e7 b4 f4 f6 d6 e4 g6 e2 f5 e1 d2 e3 f3",
    ),
    cells: ["a3", "g9", "e1"],
  },
  {
    title: "A ring goes around a cell",
    text: "White's stones close a loop around at least one cell. What is inside does not matter: an empty cell, a black stone, even a white one.",
    state: state("5", "d4 e5 d5 c4 e7 d7 f5 g6 e4 c5 f7 g7 d6 e3 f6"),
  },
  {
    title: "Now you: a ring",
    text: "Close the loop around the black stone in the middle.",
    state: state("4", "c3 d4 c4 b2 d5 f4 e5 e6 e4 c2"),
    goal: "win",
    solution: "d3",
    done: "The smallest ring: six stones around one cell.",
    missed: "The loop is still open. Which of the six neighbours of the black stone is free?",
  },
  {
    title: "The swap rule",
    text: "Moving first is an advantage, so Black may take over White's first stone instead of placing one. This stone is in the middle, which is too good to leave: swap.",
    state: state("4", "d4", true),
    goal: "swap",
    solution: "swap",
    done: "The stone is yours, and White is to move. A player who begins with too strong a move gives it away.",
    missed: "A stone of your own is allowed too, but the one in the middle is worth more: swap.",
  },
] satisfies Step[];
