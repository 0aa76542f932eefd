// What holds for all pages: any size of screen, light and dark, no network, a server that goes away.

import { readFileSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { chromium, server } from "./app";
import { accessible, cell, live, open } from "./papamu";

test("the app is less than 200 kB compressed", () => {
  const folder = resolve(import.meta.dirname, "../dist");
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const sizes = files.map((entry) => gzipSync(readFileSync(join(entry.parentPath, entry.name))).length);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(200_000);
});

test("every page fits a phone, and can be read in the light and in the dark", async () => {
  for (const colorScheme of ["light", "dark"] as const) {
    const context = await chromium.newContext({ viewport: { width: 360, height: 740 }, colorScheme, hasTouch: true });
    for (const path of ["play", "learn", "learn/konane", "analyse?game=konane&rows=8&cols=8", "review", "solve", "puzzles", "experiments", "saved"]) {
      const page = await open(context, server, path);
      await page.locator("section").first().waitFor();
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(wider, path).toBeLessThanOrEqual(0);
      await accessible(page);
      await page.close();
    }
    await context.close();
  }
});

test("an old browser is told what it lacks, and another one nothing", async () => {
  const context = await chromium.newContext();
  const alert = (page: Page) => page.getByRole("alert").filter({ hasText: "This browser lacks" });
  const page = await open(context, server, "play");
  expect(await alert(page).count()).toBe(0);
  await context.addInitScript(() => {
    Reflect.deleteProperty(Array.prototype, "toSorted");
    Reflect.deleteProperty(HTMLElement.prototype, "popover");
    Reflect.deleteProperty(HTMLScriptElement.prototype, "noModule");
  });
  await page.reload();
  expect(await alert(page).textContent()).toContain("modules, JavaScript of 2023, popovers.");
  await context.close();
});

test("the colours that somebody chooses are there from the first painting on", async () => {
  const context = await chromium.newContext({ colorScheme: "light" });
  const page = await open(context, server, "play");
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await background();
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("group", { name: "Colours" }).getByText("Dark").click();
  const dark = await background();
  expect(dark).not.toBe(light);
  await page.route("**/assets/*.js", (route) => route.abort());
  await page.reload();
  expect(await background()).toBe(dark);
  await context.close();
});

test("nothing is asked of another machine", async () => {
  const page = await chromium.newPage();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(server.address);
  await live(page);
  expect(asked.filter((url) => !url.startsWith(server.address))).toEqual([]);
  await page.close();
});

test("the first board is drawn before the app runs, and comes to life without a further question", async () => {
  const plain = await chromium.newContext({ javaScriptEnabled: false });
  const drawn = await plain.newPage();
  await drawn.goto(server.address);
  expect(await drawn.locator("svg .cell").count()).toBe(61);
  expect(await cell(drawn, "a1").isVisible()).toBe(true);
  await plain.close();

  const page = await chromium.newPage();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  // What is drawn differs from what the app would draw: then it says so.
  const said: string[] = [];
  page.on("console", (message) => said.push(message.text()));
  await page.goto(server.address);
  await live(page);
  expect(asked.filter((path) => path.startsWith("/api/"))).toEqual([]);
  expect(said).toEqual([]);
  await cell(page, "a1").click();
  // The program may have answered already, and taken the stone over.
  await expect.poll(() => cell(page, "a1").getAttribute("aria-label")).toContain("stone");
  await page.close();
});

test("where another page is asked for, nothing of the first one is seen", async () => {
  const page = await chromium.newPage();
  await page.route("**/assets/*.js", (route) => route.abort());
  await page.goto(`${server.address}#/saved`);
  expect(await cell(page, "a1").isVisible()).toBe(false);
  await page.close();
});

test("a page finds its server again, and goes on with what it had asked for", async () => {
  const page = await open(chromium, server, "analyse?game=havannah&size=6");
  await page.getByRole("button", { name: "Analyse", exact: true }).click();
  await page.locator("tbody tr").first().waitFor();
  await server.kill();
  await expect.poll(() => page.locator("header").getByRole("status").textContent()).toContain("trying again");
  await server.start();
  await expect.poll(() => page.locator("header").getByRole("status").textContent()).toBe("");
  const work = () => page.locator("tbody tr").first().textContent();
  const before = await work();
  await expect.poll(work).not.toBe(before);
  await page.close();
});
