// What a move did to the stones: found by comparing two drawings, so that no rule has to be known here.

import type { CellView, PositionView } from "../api";

export interface Change {
  /** The stone that went from one cell to another. */
  moved?: { from: CellView; to: CellView };
  /** Cells with a stone where there was none. */
  come: CellView[];
  /** Cells whose stone has gone, as they were. */
  gone: CellView[];
  /** Cells whose stone has another colour. */
  turned: CellView[];
}

/** What happened between two positions, if it is one move or one move taken back. */
export function change(before: PositionView, after: PositionView): Change | undefined {
  if (before.cells.length !== after.cells.length || before.name !== after.name) return undefined;
  const old = new Map(before.cells.map((cell) => [cell.name, cell]));
  const now = new Map(after.cells.map((cell) => [cell.name, cell]));
  const come: CellView[] = [];
  const gone: CellView[] = [];
  const turned: CellView[] = [];
  for (const cell of after.cells) {
    const was = old.get(cell.name);
    if (!was) return undefined;
    if (was.stone === cell.stone) continue;
    if (!was.stone) come.push(cell);
    else if (!cell.stone) gone.push(was);
    else turned.push(cell);
  }
  const jump = (view: PositionView, of: Map<string, CellView>, [from, to]: [number, number]) => {
    const [source, target] = [old.get(view.last[from] ?? ""), now.get(view.last[to] ?? "")];
    const fits = source?.stone && source.stone === target?.stone && !of.get(source.name)?.stone;
    return view.last.length === 2 && fits ? { from: source, to: target } : undefined;
  };
  const forward = come.length === 1 ? jump(after, now, [0, 1]) : undefined;
  const moved = forward ?? (gone.length === 1 ? jump(before, now, [1, 0]) : undefined);
  if (moved) {
    return {
      moved,
      come: come.filter(({ name }) => name !== moved.to.name),
      gone: gone.filter(({ name }) => name !== moved.from.name),
      turned,
    };
  }
  const differences = come.length + gone.length + turned.length;
  return differences === 1 ? { come, gone, turned } : undefined;
}
