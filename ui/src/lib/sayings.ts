// Texts about a game.

import type { PositionView } from "./api";
import { SIDES, other, outcome, type Match, type Side } from "./match";
import { capital } from "./words";

/** How the game stands, at the position that is shown. */
export function verdict(match: Match, shown: PositionView | undefined, nameOf: (side: Side) => string): string {
  if (match.at != null) return shown?.state ?? "";
  // Not that of what is shown: until the position of a game is known, another stays on the board.
  const state = match.position?.state ?? "";
  if (match.end) {
    const { loser, by } = match.end;
    const why = by === "time" ? `${loser} ran out of time` : `${loser} resigned`;
    return `${capital(other(loser))} wins: ${why}.`;
  }
  const won = outcome(match);
  const [structure, { players }] = [match.position?.structure, match.setup];
  const humans = SIDES.filter((side) => players[side].kind === "human");
  // Somebody alone at the screen hears it as theirs.
  if (!won || won === "draw" || !structure || humans.length !== 1) return state;
  return `${humans[0] === won ? "You" : nameOf(won)} won with a ${structure}.`;
}

/** The next thing to do, for players who do not know the rules. */
export function advice(match: Match): string {
  const view = match.position;
  if (!view) return "";
  const kinds = new Set(view.legal.map(({ kind }) => kind));
  if (kinds.has("remove")) {
    const beside = match.moves.length === 0 ? "" : ", beside the gap";
    return `Take off one of the marked ${view.to_move} stones${beside}.`;
  }
  if (kinds.has("jump")) {
    return "Choose a stone that can jump, then the pit where it lands.";
  }
  if (kinds.has("swap")) {
    return `${capital(view.to_move)} may take the first stone over instead of answering it: then it is ${capital(view.to_move)}'s.`;
  }
  if (match.moves.length === 0 && match.setup.start.board?.swap) {
    return "Click a cell to place a stone. Do not choose too strong a cell: the other side may take the stone over.";
  }
  return "";
}
