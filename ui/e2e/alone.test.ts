// The app without a server, which `packaging/web-app` makes: from a plain server of files, and then from none.

import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { folder, isBuilt, serve, stop } from "./files";
import { atOnce, begin, button, moves, tab } from "./play";
import { accessible, browser, cell, faults, live } from "./papamu";

/** The bytes that all files have when a server compresses them, but those with one name. */
const compressed = (without: string) => {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
  const files = names.filter((name) => statSync(name).isFile() && !name.includes(without));
  return files.reduce((sum, file) => sum + gzipSync(readFileSync(file), { level: 9 }).length, 0);
};

test.skipIf(!isBuilt)("all files that a visit needs are less than 3 MB to download", () => {
  // Of two programs, a page loads one.
  for (const other of ["papamu_threads_bg", "papamu_wasm_bg"]) {
    expect(compressed(other)).toBeGreaterThan(100_000);
    expect(compressed(other)).toBeLessThan(3_000_000);
  }
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

  test("is a board in the frame of another site, which may keep nothing", async () => {
    const body = `<iframe title="A board" src="${site.address}#/board?game=hex&size=5&moves=c3" width="600" height="400"></iframe>`;
    const other = await serve({}, { headers: {}, body });
    const page = await chromium.newPage();
    const wrong = faults(page);
    // Another name of this machine is another site, whose frames have no storage in a private window.
    await page.goto(new URL("/another.html", other.address.replace("127.0.0.1", "localhost")).href);
    const frame = page.frameLocator("iframe");
    await frame.getByText("White to move.").waitFor();
    await frame.locator('[id="cell-b2"]').click();
    await frame.getByText("Black to move.").waitFor();
    expect(wrong).toEqual([]);
    await page.close();
    await stop(other.files);
  });

  test("tells a browser without vectors in WebAssembly that it lacks them", async () => {
    const context = await chromium.newContext();
    await context.addInitScript(() => (WebAssembly.validate = () => false));
    const page = await open("", context);
    const told = page.getByRole("alert").filter({ hasText: "This browser lacks" });
    expect(await told.textContent()).toContain("needs: vectors in WebAssembly.");
    await context.close();
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
    // A certificate in a file is walked through from any position.
    const downloaded = page.waitForEvent("download");
    await button(page, "Download the certificate").click();
    const certificate = await (await downloaded).path();
    await page.goto(`${site.address}#/solve?game=konane&size=6&moves=`);
    await page.getByText("The certificate is valid").waitFor({ state: "detached" });
    await page.getByLabel("Verify a certificate").setInputFiles(certificate);
    await button(page, "Walk its proof").click();
    await page.getByText("White wins: White plays").waitFor();
    expect(wrong).toEqual([]);
    await page.close();
  });

  test("searches with several workers where there are cores, and ends them", async () => {
    const context = await chromium.newContext();
    await context.addInitScript(() => Object.defineProperty(navigator, "hardwareConcurrency", { get: () => 5 }));
    const page = await open("#/analyse?game=havannah&size=4&moves=d4", context);
    const wrong = faults(page);
    await button(page, "Analyse").click();
    await expect.poll(() => page.getByRole("table").locator("tbody tr").count()).toBeGreaterThan(2);
    await expect.poll(() => page.workers().length).toBeGreaterThanOrEqual(4);
    await button(page, "Stop").click();
    await expect.poll(() => page.workers().length).toBeLessThan(4);
    await page.goto(site.address);
    await begin(page, { size: "4", black: "player rave", seconds: 0.2 });
    await cell(page, "d4").click();
    await expect.poll(() => moves(page).then((all) => all.length)).toBe(2);
    expect(wrong).toEqual([]);
    await context.close();
  });

  // A machine may have much else to do: the processor time of the page's process says what another machine would take. Chromium
  // can slow the thread of the page down, as a phone would be; the worker that searches goes on as it is.
  test.skipIf(process.env.SPEED === undefined).each([1, 4, 6])("how long the first move takes, from an empty cache, %d times slower", async (rate) => {
    const processes = await chromium.newBrowserCDPSession();
    const taken: string[] = [];
    for (let visit = 0; visit < 5; visit++) {
      const context = await chromium.newContext();
      const page = await context.newPage();
      await (await context.newCDPSession(page)).send("Emulation.setCPUThrottlingRate", { rate });
      await page.addInitScript((show) => {
        for (const [name, value] of Object.entries(show)) localStorage.setItem(name, value);
        const moves = () => document.querySelectorAll("ol[aria-label=Moves] .move").length;
        const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
        const first = async () => {
          // Somebody moves as soon as that is possible.
          let clicked = 0;
          for (; moves() === 0; await painted()) {
            clicked = performance.now();
            document.getElementById("cell-c3")?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
          }
          while (moves() < 2) await painted();
          return { clicked, moved: performance.now() };
        };
        Object.assign(window, { first: first() });
      }, atOnce);
      await page.goto(`${site.address}#/play?game=havannah&size=5&players=human_level:easy`);
      const { clicked, moved } = await page.evaluate(
        () => (window as unknown as { first: Promise<Record<"clicked" | "moved", number>> }).first,
      );
      const { processInfo } = await processes.send("SystemInfo.getProcessInfo");
      const newest = processInfo.filter(({ type }) => type === "renderer").sort((one, other) => other.id - one.id)[0];
      const processor = Math.round(1000 * (newest?.cpuTime ?? 0));
      taken.push(`${Math.round(clicked)} ms until a move is taken, ${Math.round(moved)} until the answer (processor ${processor} ms)`);
      await context.close();
    }
    console.log(`from an empty cache to the program's first move, ${rate} times slower:\n  ${taken.join("\n  ")}`);
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
