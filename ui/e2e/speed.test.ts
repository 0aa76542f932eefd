// The speed figures of docs/web.md: `npm run speed` measures them, with the program that PAPAMU names. Nothing is
// asserted: other programs may run on the machine.

import { spawnSync } from "node:child_process";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, test } from "vitest";
import { Server, browser, cell, closeSockets, open, openSockets, program, work } from "./papamu";

const wanted = process.env.SPEED !== undefined;
let chromium: Browser;
const server = new Server();

beforeAll(async () => {
  if (!wanted) return;
  await server.start();
  chromium = await browser();
});
afterAll(async () => {
  await chromium?.close();
  await server.remove();
});

const sorted = (numbers: number[]) => [...numbers].sort((one, other) => one - other);
const quantile = (numbers: number[], share: number) => sorted(numbers)[Math.floor(share * (numbers.length - 1))] ?? NaN;
const list = (numbers: number[], digits = 0) => numbers.map((number) => number.toFixed(digits)).join(", ");

test.skipIf(!wanted)("the first board", async () => {
  const times: number[] = [];
  for (let load = 0; load < 9; load++) {
    const context = await chromium.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    await page.addInitScript(() => {
      const look = () => {
        // The board is painted when the next frame begins.
        if (document.querySelector(".cell")) requestAnimationFrame(() => performance.mark("board"));
        else requestAnimationFrame(look);
      };
      look();
    });
    await page.goto(server.address);
    await cell(page, "a1").waitFor();
    await page.waitForFunction(() => performance.getEntriesByName("board").length > 0);
    times.push(await page.evaluate(() => performance.getEntriesByName("board")[0]?.startTime ?? NaN));
    await context.close();
  }
  console.log(`first board after ${list(sorted(times))} ms; median ${quantile(times, 0.5).toFixed(0)} ms`);
});

test.skipIf(!wanted)("frames while an analysis of size 10 streams", async () => {
  const page = await open(chromium, server, "analyse?game=havannah&size=10");
  await page.getByRole("button", { name: "Analyse", exact: true }).click();
  await page.locator("tbody tr").first().waitFor();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
  const metrics = async () => {
    const { metrics } = await devtools.send("Performance.getMetrics");
    return new Map(metrics.map(({ name, value }) => [name, value]));
  };
  const before = await metrics();
  const { frames, updates, seconds } = await page.evaluate(async () => {
    const frames: number[] = [];
    let updates = 0;
    const rate = document.querySelector("section[aria-label=Analysis] p.muted");
    if (rate) new MutationObserver(() => updates++).observe(rate, { subtree: true, characterData: true, childList: true });
    const begun = performance.now();
    let last = begun;
    while (last - begun < 10_000) {
      const now = await new Promise<number>((done) => requestAnimationFrame(done));
      frames.push(now - last);
      last = now;
    }
    return { frames: frames.slice(1), updates, seconds: (last - begun) / 1000 };
  });
  const after = await metrics();
  const each = (name: string) => (1000 * ((after.get(name) ?? 0) - (before.get(name) ?? 0))) / updates;
  const late = frames.filter((frame) => frame > 25).length;
  console.log(
    `${(frames.length / seconds).toFixed(1)} frames/s with ${(updates / seconds).toFixed(1)} updates/s; ` +
      `95 % of the frames within ${quantile(frames, 0.95).toFixed(1)} ms, ${late} of ${frames.length} late\n` +
      `for each update: ${each("TaskDuration").toFixed(1)} ms of processor time of the page's thread, of which scripts ` +
      `${each("ScriptDuration").toFixed(1)}, styles ${each("RecalcStyleDuration").toFixed(1)}, layout ` +
      `${each("LayoutDuration").toFixed(1)}`,
  );
  await page.close();
});

/** Processor time of a command, in seconds. */
function processor(args: string[]): number {
  const script = 'TIMEFORMAT="%U %S"; time "$@" > /dev/null';
  const { stderr } = spawnSync("bash", ["-c", script, "bash", program, ...args], { encoding: "utf8" });
  return stderr
    .trim()
    .split(/\s+/)
    .map(Number)
    .reduce((sum, seconds) => sum + seconds, 0);
}

/** The processor time that the server takes for an analysis of so many simulations, and how many they are. */
async function analysed(page: Page, least: number): Promise<{ done: number; seconds: number }> {
  const before = server.taken().seconds;
  const state = { game: "havannah", board: { size: "10", swap: false } } as const;
  await openSockets(page, 1, 1, { type: "analyse", id: 1, state });
  let done = 0;
  while (done < least) {
    await page.waitForTimeout(50);
    done = (await work(page))[0] ?? 0;
  }
  await closeSockets(page);
  await page.waitForTimeout(500);
  return { done: (await work(page))[0] ?? 0, seconds: server.taken().seconds - before };
}

test.skipIf(!wanted)("the server's overhead", async () => {
  const page = await open(chromium, server, "saved");
  const rates: { server: number; bench: number }[] = [];
  for (let round = 0; round < 2; round++) {
    const { done, seconds } = await analysed(page, 300_000);
    const search = ["bench", "havannah", "--size", "10", "--player", "papamu", "--set", "memory=32"];
    const bench = processor([...search, "--simulations", String(done)]);
    rates.push({ server: done / seconds, bench: done / bench });
  }
  const overhead = rates.map(({ server, bench }) => 100 * (1 - server / bench));
  console.log(
    `simulations a second of processor time: ${list(rates.map(({ server }) => server))} in the server, ` +
      `${list(rates.map(({ bench }) => bench))} in papamu bench; overhead ${list(overhead, 1)} %, median ` +
      `${quantile(overhead, 0.5).toFixed(1)} %`,
  );
});
