// The page of a report, opened as a file: the browser draws what "Save as PNG" saves.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { EXPERIMENT } from "./experiment";
import { Server, accessible, browser, faults } from "./papamu";

let chromium: Browser;
const server = new Server();
beforeAll(async () => {
  chromium = await browser();
});
afterAll(async () => {
  await chromium?.close();
  await server.remove();
});

test("figures of a report are saved as PNG", async () => {
  writeFileSync(join(server.folder, "small.toml"), EXPERIMENT);
  server.run("arena", "run", "small.toml", "--store", "arena.db");
  server.run("arena", "report", "--store", "arena.db", "--html", "report.html");
  const context = await chromium.newContext({ colorScheme: "dark" });
  const page = await context.newPage();
  const wrong = faults(page);
  await page.goto(pathToFileURL(join(server.folder, "report.html")).href);
  await accessible(page);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as PNG" }).first().click();
  const saved = await download;
  expect(saved.suggestedFilename()).toMatch(/\.png$/);
  const png = readFileSync(await saved.path());
  expect(png.subarray(1, 4).toString()).toBe("PNG");
  // Two pixels a unit, title included; and something is drawn.
  expect([png.readUInt32BE(16), png.readUInt32BE(20)].every((length) => length > 600)).toBe(true);
  expect(png.length).toBeGreaterThan(20_000);
  expect(wrong).toEqual([]);
  await context.close();
});
