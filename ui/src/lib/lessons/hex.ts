// Hex: two sides each, gaps with two ways, the swap rule.

import type { GameState } from "../api";
import type { Step } from "../lesson";

const state = (size: string, moves: string, swap = false): GameState => ({
  game: "hex",
  board: { size, swap },
  moves: moves.split(" ").filter(Boolean),
});

export default [
  {
    title: "Two sides each",
    text: "Black joins the top of the board with the bottom, White the left side with the right. They place stones in turn, on any empty cell; stones never move. Black begins: place a stone.",
    state: state("5", ""),
    goal: "any",
    solution: "c3",
    done: "Now it would be White's turn. Whoever joins their two sides with a chain of neighbouring stones wins.",
  },
  {
    title: "A chain from side to side",
    text: "Black's chain reaches from the top to the bottom, and has won. White cannot get past it any more: one side always wins, and there are no draws.",
    state: state("5", "c1 e1 c2 e2 b4 a1 b5 a2 c3"),
  },
  {
    title: "Now you: join the sides",
    text: "The upper and the lower part of Black's chain are not joined yet. One stone is enough.",
    state: state("5", "c1 e1 c2 e2 b4 a1 b5 a2"),
    goal: "win",
    solution: "b3",
    done: "Joined from the top to the bottom. There were two cells for it.",
    missed: "The two parts are still apart. Look between c2 and b4.",
  },
  {
    title: "A gap with two ways",
    text: "White has taken one of the two cells between c2 and b4. Black takes the other: such a pair of stones is as good as joined.",
    state: state("5", "c1 e1 c2 e2 b4 a1 b5 b3"),
    goal: "win",
    solution: "c3",
    done: "White could not cut both links at once. Good players often leave such gaps.",
    missed: "White takes the other cell now. Look between c2 and b4.",
  },
  {
    title: "The swap rule",
    text: "Moving first is an advantage, so White may take over Black's first stone instead of placing one: it becomes a white stone on the cell mirrored on the long diagonal. This stone is in the middle, which is too good to leave: swap.",
    state: state("5", "c3", true),
    goal: "swap",
    solution: "swap",
    done: "The stone is yours, and Black is to move. A player who begins with too strong a move gives it away.",
    missed: "A stone of your own is allowed too, but the one in the middle is worth more: swap.",
  },
] satisfies Step[];
