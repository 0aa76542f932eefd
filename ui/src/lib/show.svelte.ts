// How boards are shown, on all pages.

import type { Game } from "./game.svelte";

export const show = $state({ pointUp: false, numbers: false });

/** The number of the move that put each stone where it is, if numbers are wanted. */
export function numbers(game: Game): Map<string, string> {
  const labels = new Map<string, string>();
  if (!show.numbers || !game.view) return labels;
  const stones = new Set(game.view.cells.filter((cell) => cell.stone).map((cell) => cell.name));
  game.moves().forEach((move, place) => {
    const [from = "", to] = move.split("-");
    if (to) labels.delete(from);
    const cell = to ?? from;
    if (stones.has(cell)) labels.set(cell, String(place + 1));
    else labels.delete(cell);
  });
  return labels;
}
