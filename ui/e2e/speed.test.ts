// The speed figures of docs/lab/web.md: `npm run speed` measures them, with the program that PAPAMU names. Nothing is
// asserted: other programs may run on the machine.

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, test } from "vitest";
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { get } from "node:http";
import type { Socket } from "node:net";
import { join } from "node:path";
import { EXPERIMENT } from "./experiment";
import { Server, browser, cell, open, program } from "./papamu";
import type { Ask } from "../src/lib/api";

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

/** What the browser counts for a page: durations in seconds of processor time of its thread. */
async function counting(page: Page): Promise<() => Promise<Map<string, number>>> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => {
    const { metrics } = await devtools.send("Performance.getMetrics");
    return new Map(metrics.map(({ name, value }) => [name, value]));
  };
}

test.skipIf(!wanted)("the first board", async () => {
  const times: number[] = [];
  const own: number[] = [];
  const begun = server.taken().seconds;
  for (let load = 0; load < 9; load++) {
    const context = await chromium.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    await page.addInitScript(() => {
      const look = () => {
        // The board is painted when the next frame begins, or with all else a little later.
        if (document.querySelector(".cell")) requestAnimationFrame(() => performance.mark("board"));
        else requestAnimationFrame(look);
      };
      look();
    });
    const metrics = await counting(page);
    await page.goto(server.address);
    await cell(page, "a1").waitFor();
    const marks = ["board", "first-contentful-paint"];
    await page.waitForFunction((marks) => marks.every((mark) => performance.getEntriesByName(mark).length > 0), marks);
    own.push(1000 * ((await metrics()).get("TaskDuration") ?? NaN));
    const starts = (marks: string[]) => marks.map((mark) => performance.getEntriesByName(mark)[0]?.startTime ?? NaN);
    times.push(Math.max(...(await page.evaluate(starts, marks))));
    await context.close();
  }
  const served = (1000 * (server.taken().seconds - begun)) / times.length;
  console.log(
    `first board after ${list(sorted(times))} ms; processor time: ${quantile(own, 0.5).toFixed(0)} ms of the page's ` +
      `thread (median), ${served.toFixed(0)} ms of the server`,
  );
});

test.skipIf(!wanted)("frames while an analysis of size 10 streams", async () => {
  const page = await open(chromium, server, "analyse?game=havannah&size=10");
  await page.getByRole("button", { name: "Analyse", exact: true }).click();
  await page.locator("tbody tr").first().waitFor();
  const metrics = await counting(page);
  const before = await metrics();
  const { frames, updates, seconds } = await page.evaluate(async () => {
    const frames: number[] = [];
    let updates = 0;
    const rate = document.querySelector("section[aria-label=Analysis] .sum .muted");
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

test.skipIf(!wanted)("an open page of an experiment that is played", async () => {
  writeFileSync(join(server.folder, "small.toml"), EXPERIMENT.replace("games = 4", "games = 400").replace("simulations = 100", "simulations = 1000"));
  const arena = spawn(program, ["arena", "run", "small.toml", "--concurrency", "1"], { cwd: server.folder, stdio: "ignore" });
  const page = await chromium.newPage();
  let [requests, sockets, heard] = [0, 0, 0];
  const figures = new Set<string>();
  page.on("websocket", (socket) => {
    sockets++;
    socket.on("framereceived", () => heard++);
  });
  await page.goto(`${server.address}#/experiments`);
  await page.getByRole("link", { name: "small" }).click();
  await page.getByRole("img", { name: /RAVE against UCT/ }).waitFor();
  await page.waitForTimeout(2_000);
  page.on("request", (request) => {
    requests++;
    if (request.url().includes("/figures/")) figures.add(request.url());
  });
  const seconds = 20;
  heard = 0;
  const begun = server.taken().seconds;
  await page.waitForTimeout(1_000 * seconds);
  const taken = server.taken().seconds - begun;
  console.log(
    `${(requests / seconds).toFixed(2)} requests/s (${requests}, of which ${figures.size} are figures that changed), ` +
      `${(heard / seconds).toFixed(2)} messages/s on ${sockets} sockets, ${(taken / seconds).toFixed(3)} cores of the server`,
  );
  arena.kill();
  await page.close();
});

/** A WebSocket without a browser, which opens 255 at most: what it asks, and whether it has heard of an analysis. */
async function asks(address: string, ask: Ask): Promise<{ socket: Socket; heard: boolean }> {
  const key = randomBytes(16).toString("base64");
  const headers = { connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13", "sec-websocket-key": key };
  const request = get(`${address}api/live`, { headers, agent: false });
  const socket = await new Promise<Socket>((done, failed) => {
    request.on("upgrade", (_, socket: Socket) => done(socket));
    request.on("error", failed);
  });
  const asked = { socket, heard: false };
  socket.on("data", (data) => (asked.heard ||= data.includes('"analysis"')));
  socket.on("error", () => {});
  const text = Buffer.from(JSON.stringify(ask));
  // One frame of text, with a mask of zeros, as long as fits into two bytes.
  socket.write(Buffer.concat([Buffer.from([0x81, 0xfe, text.length >> 8, text.length & 255, 0, 0, 0, 0]), text]));
  return asked;
}

test.skipIf(!wanted)("what four times 1,000 sockets leave behind", async () => {
  // A server of its own, which has done nothing else.
  const fresh = new Server();
  await fresh.start();
  const state = { game: "havannah", board: { size: "10", swap: false } } as const;
  const wait = (seconds: number) => new Promise((done) => setTimeout(done, 1_000 * seconds));
  const mib = () => fresh.taken().now;
  const [kept, own] = [[mib()], fresh.sockets()];
  for (let run = 1; run <= 4; run++) {
    const open = Array.from({ length: 1_000 }, () => asks(fresh.address, { type: "analyse", id: 1, state }));
    const all = await Promise.all(open);
    await wait(15);
    console.log(`run ${run}: ${all.filter(({ heard }) => heard).length} of ${all.length} sockets heard of their search`);
    for (const { socket } of all) socket.destroy();
    while (fresh.sockets() > own) await wait(0.1);
    kept.push(mib());
  }
  await wait(30);
  kept.push(mib());
  console.log(
    `the server has ${list(kept)} MiB: at first, after each run, and 30 s later; ${fresh.taken().most.toFixed(0)} MiB at most`,
  );
  await fresh.remove();
});
