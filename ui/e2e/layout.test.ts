// What stays where it is, what moves and how, and what a finger can hit.

import type { BrowserContextOptions, Page } from "playwright-core";
import { expect, test } from "vitest";
import { chromium, server } from "./app";
import type { GameInfo } from "../src/lib/api";
import { lessons } from "../src/lib/lesson";
import { accessible, cell, faults, open } from "./papamu";

const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, deviceScaleFactor: 2 };
const WIDTHS: BrowserContextOptions[] = [
  PHONE,
  { viewport: { width: 820, height: 1180 } },
  { viewport: { width: 1280, height: 800 } },
  { viewport: { width: 1920, height: 1080 } },
];

const GAME = "game=havannah&size=5&moves=d4.f6.c5.g5.e3.e6.b4.f8";

/** Where the board is, in whole pixels. */
const place = (page: Page) =>
  page.locator("svg.board").evaluate((board) => {
    const { x, y, width, height } = board.getBoundingClientRect();
    return [x, y, width, height].map(Math.round);
  });

test("the board stays where it is while a search runs and moves are made, at every width", async () => {
  for (const options of WIDTHS) {
    const context = await chromium.newContext(options);
    const page = await open(context, server, `analyse?${GAME}`);
    await page.locator("svg.board").waitFor();
    await page.evaluate(() => document.fonts.ready);
    const before = await place(page);
    await page.getByRole("button", { name: "Analyse", exact: true }).click();
    await page.locator("tbody tr").first().waitFor();
    expect(await place(page)).toEqual(before);
    for (const key of ["PageUp", "PageUp", "PageDown"]) await page.keyboard.press(key);
    await page.locator("tbody tr").first().waitFor();
    expect(await place(page)).toEqual(before);
    expect(await page.evaluate(() => scrollY)).toBe(0);
    // What is below the board is scrolled to, and the board is still there.
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    const [, top = -1, , height = 0] = await place(page);
    expect(top).toBeGreaterThanOrEqual(0);
    expect(top + height).toBeLessThanOrEqual(options.viewport?.height ?? 0);
    await context.close();
  }
});

test("every board is seen whole, whatever page it is on", async () => {
  const context = await chromium.newContext({ viewport: { width: 1280, height: 800 } });
  for (const path of [`play?${GAME}`, `analyse?${GAME}`, `review?${GAME}`, `solve?${GAME}`, "learn", "puzzles/havannah/7", "play?game=hex&size=11"]) {
    const page = await open(context, server, path);
    await page.locator("svg.board").waitFor();
    const [left = -1, top = -1, width = 0, height = 0] = await place(page);
    expect([left >= 0, top >= 0, left + width <= 1280, top + height <= 800, height > 400], path).toEqual(Array(5).fill(true));
    await page.close();
  }
  await context.close();
});

test("a phone has a header of one row, and what can be touched is 44 px high", async () => {
  const context = await chromium.newContext({ ...PHONE, viewport: { width: 360, height: 740 } });
  for (const path of [`play?${GAME}`, `analyse?${GAME}`, `review?${GAME}`, "review", "solve", "learn", "puzzles", "experiments", "saved"]) {
    const page = await open(context, server, path);
    await page.locator("section").first().waitFor();
    const header = await page.locator("header").first().boundingBox();
    expect(header?.height, path).toBeLessThanOrEqual(60);
    const small = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>("button, select, a.button, nav a, input:not([type=radio]), summary, label:has(input)")]
        .filter((element) => !element.closest("label") || element.tagName === "LABEL")
        .map((element) => ({ element, box: element.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 1 && box.height > 1 && box.height < 43.5)
        .map(({ element, box }) => `${element.outerHTML.slice(0, 90)}: ${box.height}`),
    );
    expect(small, path).toEqual([]);
    await page.close();
  }
  const page = await open(context, server, "play");
  await page.getByRole("button", { name: "Menu" }).click();
  await accessible(page);
  await page.getByRole("link", { name: "Learn", exact: true }).click();
  await page.getByRole("region", { name: "The lesson" }).waitFor();
  expect(await page.getByRole("link", { name: "Analyse" }).isVisible()).toBe(false);
  await context.close();
});

test("on a phone a large board has a loupe, and a move is made once it is confirmed", async () => {
  const context = await chromium.newContext(PHONE);
  const page = await open(context, server, "analyse?game=havannah&size=10");
  await cell(page, "e5").tap();
  const confirm = page.getByRole("button", { name: "Play e5" });
  await confirm.waitFor();
  expect(await cell(page, "e5").getAttribute("aria-label")).toContain("empty");
  await cell(page, "f6").tap();
  await page.getByRole("button", { name: "Play f6" }).tap();
  await expect.poll(() => cell(page, "f6").getAttribute("aria-label")).toContain("white stone");
  expect(await cell(page, "e5").getAttribute("aria-label")).toContain("empty");
  // A board with large cells goes without it.
  const small = await open(context, server, "analyse?game=havannah&size=3");
  await cell(small, "c3").tap();
  await expect.poll(() => cell(small, "c3").getAttribute("aria-label")).toContain("white stone");
  await context.close();
});

test("on a phone two fingers enlarge the board, and make no move", async () => {
  const context = await chromium.newContext({ ...PHONE, isMobile: true });
  const page = await open(context, server, "analyse?game=havannah&size=10");
  const box = await page.locator("svg.board").boundingBox();
  const scale = () => page.evaluate(() => visualViewport?.scale);
  expect(await scale()).toBe(1);
  const touch = await context.newCDPSession(page);
  const [x, y] = [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2];
  const fingers = (type: "touchStart" | "touchMove", apart: number) =>
    touch.send("Input.dispatchTouchEvent", { type, touchPoints: [-apart, apart].map((by, id) => ({ x: x + by, y, id })) });
  const lift = () => touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await fingers("touchStart", 20);
  for (let apart = 25; apart <= 180; apart += 5) await fingers("touchMove", apart);
  await lift();
  await expect.poll(scale).toBeGreaterThan(2);
  expect(await page.locator(".loupe, .confirm").count()).toBe(0);
  expect(await page.locator(".cell[aria-label*=stone]").count()).toBe(0);
  // Cells that are as large as a finger now need no loupe.
  const middle = await cell(page, "j10").evaluate((cell) => {
    const { x, y, width, height } = cell.getBoundingClientRect();
    return { x: x + width / 2 - (visualViewport?.offsetLeft ?? 0), y: y + height / 2 - (visualViewport?.offsetTop ?? 0) };
  });
  await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [middle] });
  await lift();
  await expect.poll(() => cell(page, "j10").getAttribute("aria-label")).toContain("white stone");
  await context.close();
});

test("stones move in 150 to 200 ms, captured ones leave, and nothing moves where that is wished", async () => {
  for (const reducedMotion of ["no-preference", "reduce"] as const) {
    const context = await chromium.newContext({ reducedMotion });
    const page = await context.newPage();
    await page.addInitScript(() => {
      const animated: { stone: string; duration: number }[] = [];
      Object.assign(window, { animated });
      const { animate } = Element.prototype;
      Element.prototype.animate = function (frames, options) {
        const duration = typeof options === "object" ? Number(options.duration) : (options ?? 0);
        animated.push({ stone: this.id.replace(/.*-/, ""), duration });
        return animate.call(this, frames, options);
      };
    });
    const animated = () => page.evaluate(() => (window as unknown as { animated: { stone: string; duration: number }[] }).animated);
    await page.goto(`${server.address}#/analyse?game=konane&rows=6&cols=6&moves=d4.c4`);
    await cell(page, "d2").click();
    await cell(page, "d4").click();
    await expect.poll(() => cell(page, "d4").getAttribute("aria-label")).toContain("black stone");
    if (reducedMotion === "reduce") {
      expect(await animated()).toEqual([]);
    } else {
      // The stone that jumped, and the captured one.
      await expect.poll(async () => (await animated()).length).toBe(2);
      expect((await animated()).map(({ stone }) => stone)).toContain("d4");
      for (const { duration } of await animated()) expect(duration >= 150 && duration <= 200).toBe(true);
    }
    await expect.poll(() => page.locator(".stones > g").count()).toBe(36 - 3);
    await context.close();
  }
});

test("the dialog of a new game and the settings can be used by everybody", async () => {
  for (const colorScheme of ["light", "dark"] as const) {
    const context = await chromium.newContext({ colorScheme, viewport: { width: 1280, height: 800 } });
    const page = await open(context, server, "play");
    await page.getByRole("button", { name: "Settings" }).click();
    await accessible(page);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "New game" }).click();
    await page.getByText("Clock and handicap").click();
    await accessible(page);
    // Escape closes it, and the focus is where it was.
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain("New game");
    await context.close();
  }
});

test("sounds can be switched off, for good", async () => {
  const context = await chromium.newContext();
  const page = await open(context, server, "play");
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByLabel("sounds of the stones").uncheck();
  await page.reload();
  await page.getByRole("button", { name: "Settings" }).click();
  expect(await page.getByLabel("sounds of the stones").isChecked()).toBe(false);
  await context.close();
});

test("learn: every lesson can be done, and a wrong move is not taken for a right one", async () => {
  const page = await chromium.newPage();
  const wrong = faults(page);
  await page.goto(`${server.address}#/play`);
  await page.getByRole("button", { name: "New game" }).waitFor();
  const games: GameInfo[] = await (await fetch(`${server.address}api/games`)).json();
  for (const { game } of games) {
    const steps = await lessons(game);
    expect(steps.length, game).toBeGreaterThan(3);
    await page.goto(`${server.address}#/learn/${game}`);
    const said = page.getByRole("region", { name: "The lesson" }).getByRole("status");
    for (const [at, step] of steps.entries()) {
      await page.getByRole("heading", { name: step.title, exact: true }).waitFor();
      if (step.goal) {
        await expect.poll(() => page.locator(".cell.open, .cell[aria-label*='can jump']").count()).toBeGreaterThan(0);
        // Something else first, where something else is wrong.
        if (step.goal === "win" && game === "havannah") {
          await page.locator(".cell.open").first().click();
          await expect.poll(() => said.textContent()).toContain(step.missed);
          await page.getByRole("button", { name: "Try again" }).click();
        }
        if (step.solution === "swap") await page.getByRole("button", { name: "Swap", exact: true }).click();
        else for (const name of step.solution?.split("-") ?? []) await cell(page, name).click();
        await expect.poll(() => said.textContent()).toContain(step.done);
      } else {
        await expect.poll(() => page.locator(".structure, .mark").count()).toBeGreaterThan(2);
      }
      if (at < steps.length - 1) await page.getByRole("button", { name: /Next/ }).click();
    }
    await accessible(page);
    await page.getByRole("link", { name: "Play a game" }).waitFor();
  }
  expect(wrong).toEqual([]);
  await page.close();
});

test("a first visit says in one line what to do, and where to learn it", async () => {
  const page = await open(chromium, server, "play?game=konane&rows=6&cols=6&setup=corner");
  const line = page.getByRole("link", { name: "Learn in two minutes" });
  await line.first().waitFor();
  await line.first().click();
  await page.getByRole("heading", { name: (await lessons("konane"))[0]?.title ?? "" }).waitFor();
  await page.close();
});
