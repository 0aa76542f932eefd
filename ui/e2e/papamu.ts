// The program under test, and a browser that looks at it.

import axe from "axe-core";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Browser, type BrowserContext, type Page, chromium } from "playwright-core";
import { expect } from "vitest";
import type { Ask, Tell } from "../src/lib/api";

const root = resolve(import.meta.dirname, "../..");

/** The binary: that of the tests, unless another one is named. */
export const program = process.env.PAPAMU ?? join(root, "target/debug/papamu");

/** Real games, where they are. */
export const data = process.env.PAPAMU_DATA ?? resolve(root, "../shared/data");

const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** How long, in milliseconds, a test waits at most for what must happen on a page. */
export const PATIENCE = 600_000;

/** In a second, in what Linux tells of processes. */
const TICKS = 100;

/** A folder with what a server keeps, and the server. */
export class Server {
  readonly folder = mkdtempSync(join(tmpdir(), "papamu-"));
  address = "";
  #process: ChildProcess | undefined;

  /** Runs the program to its end in the folder of the server. */
  run(...args: string[]): string {
    const done = spawnSync(program, args, { cwd: this.folder, encoding: "utf8" });
    expect(done.status, done.stderr).toBe(0);
    return done.stdout;
  }

  /** Starts the server, on the port that it had before if it had one. */
  async start(): Promise<void> {
    const port = this.address ? new URL(this.address).port : "0";
    const args = ["serve", "--port", port, "--games", join(this.folder, "games.sqlite"), "--threads", "1"];
    const child = spawn(program, [...args, "--checkpoint-every", "1"], { cwd: this.folder, stdio: ["ignore", "pipe", "inherit"] });
    this.#process = child;
    let said = "";
    this.address = await new Promise((done, failed) => {
      child.on("exit", (code) => failed(new Error(`papamu serve ended with ${code}: ${said}`)));
      child.stdout.on("data", (text) => {
        said += text;
        const address = /http:\S+/.exec(said);
        if (address) done(address[0]);
      });
    });
  }

  /** Processor time that the server has taken, in seconds, and the memory that it has and the most it ever had, in MiB (Linux). */
  taken(): { seconds: number; now: number; most: number } {
    const process = `/proc/${this.#process?.pid}`;
    const fields = readFileSync(`${process}/stat`, "utf8").replace(/.*\) /, "").split(" ");
    const status = readFileSync(`${process}/status`, "utf8");
    const memory = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
    return { seconds: (Number(fields[11]) + Number(fields[12])) / TICKS, now: memory("VmRSS"), most: memory("VmHWM") };
  }

  /** How many sockets the server has open (Linux). */
  sockets(): number {
    const folder = `/proc/${this.#process?.pid}/fd`;
    const target = (name: string) => {
      try {
        return readlinkSync(join(folder, name));
      } catch {
        // It was closed in between.
        return "";
      }
    };
    return readdirSync(folder).filter((name) => target(name).startsWith("socket:")).length;
  }

  /** Ends the server as a crash would. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (!child || child.exitCode != null) return;
    const ended = new Promise((done) => child.once("exit", done));
    child.kill("SIGKILL");
    await ended;
  }

  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/**
 * Lets pages have the app as it is in a folder, such as `ui/dist`, in place of the one in the program: whoever works on it
 * need not build the program for each change.
 */
async function served(context: BrowserContext, folder: string): Promise<void> {
  await context.route(
    (url) => !url.pathname.startsWith("/api/"),
    (route) => {
      const path = new URL(route.request().url()).pathname;
      return route.fulfill({ path: join(folder, path === "/" ? "index.html" : path) });
    },
  );
}

export async function browser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? CHROMIUM.find(existsSync);
  if (!executablePath) throw new Error("the tests need Chromium: apt-get install chromium");
  const launched = await chromium.launch({
    executablePath,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      // Letters are drawn alike whatever the machine's settings.
      "--font-render-hinting=none",
      "--disable-lcd-text",
      "--force-color-profile=srgb",
      // A page that does not come from the server would count as one of the internet, which may not talk to this machine.
      ...(process.env.PAPAMU_UI ? ["--disable-features=LocalNetworkAccessChecks"] : []),
    ],
  });
  const folder = process.env.PAPAMU_UI;
  const plain = launched.newContext.bind(launched);
  launched.newContext = async (options) => {
    const context = await plain(options);
    // A busy machine is no fault.
    context.setDefaultTimeout(PATIENCE);
    if (folder) await served(context, resolve(folder));
    return context;
  };
  return launched;
}

/** What a page did wrong: errors in its scripts, and what the browser forbade. */
export function faults(page: Page): string[] {
  const found: string[] = [];
  page.on("pageerror", (error) => found.push(String(error)));
  page.on("console", (message) => {
    // That a server refuses or is away is part of some tests.
    const away = /^(Failed to load|WebSocket connection to)/.test(message.text());
    if (message.type() === "error" && !away) found.push(message.text());
  });
  return found;
}

/** Opens a page of the app; `begin` has it before it is loaded. */
export async function open(
  context: BrowserContext | Browser,
  server: Server,
  path: string,
  begin: (page: Page) => void = () => {},
): Promise<Page> {
  const page = await context.newPage();
  begin(page);
  await page.goto(`${server.address}#/${path}`);
  await live(page);
  return page;
}

/** Waits until a page does more than show what was drawn beforehand. */
export async function live(page: Page): Promise<void> {
  await page.locator("#app:not([aria-busy]) main").waitFor();
}

/** Opens sockets as so many pages would, and lets the first of them ask. What each is told of last stays in the page. */
export async function openSockets(page: Page, pages: number, asking: number, ask: Ask): Promise<void> {
  await page.evaluate(
    async ([pages, asking, ask]) => {
      const told: (Tell | undefined)[] = Array.from({ length: pages });
      const opened = Array.from({ length: pages }, async (_, place) => {
        const socket = new WebSocket(`ws://${location.host}/api/live`);
        await new Promise((done) => (socket.onopen = done));
        socket.onmessage = (event) => (told[place] = JSON.parse(event.data));
        return socket;
      });
      const sockets = await Promise.all(opened);
      Object.assign(window, { told, sockets });
      for (const socket of sockets.slice(0, asking)) socket.send(ask);
    },
    [pages, asking, JSON.stringify(ask)] as const,
  );
}

/** How much work the analyses on the sockets have done; 0 for one that has not been heard of. */
export const work = (page: Page): Promise<number[]> =>
  page.evaluate(() => {
    const { told } = window as unknown as { told: (Tell | undefined)[] };
    return told.map((tell) => (tell?.type === "analysis" ? tell.found.work : 0));
  });

export const closeSockets = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const socket of (window as unknown as { sockets: WebSocket[] }).sockets) socket.close();
  });

/** Asks axe for serious faults. */
export async function accessible(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  const result = await page.evaluate(() =>
    (window as unknown as { axe: typeof axe }).axe.run({ resultTypes: ["violations"] }),
  );
  const serious = result.violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  const told = serious.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join("\n")}`);
  expect(told).toEqual([]);
}

/** The cell of a board. */
export const cell = (page: Page, name: string) => page.locator(`[id="cell-${name}"]`);
