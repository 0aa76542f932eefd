// How moves are written: nothing of their rules.

/** The cell in which a written move ends: `d6` of `d4-d6`. */
export const endOfNotation = (move: string): string => move.split("-").at(-1) ?? move;
