// A server for the same network: the address that it prints, as text and as a QR code, and the links that pages give.

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createRequire } from "node:module";
import { afterEach, expect, test } from "vitest";
import { chromium, server } from "./app";
import { cell, live, program } from "./papamu";

// A package of the older kind.
const jsQR: typeof import("jsqr").default = createRequire(import.meta.url)("jsqr");

/** What runs a program in a terminal: the code is not printed elsewhere. */
const TERMINAL = "/usr/bin/script";

let child: ChildProcess | undefined;
afterEach(() => {
  child?.kill();
});

/** The lines of a QR code, each two rows of its squares. */
const code = (printed: string) => printed.split("\n").filter((line) => /^[█▀▄ ]{20,}$/.test(line));

/** Starts a server for other machines in a terminal, and gives what it says. */
async function started(): Promise<string> {
  const games = join(server.folder, "shared.sqlite");
  const command = `exec ${program} serve --host 0.0.0.0 --port 0 --threads 1 --games ${games}`;
  const running = spawn(TERMINAL, ["-qfec", command, "/dev/null"], { cwd: server.folder, stdio: ["pipe", "pipe", "inherit"] });
  child = running;
  let said = "";
  return new Promise((done, failed) => {
    running.on("exit", (code) => failed(new Error(`papamu serve ended with ${code}: ${said}`)));
    running.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text.replaceAll("\r", "");
      const lines = code(said);
      const width = lines[0]?.length ?? Infinity;
      if (2 * lines.length >= width && lines.at(-1)?.length === width) done(said);
    });
  });
}

/** Reads a QR code as a camera does: what is printed is light, on a dark terminal, two squares a character. */
function scanned(printed: string): string | undefined {
  const LIGHT: Record<string, [boolean, boolean]> = { "█": [true, true], "▀": [true, false], "▄": [false, true], " ": [false, false] };
  const rows = code(printed).flatMap((line) => [0, 1].map((half) => [...line].map((sign) => LIGHT[sign]?.[half] ?? false)));
  const SCALE = 6;
  const [width, height] = [SCALE * (rows[0]?.length ?? 0), SCALE * rows.length];
  const pixels = new Uint8ClampedArray(4 * width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const shade = rows[Math.floor(y / SCALE)]?.[Math.floor(x / SCALE)] ? 255 : 0;
      pixels.set([shade, shade, shade, 255], 4 * (y * width + x));
    }
  return jsQR(pixels, width, height, { inversionAttempts: "dontInvert" })?.data;
}

test.skipIf(!existsSync(TERMINAL))("an address for the network: printed, as a QR code, and in the links of pages", async () => {
  const said = await started();
  const address = /http:\S+/.exec(said)?.[0] ?? "";
  const { hostname, searchParams } = new URL(address);
  expect(hostname).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
  expect(hostname).not.toMatch(/^127\./);
  expect(searchParams.get("token")).toMatch(/^[0-9a-f]{32}$/);
  expect(scanned(said)).toBe(address);

  // Nobody is let in without what the address has.
  expect((await fetch(new URL("/", address))).status).toBe(403);
  const context = await chromium.newContext();
  const page = await context.newPage();
  await page.goto(address);
  await live(page);
  await cell(page, "c3").click();
  // The program may have answered already, and taken the stone over.
  await expect.poll(() => cell(page, "c3").getAttribute("aria-label")).toContain("stone");
  await page.getByRole("tab", { name: "Share", exact: true }).click();
  await page.getByRole("button", { name: "Copy address" }).click();
  const link = page.getByRole("tabpanel").getByRole("status");
  await expect.poll(() => link.textContent()).toContain(address);
  const shared = (await link.textContent()) ?? "";
  await context.close();

  // Somebody else, who has nothing but the link, sees the same game.
  const other = await chromium.newContext();
  const theirs = await other.newPage();
  await theirs.goto(shared);
  await live(theirs);
  // Black may have taken the stone over.
  await expect.poll(() => cell(theirs, "c3").getAttribute("aria-label")).toMatch(/(white|black) stone/);
  await other.close();
});
