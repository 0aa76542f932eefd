// The pictures of docs/web.md: `npm run pictures` takes them anew.

import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, test } from "vitest";
import { EXPERIMENT } from "./experiment";
import { Server, browser, cell, open } from "./papamu";

const wanted = process.env.PICTURES !== undefined;
const images = resolve(import.meta.dirname, "../../docs/images");
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

async function take(name: string, path: string, prepare: (page: Page) => Promise<void>): Promise<void> {
  const context = await chromium.newContext({ viewport: { width: 1000, height: 720 }, colorScheme: "light" });
  const page = await open(context, server, path);
  await page.locator("section").first().waitFor();
  await prepare(page);
  await page.screenshot({ path: join(images, `web-${name}.png`) });
  await context.close();
}

const GAME = "game=havannah&size=5&moves=d4.f6.c5.g5.e3.e6.b4.f8";

test.skipIf(!wanted)("pictures", async () => {
  await take("play", `play?${GAME}`, async (page) => {
    await page.getByLabel("numbers").check();
  });
  await take("analyse", `analyse?${GAME}`, async (page) => {
    await page.getByRole("button", { name: "Analyse", exact: true }).click();
    await page.waitForTimeout(5000);
    await page.getByRole("button", { name: "Stop", exact: true }).scrollIntoViewIfNeeded();
  });
  await take("review", `review?game=havannah&size=5&moves=d4.f6.c5.a1.e3.b1.b4.i9`, async (page) => {
    await page.getByLabel("Simulations a move").fill("1000");
    await page.getByRole("button", { name: "Review", exact: true }).click();
    await page.getByText("8 of 8 moves").waitFor({ timeout: 50_000 });
    await page.keyboard.press("PageDown");
    await page.keyboard.press("PageDown");
    await page.waitForTimeout(500);
    await page.mouse.wheel(0, 350);
    await page.waitForTimeout(500);
  });
  await take("solve", "solve?game=havannah&size=4&moves=b1.d2.a2.e4", async (page) => {
    await page.getByRole("button", { name: "Solve", exact: true }).click();
    await page.getByRole("button", { name: "Verify it" }).click({ timeout: 50_000 });
    await page.getByText("The certificate is valid").waitFor({ timeout: 50_000 });
    await cell(page, "a1").hover();
  });
  writeFileSync(join(server.folder, "small.toml"), EXPERIMENT);
  server.run("arena", "run", "small.toml");
  await take("experiments", "experiments", async (page) => {
    await page.getByRole("link", { name: "small" }).click();
    await page.getByRole("img").first().waitFor();
    await page.waitForTimeout(1000);
  });
});
