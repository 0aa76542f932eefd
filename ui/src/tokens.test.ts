// The contrast of every pair of colours that meet: 4.5:1 for text, 3:1 for marks and for what says that something can be
// used (WCAG 2.2, 1.4.3 and 1.4.11), in the light and in the dark.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const css = readFileSync(join(import.meta.dirname, "tokens.css"), "utf8");
const COLOUR = /--([\w-]+):\s*(?:light-dark\((#\w{6}),\s*(#\w{6})\)|(#\w{6}));/g;
const tokens = new Map(
  [...css.matchAll(COLOUR)].map(([, name = "", light, dark, both]) => [name, { light: light ?? both, dark: dark ?? both }]),
);

/** Relative luminance, as WCAG defines it. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const SURFACES = ["page", "panel", "well", "raised", "tint"];
const TILES = ["wood", "wood-edge", "wood-corner"];

/** What is written, and on what. */
const TEXTS: [string, string[]][] = [
  ["ink", SURFACES],
  ["muted", ["page", "panel", "well", "raised"]],
  ["accent", ["page", "panel", "raised", "tint"]],
  ["alert", ["page", "panel"]],
  ["good", ["page", "panel"]],
  ["on-accent", ["accent"]],
  ["panel", ["alert"]],
  ["wood-writing", ["wood-frame", "wood-frame-light"]],
  ["lava-writing", ["lava", "lava-light"]],
  ["ink-on-white", ["white-stone", "white-stone-shade", ...TILES]],
  ["ink-on-black", ["black-stone", "black-stone-light"]],
  ["lava-mark", ["pit", "pit-deep"]],
  ["on-best", ["best"]],
  ["on-other", ["other"]],
];

/** What is drawn, and what it must be told from. */
const MARKS: [string, string[]][] = [
  ["edge", ["page", "panel", "raised"]],
  ["accent", SURFACES],
  // Stones, or their rims, on what they stand on.
  ["white-stone-rim", [...TILES, "white-stone"]],
  ["black-stone", TILES],
  ["black-stone", ["lava", "lava-light"]],
  ["white-stone", ["pit", "pit-deep", "lava", "black-stone"]],
  // Cells.
  ["wood-groove", ["wood", "wood-edge"]],
  ["pit-deep", ["lava", "lava-light"]],
  // Marks on boards and stones.
  ["wood-mark", TILES],
  ["wood-alert", TILES],
  ["lava-mark", ["pit", "pit-deep", "lava"]],
  ["lava-alert", ["pit", "pit-deep"]],
  ["on-white", ["white-stone", "white-stone-shade"]],
  ["on-black", ["black-stone", "black-stone-light"]],
  ["win-line", ["white-stone"]],
  ["best", TILES],
];

for (const mode of ["light", "dark"] as const) {
  const worst = (pairs: [string, string[]][], least: number) =>
    pairs.flatMap(([above, grounds]) =>
      grounds.flatMap((ground) => {
        const [one, other] = [tokens.get(above)?.[mode], tokens.get(ground)?.[mode]];
        if (!one || !other) return [`${above} or ${ground} is no colour of tokens.css`];
        const found = contrast(one, other);
        return found < least ? [`${above} on ${ground}: ${found.toFixed(2)}`] : [];
      }),
    );

  test(`text can be read (${mode})`, () => expect(worst(TEXTS, 4.5)).toEqual([]));
  test(`marks can be seen (${mode})`, () => expect(worst(MARKS, 3)).toEqual([]));
}
