// Each page as it looks in the light, in the dark and on a phone, compared with the pictures of docs/web.md, pixel by
// pixel: `npm run pictures` takes them anew. What a search would say is told here, so that it is the same everywhere.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Found } from "../src/lib/api";
import { Server, browser, open } from "./papamu";

const bless = process.env.BLESS !== undefined;
const images = resolve(import.meta.dirname, "../../docs/images");
/** Where a picture is left that is not as it should be. */
const seen = resolve(import.meta.dirname, "../node_modules/.looks");

/** A pixel differs if one of its colours does by more than this, of 255; so many may, of all. */
const TOLERANCE = 20;
const SHARE = 0.004;

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
    },
  },
  analyse: {
    path: `analyse?${GAME}`,
    prepare: async (page) => {
      await page.getByRole("button", { name: "Analyse", exact: true }).click();
      await page.locator("tbody tr").nth(4).waitFor();
    },
  },
  review: { path: "review" },
  solve: { path: "solve?game=havannah&size=4&moves=b1.d2.a2.e4" },
  experiments: { path: "experiments" },
  saved: { path: "saved" },
};

let chromium: Browser;
const server = new Server();

beforeAll(async () => {
  await server.start();
  chromium = await browser();
});
afterAll(async () => {
  await chromium?.close();
  await server.remove();
});

/** A picture in the form in which they are kept: a tenth of the size. */
async function packed(png: Buffer): Promise<Buffer> {
  const page = await chromium.newPage();
  const packed = await page.evaluate(async (source) => {
    const image = new Image();
    image.src = `data:image/png;base64,${source}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width, image.height];
    canvas.getContext("2d")?.drawImage(image, 0, 0);
    return canvas.toDataURL("image/webp", 0.85).split(",")[1] ?? "";
  }, png.toString("base64"));
  await page.close();
  return Buffer.from(packed, "base64");
}

/** The share of pixels that differ between two pictures; 1 if their sizes do. */
async function difference(one: Buffer, other: Buffer): Promise<number> {
  const page = await chromium.newPage();
  const share = await page.evaluate(
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
  await page.close();
  return share;
}

/** Answers what the page asks of a search. */
async function tell(page: Page): Promise<void> {
  await page.routeWebSocket("**/api/live", (socket) =>
    socket.onMessage((message) => {
      const { type, id } = JSON.parse(String(message)) as { type: string; id: number };
      if (type === "analyse") socket.send(JSON.stringify({ type: "analysis", id, found: FOUND }));
    }),
  );
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
      const now = await packed(await page.screenshot({ caret: "hide" }));
      await page.close();
      const file = join(images, `web-${name}-${mode}.webp`);
      if (bless) writeFileSync(file, now);
      const share = existsSync(file) ? await difference(readFileSync(file), now) : 1;
      if (share <= SHARE) continue;
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
