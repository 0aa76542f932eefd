// The app without a server where the page is isolated: searches have threads that share one memory. Either the server of the files
// sends the headers that isolate a page, or the service worker of the app adds them.

import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasThreads, isBuilt, serve, stop } from "./files";
import { begin, button, moves } from "./play";
import { browser, cell, faults, live } from "./papamu";

if (isBuilt && !hasThreads) console.warn("the tests of threads in the app without a server are skipped: it was built without them");

const ISOLATING = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };

/** What a page asks of its workers, and how many are there. */
interface Watched {
  posted: { type: string; threads?: number; shared: boolean }[];
  workers: globalThis.Worker[];
}

/** In a page, before its scripts: says that it has five cores, and notes what it tells its workers. */
function watch() {
  Object.defineProperty(navigator, "hardwareConcurrency", { get: () => 5 });
  const watched: Watched = { posted: [], workers: [] };
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (this: globalThis.Worker, message: { type: string; threads?: number; memory?: WebAssembly.Memory }) {
    const shared = globalThis.SharedArrayBuffer != null && message.memory?.buffer instanceof SharedArrayBuffer;
    watched.posted.push({ type: message.type, threads: message.threads, shared });
    if (!watched.workers.includes(this)) watched.workers.push(this);
    return post.call(this, message);
  };
  Object.assign(window, { watched });
}

const watched = (page: Page) => page.evaluate(() => (window as unknown as { watched: Watched }).watched.posted);
const told = async (page: Page, type: string) => (await watched(page)).filter((one) => one.type === type);
const isIsolated = (page: Page) => page.evaluate(() => crossOriginIsolated);
const rows = (page: Page) => page.getByRole("table").locator("tbody tr");

describe.skipIf(!hasThreads)("the app without a server, isolated", () => {
  let chromium: Browser;
  let site: Awaited<ReturnType<typeof serve>>;
  beforeAll(async () => {
    chromium = await browser();
    site = await serve(ISOLATING);
  });
  afterAll(async () => {
    await chromium?.close();
    await stop(site.files);
  });

  async function context(): Promise<BrowserContext> {
    const made = await chromium.newContext();
    await made.addInitScript(watch);
    return made;
  }

  async function open(made: BrowserContext, address: string): Promise<Page> {
    const page = await made.newPage();
    await page.goto(address);
    await live(page);
    return page;
  }

  /** Analyses until something was found twice. */
  async function analyse(page: Page) {
    await button(page, "Analyse").click();
    await expect.poll(() => rows(page).count()).toBeGreaterThan(2);
    const text = await rows(page).first().textContent();
    await expect.poll(() => rows(page).first().textContent()).not.toBe(text);
  }

  test("analyses with threads that share one tree, stops, and begins again with the same workers", async () => {
    const visitor = await context();
    const before = site.asked.length;
    const page = await open(visitor, `${site.address}#/analyse?game=havannah&size=5&moves=d4`);
    const wrong = faults(page);
    expect(await isIsolated(page)).toBe(true);
    await analyse(page);
    // One worker is asked, and three help it in its memory.
    expect(await told(page, "search")).toEqual([{ type: "search", threads: 4, shared: false }]);
    expect(await told(page, "help")).toEqual(Array(3).fill({ type: "help", threads: undefined, shared: true }));
    const workers = page.workers().length;
    await button(page, "Stop").click();
    await analyse(page);
    await button(page, "Stop").click();
    expect(await told(page, "search")).toHaveLength(2);
    // Other games, and a solver whose threads share one table.
    await page.goto(`${site.address}#/analyse?game=konane&size=8&moves=`);
    await analyse(page);
    await button(page, "Stop").click();
    await page.goto(`${site.address}#/solve?game=havannah&size=3&moves=`);
    await button(page, "Solve").click();
    await page.getByText("White wins, proven.").waitFor();
    expect((await told(page, "search")).map(({ threads }) => threads)).toEqual([4, 4, 4, 4]);
    await button(page, "Verify it").click();
    await page.getByText("The certificate is valid").waitFor();
    // Whether a search stopped in time, and its workers served again, is up to the machine.
    expect(page.workers().length).toBeLessThanOrEqual(workers + 4);
    // A page needs one of the two programs.
    const programs = site.asked.slice(before).filter((path) => path.endsWith(".wasm"));
    expect(programs.filter((path) => !path.includes("papamu_threads"))).toEqual([]);
    expect(wrong).toEqual([]);
    await visitor.close();
  });

  test("plays with a time for each move, and with a number of simulations", async () => {
    const visitor = await context();
    const page = await open(visitor, site.address);
    const wrong = faults(page);
    await begin(page, { size: "4", black: "player rave", seconds: 0.2 });
    await cell(page, "d4").click();
    await expect.poll(() => moves(page).then((all) => all.length)).toBe(2);
    expect((await told(page, "search")).map(({ threads }) => threads)).toEqual([4]);
    await begin(page, { size: "4", black: "easy" });
    await cell(page, "d4").click();
    await expect.poll(() => moves(page).then((all) => all.length)).toBe(2);
    // So many simulations are the same move with every program.
    expect((await told(page, "search")).map(({ threads }) => threads)).toEqual([4, 1]);
    expect(wrong).toEqual([]);
    await visitor.close();
  });

  test("goes on after a page that was searching is loaded again or closed", async () => {
    const visitor = await context();
    const address = `${site.address}#/analyse?game=havannah&size=5&moves=d4`;
    const page = await open(visitor, address);
    await analyse(page);
    await page.reload();
    await live(page);
    await analyse(page);
    await page.close();
    const next = await open(visitor, address);
    const wrong = faults(next);
    await analyse(next);
    expect(wrong).toEqual([]);
    await visitor.close();
  });

  test("says that a search broke off where one of its threads did, and searches again", async () => {
    const visitor = await context();
    const page = await open(visitor, `${site.address}#/analyse?game=havannah&size=5&moves=d4`);
    await analyse(page);
    // What the worker of a thread says whose program has ended with an error.
    await page.evaluate(() => {
      const { workers } = (window as unknown as { watched: Watched }).watched;
      workers.at(-1)?.dispatchEvent(new MessageEvent("message", { data: { type: "failed", why: "for the test" } }));
    });
    await page.getByText("The search broke off: for the test").first().waitFor();
    await button(page, "Stop").click();
    await analyse(page);
    await visitor.close();
  });

  test("is isolated by its service worker from the second visit on, with or without a connection", async () => {
    const files = await serve();
    const visitor = await context();
    const address = `${files.address}#/analyse?game=havannah&size=5&moves=d4`;
    const page = await open(visitor, address);
    const wrong = faults(page);
    // The first visit searches as everywhere else: each worker has a tree.
    expect(await isIsolated(page)).toBe(false);
    await analyse(page);
    expect((await told(page, "search")).map(({ threads }) => threads)).toEqual([1, 1, 1, 1]);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
    // Workers that begin now are answered by the service worker.
    await button(page, "Stop").click();
    await analyse(page);
    expect(files.asked.some((path) => path.includes("papamu_threads_bg"))).toBe(false);

    await page.reload();
    await live(page);
    expect(await isIsolated(page)).toBe(true);
    await analyse(page);
    expect((await told(page, "search")).map(({ threads }) => threads)).toEqual([4]);
    const kept = () =>
      page.evaluate(async () => {
        const caches = window.caches;
        const all = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
        return all.flat().some(({ url }) => url.includes("papamu_threads_bg"));
      });
    await expect.poll(kept).toBe(true);

    await stop(files.files);
    await page.reload();
    await live(page);
    await analyse(page);
    expect((await told(page, "search")).map(({ threads }) => threads)).toEqual([4]);
    expect(wrong).toEqual([]);
    await visitor.close();
  });

  test("has one thread for each worker where the program with threads was not kept", async () => {
    const files = await serve();
    const visitor = await context();
    const page = await open(visitor, `${files.address}#/analyse?game=havannah&size=5&moves=d4`);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
    await stop(files.files);
    await page.reload();
    await live(page);
    expect(await isIsolated(page)).toBe(true);
    await analyse(page);
    expect((await told(page, "search")).map(({ threads }) => threads)).toEqual([1, 1, 1, 1]);
    await visitor.close();
  });

  test.skipIf(process.env.SPEED === undefined).each([
    ["one thread", 2, ISOLATING],
    ["two workers, each with a tree", 3, {}],
    ["two threads that share a tree", 3, ISOLATING],
  ])("how many simulations %s make", async (name, cores, headers) => {
    for (const size of [5, 8]) {
      const files = await serve(headers);
      const visitor = await chromium.newContext();
      await visitor.addInitScript((cores) => Object.defineProperty(navigator, "hardwareConcurrency", { get: () => cores }), cores);
      const page = await open(visitor, `${files.address}#/analyse?game=havannah&size=${size}&moves=`);
      await button(page, "Analyse").click();
      await page.waitForTimeout(15_000);
      console.log(`size ${size}, ${name}: ${await page.getByText("a second").first().textContent()}`);
      await visitor.close();
      await stop(files.files);
    }
  });

  // A page that is isolated shows frames of other origins only where these allow it in a header of their own.
  test.each([
    ["a page", {}, {}],
    ["a page, isolated itself", ISOLATING, {}],
    ["an isolated page, and allows it", { ...ISOLATING, "cross-origin-resource-policy": "cross-origin" }, ISOLATING],
  ])("is a board in a frame of %s of another origin, also once its service worker answers", async (_, headers, host) => {
    const files = await serve(headers);
    const body = `<iframe title="A board" src="${files.address}#/board?game=hex&size=5&moves=c3" width="600" height="400"></iframe>`;
    const other = await serve({}, { headers: host, body });
    const visitor = await context();
    const page = await visitor.newPage();
    await page.goto(new URL("/another.html", other.address).href);
    const frame = page.frameLocator("iframe");
    const inFrame = <T>(what: () => T) => page.frames().at(-1)?.evaluate(what);
    for (let visit = 0; visit < 2; visit++) {
      if (visit > 0) await page.reload();
      await frame.getByText("White to move.").waitFor();
      await frame.locator('[id="cell-b2"]').click();
      await frame.getByText("Black to move.").waitFor();
      await inFrame(() => navigator.serviceWorker.ready.then(() => {}));
    }
    expect(await inFrame(() => navigator.serviceWorker.controller != null)).toBe(true);
    await Promise.all([stop(files.files), stop(other.files)]);
    await visitor.close();
  });
});
