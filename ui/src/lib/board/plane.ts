// The plane that a board is drawn on.

export interface Point {
  x: number;
  y: number;
}

/** As the `points` of a polygon. */
export const written = (points: Point[]) => points.map(({ x, y }) => `${round(x)},${round(y)}`).join(" ");

export const round = (value: number) => Math.round(10 * value) / 10;

/** The view box that holds some points, and so much around them. */
export function frame(points: Point[], margin: number): string {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [left, top] = [Math.min(...xs) - margin, Math.min(...ys) - margin];
  return [left, top, Math.max(...xs) + margin - left, Math.max(...ys) + margin - top].map(round).join(" ");
}

/** A number between 0 and 1 that belongs to a name: what is irregular stays as it is. */
export function chanceOf(name: string): number {
  let hash = 7;
  for (const letter of name) hash = (hash * 31 + letter.charCodeAt(0)) % 1009;
  return hash / 1009;
}

/** The nearest point in a direction: what is aside counts double. */
export function nearest<P extends Point>(points: P[], of: Point, [dx, dy]: [number, number], pitch: number): P | undefined {
  let best: { point: P; cost: number } | undefined;
  for (const point of points) {
    const [x, y] = [point.x - of.x, point.y - of.y];
    const ahead = x * dx + y * dy;
    if (ahead < 0.3 * pitch) continue;
    const cost = ahead + 2 * Math.abs(x * dy - y * dx);
    if (!best || cost < best.cost - 1e-6) best = { point, cost };
  }
  return best?.point;
}

/** The point that is nearest to a place, if one is within a distance. */
export function closest<P extends Point>(points: P[], to: Point, within: number): P | undefined {
  let best: { point: P; far: number } | undefined;
  for (const point of points) {
    const far = Math.hypot(point.x - to.x, point.y - to.y);
    if (far <= within && (!best || far < best.far)) best = { point, far };
  }
  return best?.point;
}
