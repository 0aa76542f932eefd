// The app without a server, which `packaging/web-app` makes: from a plain server of files, and then from none.

import { createReadStream, existsSync, statSync } from "node:fs";
import { type Server as Files, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize, resolve } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { begin, button, moves, tab } from "./play";
import { accessible, browser, cell, faults, live } from "./papamu";

const folder = resolve(import.meta.dirname, "../../target/web-app/app");
const isBuilt = existsSync(join(folder, "offline.js"));
if (!isBuilt) console.warn("the tests of the app without a server are skipped: packaging/web-app builds it");

const KINDS: Record<string, string> = {
  ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".wasm": "application/wasm",
  ".woff2": "font/woff2", ".png": "image/png", ".webmanifest": "application/manifest+json",
};

/** Serves the files below `/papamu/app/`, as a site for many things would. */
async function serve(): Promise<{ address: string; files: Files }> {
  const files = createServer((request, response) => {
    const path = new URL(request.url ?? "", "http://files").pathname.replace("/papamu/app/", "/");
    const file = join(folder, normalize(path.endsWith("/") ? `${path}index.html` : path));
    if (!existsSync(file) || !statSync(file).isFile()) return void response.writeHead(404).end();
    response.writeHead(200, { "content-type": KINDS[extname(file)] ?? "text/plain" });
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((done) => files.listen(0, "127.0.0.1", done));
  return { address: `http://127.0.0.1:${(files.address() as AddressInfo).port}/papamu/app/`, files };
}

const stop = (files: Files) =>
  new Promise<void>((done) => {
    if (!files.listening) return done();
    files.close(() => done());
    files.closeAllConnections();
  });

describe.skipIf(!isBuilt)("the app without a server", () => {
  let chromium: Browser;
  let site: Awaited<ReturnType<typeof serve>>;
  beforeAll(async () => {
    chromium = await browser();
    site = await serve();
  });
  afterAll(async () => {
    await chromium?.close();
    await stop(site.files);
  });

  async function open(path = "", context: Browser | BrowserContext = chromium): Promise<Page> {
    const page = await context.newPage();
    await page.goto(site.address + path);
    await live(page);
    return page;
  }

  test("plays a game against the program", async () => {
    const page = await open();
    const wrong = faults(page);
    expect(await page.getByRole("link", { name: "Experiments" }).count()).toBe(0);
    await begin(page, { size: "4", black: "easy" });
    await cell(page, "d4").click();
    await expect.poll(() => moves(page).then((all) => all.length)).toBe(2);
    await accessible(page);
    expect(wrong).toEqual([]);
    await page.close();
  });

  test("is a board in the frame of another page", async () => {
    const page = await chromium.newPage();
    const wrong = faults(page);
    const body = `<iframe title="A board" src="${site.address}#/board?game=hex&size=5&moves=c3" width="600" height="400"></iframe>`;
    await page.route("**/page-of-a-site.html", (route) => route.fulfill({ contentType: "text/html", body }));
    await page.goto(`${site.address}page-of-a-site.html`);
    const frame = page.frameLocator("iframe");
    await frame.getByText("White to move.").waitFor();
    expect(await frame.getByRole("navigation").count()).toBe(0);
    await frame.locator('[id="cell-b2"]').click();
    await frame.getByText("Black to move.").waitFor();
    await frame.getByRole("button", { name: "Back" }).click();
    await frame.getByText("White to move.").waitFor();
    await frame.getByRole("button", { name: "Forward" }).click();
    await frame.getByText("Black to move.").waitFor();
    const link = await frame.getByRole("link", { name: "Analyse" }).getAttribute("href");
    expect(link).toContain("moves=c3.b2");
    expect(wrong).toEqual([]);
    await page.close();
  });

  test("analyses, stops and solves, and checks its own certificate", async () => {
    const page = await open("#/analyse?game=havannah&size=4&moves=d4");
    const wrong = faults(page);
    await button(page, "Analyse").click();
    const rows = page.getByRole("table").locator("tbody tr");
    await expect.poll(() => rows.count()).toBeGreaterThan(2);
    await button(page, "Stop").click();
    await page.goto(`${site.address}#/solve?game=havannah&size=3&moves=`);
    await button(page, "Solve").click();
    await page.getByText("White wins, proven.").waitFor();
    await button(page, "Verify it").click();
    await page.getByText("The certificate is valid").waitFor();
    expect(wrong).toEqual([]);
    await page.close();
  });

  // A machine may have much else to do: the processor time of the page's process says what another machine would take. Chromium
  // can slow the thread of the page down, as a phone would be; the worker that searches goes on as it is.
  test.skipIf(process.env.SPEED === undefined).each([1, 4])("how long the first move takes, from an empty cache, %d times slower", async (rate) => {
    const processes = await chromium.newBrowserCDPSession();
    const taken: string[] = [];
    for (let visit = 0; visit < 3; visit++) {
      const context = await chromium.newContext();
      const page = await context.newPage();
        await (await context.newCDPSession(page)).send("Emulation.setCPUThrottlingRate", { rate });
      await page.goto(`${site.address}#/play?game=havannah&size=5&players=human_level:easy`);
      await live(page);
      await cell(page, "c3").click();
      await expect.poll(() => moves(page).then((all) => all.length), { interval: 20 }).toBe(2);
      const passed = await page.evaluate(() => performance.now());
      const { processInfo } = await processes.send("SystemInfo.getProcessInfo");
      const newest = processInfo.filter(({ type }) => type === "renderer").sort((one, other) => other.id - one.id)[0];
      taken.push(`${Math.round(passed)} ms, processor ${Math.round(1000 * (newest?.cpuTime ?? 0))} ms`);
      await context.close();
    }
    console.log(`from the beginning of the page to the program's first move, ${rate} times slower: ${taken.join("; ")}`);
  });

  test("goes on without a connection, with all pages and saved games", async () => {
    const context = await chromium.newContext();
    const page = await context.newPage();
    const wrong = faults(page);
    await page.goto(site.address);
    await live(page);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
    await stop(site.files);
    await page.reload();
    await live(page);
    await begin(page, { size: "4", black: "easy" });
    await cell(page, "d4").click();
    await expect.poll(() => moves(page).then((all) => all.length)).toBe(2);
    const played = (await moves(page)).join(".");
    await page.goto(`${site.address}#/review?game=havannah&size=4&moves=${played}`);
    await button(page, "Review").click();
    await page.getByText("2 of 2 moves").waitFor();
    await tab(page, "Share");
    await page.getByLabel("Title").fill("My game");
    await button(page, "Save").click();
    await page.getByText("Saved.", { exact: true }).waitFor();
    await page.reload();
    await page.getByRole("link", { name: "Saved games", exact: true }).click();
    await button(page, "My game").click();
    await tab(page, "Moves");
    await expect.poll(() => page.getByRole("list", { name: "Moves" }).locator(".move").count()).toBe(2);
    expect(wrong).toEqual([]);
    await context.close();
  });
});
