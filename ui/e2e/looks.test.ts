// Each page as it looks in the light, in the dark and on a phone, compared with the pictures of docs/web.md, pixel by
// pixel: `npm run pictures` takes them anew. What a search would say is told here, so that it is the same everywhere.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { BrowserContextOptions, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { chromium, server } from "./app";
import type { Found } from "../src/lib/api";
import { open } from "./papamu";

const bless = process.env.BLESS !== undefined;
const images = resolve(import.meta.dirname, "../../docs/images");
/** Where a picture is left that is not as it should be. */
const seen = resolve(import.meta.dirname, "../node_modules/.looks");

/** A pixel differs if one of its colours does by more than this, of 255; so many may, of all. */
const TOLERANCE = 20;
const SHARE = 0.004;
/** How many times a page that differs is looked at again. */
const AGAIN = 40;

const MODES: Record<string, BrowserContextOptions> = {
  light: { viewport: { width: 1080, height: 680 }, colorScheme: "light" },
  dark: { viewport: { width: 1080, height: 680 }, colorScheme: "dark" },
  phone: { viewport: { width: 390, height: 780 }, colorScheme: "light", hasTouch: true },
};

const candidate = (move: string, value: number, visits: number, line: string[] = []) => ({ move, value, visits, line });
const FOUND: Found = {
  moves: [
    candidate("e4", 0.612, 24_000, ["e4", "d3", "f5"]),
    candidate("d3", 0.583, 9_000),
    candidate("f5", 0.541, 5_200),
    candidate("c4", 0.498, 2_100),
    candidate("g6", 0.447, 700),
  ],
  side: "white",
  value: 0.608,
  work: 41_000,
  rate: 12_000,
  depth: 9,
  line: ["e4", "d3", "f5", "c4"],
} as unknown as Found;

/** What a review says of each move: the values before and after it, and the mark. */
const REVIEWED = [
  [0.53, 0.53, "", "d4"], [0.48, 0.46, "", "f6"], [0.55, 0.54, "", "c5"], [0.47, 0.31, "?", "e4"],
  [0.69, 0.66, "", "e3"], [0.36, 0.36, "", "e6"], [0.64, 0.57, "?!", "g6"], [0.44, 0.44, "", "f8"],
] as const;
const MOVES = ["d4", "f6", "c5", "g5", "e3", "e6", "b4", "f8"];
const reviewed = REVIEWED.map(([before, value, mark, best], place) => ({
  ply: place + 1,
  side: place % 2 === 0 ? "white" : "black",
  move: MOVES[place],
  before,
  value,
  loss: before - value,
  margin: 0.03,
  mark,
  mistake: { "?": "mistake", "?!": "inaccuracy" }[mark as string],
  best,
  line: [best, "d3", "f5"],
  reply: ["e4", "f5"],
}));

const SOLVED = {
  outcome: "white", line: ["c2", "b2", "c3"], nodes: 21_840, seconds: 0.42, stop: "proven",
  certificate: 7,
};
const reply = (move: string, answer: string, plies: number, positions: number) => ({ move, answer, plies, positions });
const PLACE = {
  to_move: "black", claim: "white wins", state: "answers", plies: 9, settled: 14, line: ["c2", "b2", "c3", "b3", "c1", "d3", "e5"],
  replies: [reply("c2", "b2", 9, 61), reply("b2", "c2", 7, 40), reply("b3", "b2", 7, 33), reply("c3", "b2", 5, 12), reply("d3", "b2", 3, 4)],
};

const EXPERIMENT = {
  title: "Seconds a turn", description: "How long the players without a window take for a move.",
  progress: { id: "turns", name: "turns", scale: "full", unit: "pairs", finished: false, done: 480, open: 20, leased: 2, games: 960, seconds_left: 95 },
  facts: [{ name: "Players", value: "ab, dab, dabs" }],
  points: [],
  parts: [{
    title: "Seconds a turn, of the players without window", text: "95 % intervals.", figure: "seconds", version: "1",
  }],
};
const progress = (name: string, done: number, open: number, scale = "full", rest = {}) => ({
  id: name, name, scale, unit: "pairs", finished: open === 0, done, open, leased: 0, games: 2 * done, seconds_left: null, ...rest,
});
const EXPERIMENTS = [
  progress("rave-against-uct", 12, 0, "quick"),
  progress("turns", 480, 20, "full", { leased: 2, seconds_left: 95 }),
  progress("levels-konane", 0, 400),
];
const SAVED = [
  { title: "A fork at last", sgf: "(;GM[havannah]SZ[5]DIALECT[grid]PW[Ann]PB[Bob];W[e5];B[c5];W[f7];B[e6];W[c4];B[g7];W[g3];B[f3];W[a3];B[b3];W[g8];B[h8];W[f4];B[e4];W[d5];B[d4];W[g9];B[e7];W[b4];B[h5];W[g4];B[d6];W[f5];B[g6];W[f6])" },
  { title: "Kōnane on the porch", sgf: "(;GM[konane]SZ[8];B[d4];W[c4];B[f4-d4];W[e2-e4];B[e5-e3])" },
  { title: "Hex", sgf: "(;GM[hex]SZ[7];B[d4];W[c5];B[e3];W[b6])" },
].map((game, id) => ({ ...game, id, saved: 1_699_963_200 }));
const FIGURE = readFileSync(resolve(import.meta.dirname, "../../docs/lab/experiments/pictures/experiment-1-2-seconds.svg"));

const PUZZLE = { state: { game: "havannah", board: { size: "5", swap: false }, moves: MOVES }, side: "white", best: "e4" };

const GAME = "game=havannah&size=5&moves=d4.f6.c5.g5.e3.e6.b4.f8";
const PAGES: Record<string, { path: string; prepare?: (page: Page) => Promise<void> }> = {
  play: { path: `play?${GAME}` },
  konane: { path: "play?game=konane&rows=8&cols=8&moves=d4.c4.f4-d4.e2-e4.e5-e3" },
  new: { path: "play", prepare: (page) => page.getByRole("button", { name: "New game" }).click() },
  won: {
    path: "play?game=havannah&size=5&moves=e5.c5.f7.e6.c4.g7.g3.f3.a3.b3.g8.h8.f4.e4.d5.d4.g9.e7.b4.h5.g4.d6.f5.g6.f6",
  },
  learn: {
    path: "learn/konane",
    prepare: async (page) => {
      await page.getByRole("button", { name: "4: Jump on" }).click();
      await page.getByRole("button", { name: "Show me" }).click();
      await page.getByText("Two captured.").waitFor();
      // How far the page was scrolled for the buttons depends on when each was there.
      await page.evaluate(() => scrollTo(0, 0));
    },
  },
  analyse: {
    path: `analyse?${GAME}`,
    prepare: async (page) => {
      await page.getByRole("button", { name: "Analyse", exact: true }).click();
      await page.locator("tbody tr").nth(4).waitFor();
    },
  },
  "set-up": {
    path: "analyse?game=konane&rows=6&cols=6",
    prepare: async (page) => {
      await page.getByRole("button", { name: "Set up" }).click();
      await page.getByRole("radio", { name: "No stone" }).check();
      for (const name of ["d4", "c4", "b4", "d3", "c3"]) await page.locator(`#cell-${name}`).click();
      await page.locator("button:enabled", { hasText: "Use this position" }).waitFor();
    },
  },
  review: { path: "review" },
  reviewed: {
    path: `review?${GAME}`,
    prepare: async (page) => {
      await page.getByRole("button", { name: "Review", exact: true }).click();
      await page.getByText("8 of 8 moves").waitFor();
    },
  },
  solve: { path: "solve?game=havannah&size=4&moves=b1.d2.a2.e4" },
  proof: {
    path: "solve?game=havannah&size=4&moves=b1.d2.a2.e4.d4",
    prepare: async (page) => {
      await page.getByRole("button", { name: "Solve", exact: true }).click();
      await page.getByRole("button", { name: "Walk the proof" }).click();
      await page.getByText("has an answer").waitFor();
    },
  },
  hex: { path: "play?game=hex&size=7&moves=d4.c5.e3.b6" },
  puzzle: { path: "puzzles/havannah/7", prepare: (page) => page.getByText("to play and win").waitFor() },
  experiments: { path: "experiments", prepare: (page) => page.getByText("levels-konane").waitFor() },
  "no-experiments": {
    path: "experiments",
    prepare: async (page) => {
      await page.routeWebSocket("**/api/live", (socket) =>
        socket.onMessage((message) => {
          const { id } = JSON.parse(String(message)) as { id: number };
          socket.send(JSON.stringify({ id, type: "experiments", experiments: [] }));
        }),
      );
      await page.reload();
      await page.getByText("No experiments yet").waitFor();
    },
  },
  experiment: {
    path: "experiments/turns",
    prepare: async (page) => {
      const figure = page.getByRole("img", { name: /Seconds a turn/ });
      await figure.evaluate((image: HTMLImageElement) => image.decode());
    },
  },
  saved: {
    path: "saved",
    prepare: async (page) => {
      await page.getByText("A fork at last").waitFor();
      // A picture is drawn where it is seen.
      const drawn = () =>
        [...document.querySelectorAll("li .picture")].every((one) => one.querySelector("svg") || one.getBoundingClientRect().top > innerHeight);
      await page.waitForFunction(drawn);
    },
  },
};

/** A page that works on pictures. */
let workshop: Page;
beforeAll(async () => {
  workshop = await chromium.newPage();
});

/** A picture in the form in which they are kept: a tenth of the size. */
async function packed(png: Buffer): Promise<Buffer> {
  const packed = await workshop.evaluate(async (source) => {
    const image = new Image();
    image.src = `data:image/png;base64,${source}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width, image.height];
    canvas.getContext("2d")?.drawImage(image, 0, 0);
    return canvas.toDataURL("image/webp", 0.85).split(",")[1] ?? "";
  }, png.toString("base64"));
  return Buffer.from(packed, "base64");
}

/** The share of pixels that differ between two pictures; 1 if their sizes do. */
function difference(one: Buffer, other: Buffer): Promise<number> {
  return workshop.evaluate(
    async ([sources, tolerance]) => {
      const [one, other] = await Promise.all(
        sources.map(async (source) => {
          const image = new Image();
          image.src = `data:image/webp;base64,${source}`;
          await image.decode();
          const canvas = new OffscreenCanvas(image.width, image.height);
          const context = canvas.getContext("2d");
          context?.drawImage(image, 0, 0);
          return { size: `${image.width}x${image.height}`, data: context?.getImageData(0, 0, image.width, image.height).data };
        }),
      );
      if (!one?.data || !other?.data || one.size !== other.size) return 1;
      let differing = 0;
      for (let at = 0; at < one.data.length; at += 4) {
        const far = [0, 1, 2].some((part) => Math.abs((one.data?.[at + part] ?? 0) - (other.data?.[at + part] ?? 0)) > tolerance);
        if (far) differing++;
      }
      return differing / (one.data.length / 4);
    },
    [[one.toString("base64"), other.toString("base64")], TOLERANCE] as const,
  );
}

/** Answers what the page asks of a search. */
async function tell(page: Page): Promise<void> {
  await page.routeWebSocket("**/api/live", (socket) =>
    socket.onMessage((message) => {
      const { type, id, experiment } = JSON.parse(String(message)) as { type: string; id: number; experiment?: string | null };
      const send = (told: object) => socket.send(JSON.stringify({ id, ...told }));
      if (type === "analyse") send({ type: "analysis", found: FOUND });
      if (type === "review") {
        for (const one of reviewed) send({ type: "reviewed", reviewed: one });
        send({ type: "finished" });
      }
      if (type === "solve") {
        send({ type: "solved", solved: SOLVED });
        send({ type: "finished" });
      }
      if (type === "puzzle") {
        send({ type: "puzzle", puzzle: PUZZLE });
        send({ type: "finished" });
      }
      if (type === "watch") send(experiment == null ? { type: "experiments", experiments: EXPERIMENTS } : { type: "experiment", report: EXPERIMENT });
    }),
  );
  await page.route("**/api/certificates/7/explore", (route) => route.fulfill({ json: PLACE }));
  await page.route("**/api/experiments/turns/figures/**", (route) => route.fulfill({ contentType: "image/svg+xml", body: FIGURE }));
  await page.route("**/api/saved", (route) => route.fulfill({ json: SAVED }));
  for (const { id, sgf } of SAVED) await page.route(`**/api/saved/${id}`, (route) => route.fulfill({ contentType: "text/plain", body: sgf }));
  await page.route("**/api/experiments/turns/games/**", (route) => route.fulfill({ json: [] }));
}

/** A picture of the page, and the share of its pixels that differ from the one that is kept. */
async function look(page: Page, file: string): Promise<{ now: Buffer; share: number }> {
  const now = await packed(await page.screenshot({ caret: "hide" }));
  return { now, share: existsSync(file) ? await difference(readFileSync(file), now) : 1 };
}

for (const [mode, options] of Object.entries(MODES)) {
  test(`pages look as they should: ${mode}`, async () => {
    const context = await chromium.newContext({ ...options, reducedMotion: "reduce" });
    const wrong: string[] = [];
    for (const [name, { path, prepare }] of Object.entries(PAGES)) {
      const page = await context.newPage();
      await tell(page);
      await page.goto(`${server.address}#/${path}`);
      await page.locator("#app:not([aria-busy]) main section").first().waitFor();
      if (path.includes("?")) await page.locator("svg.board").waitFor();
      await prepare?.(page);
      await page.mouse.move(0, 0);
      await page.evaluate(() => document.fonts.ready);
      const file = join(images, `web-${name}-${mode}.webp`);
      let { now, share } = await look(page, file);
      // On a busy machine a page is drawn in more than one step.
      for (let again = 0; !bless && share > SHARE && again < AGAIN; again++) {
        await page.waitForTimeout(500);
        ({ now, share } = await look(page, file));
      }
      await page.close();
      if (bless) writeFileSync(file, now);
      if (bless || share <= SHARE) continue;
      mkdirSync(seen, { recursive: true });
      writeFileSync(join(seen, `web-${name}-${mode}.webp`), now);
      wrong.push(`${name}: ${(100 * share).toFixed(2)} % of the pixels differ; see ${seen}`);
    }
    await context.close();
    expect(wrong).toEqual([]);
  });
}

test("the fonts are those of the app", async () => {
  const page = await open(chromium, server, "play");
  await page.evaluate(() => document.fonts.ready);
  const loaded = await page.evaluate(() => [...document.fonts].filter(({ status }) => status === "loaded").map(({ family }) => family));
  expect(loaded).toContain("Figtree");
  await page.close();
});
