// How boards are shown, on all pages; the browser remembers it.

import type { PositionView } from "./api";
import { keep, recall } from "./kept";

const SHOWN = {
  /** Whether a corner of a hexagonal board is on top, instead of an edge. */
  pointUp: false,
  /** Whether stones have the numbers of their moves. */
  numbers: false,
  /** Whether players of the program take a moment for a move that they find at once. */
  moment: true,
};

export const show = $state({ ...SHOWN, ...recall<Partial<typeof SHOWN>>("show") });

/** Remembers how boards are shown. */
export const keepShown = () => void keep("show", show);

/** The number of the move that put each stone where it is, if numbers are wanted. */
export function numbers(view: PositionView | undefined): Map<string, string> {
  const numbered = show.numbers ? (view?.cells.filter((cell) => cell.number != null) ?? []) : [];
  return new Map(numbered.map((cell) => [cell.name, String(cell.number)]));
}
