// Stones that move: in 180 ms, and at once where somebody wishes reduced motion.

import type { Change } from "./change";

const DURATION = 180;
const SMOOTH: KeyframeAnimationOptions = { duration: DURATION, easing: "cubic-bezier(0.3, 0.1, 0.2, 1)" };

export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Plays what changed on the stones of a board, which are drawn already as they are now. */
export function play(change: Change, stone: (name: string) => Element | null | undefined): void {
  if (still()) return;
  const { moved, come, turned } = change;
  if (moved) {
    const [dx, dy] = [moved.from.x - moved.to.x, moved.from.y - moved.to.y];
    stone(moved.to.name)?.animate(
      [
        { transform: `translate(${dx}px, ${dy}px)` },
        { transform: `translate(${0.5 * dx}px, ${0.5 * dy}px) scale(1.12)` },
        { transform: "none" },
      ],
      SMOOTH,
    );
  }
  for (const { name } of come) {
    stone(name)?.animate([{ transform: "scale(1.25)", opacity: 0 }, { transform: "none", opacity: 1 }], SMOOTH);
  }
  for (const { name } of turned) {
    stone(name)?.animate([{ transform: "scaleX(0.05)" }, { transform: "none" }], SMOOTH);
  }
}

/** Takes a stone away that is drawn for the last time. */
export function leave(element: Element, done: () => void): void {
  if (still()) return done();
  const leaving = element.animate(
    [
      { transform: "none", opacity: 1 },
      { transform: "none", opacity: 1, offset: 0.35 },
      { transform: "scale(0.5)", opacity: 0 },
    ],
    { duration: DURATION, easing: "ease-in", fill: "forwards" },
  );
  leaving.onfinish = done;
  leaving.oncancel = done;
}
