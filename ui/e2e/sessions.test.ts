// Random sessions at the page where games are played: clicks, double clicks, reloads, the way back, other pages, servers
// that are killed, changes of players and of what is shown. After each, the game on the screen is the one that the rules
// give for its moves, and it is the game that was played. SESSIONS says how many; SEED with which the first one begins.

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { chromium, server } from "./app";
import type { PositionView } from "../src/lib/api";
import { cell, live } from "./papamu";
import { agree, atOnce, begin, button, byTheRules, moves, press, stateOf, status, stones, stonesOf, tab } from "./play";

const SESSIONS = Number(process.env.SESSIONS ?? 20);
const SEED = Number(process.env.SEED ?? 1);
const STEPS = 14;

/** A small generator with a seed (mulberry32). */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** What the session expects of the game: who plays, and the moves so far. */
interface Expected {
  players: Record<string, string>;
  played: string[];
  resigned: boolean;
}

const isPrefix = (one: string[], of: string[]) => one.every((move, place) => move === of[place]);

async function session(seed: number): Promise<string[]> {
  const below = random(seed);
  const pick = <T>(of: readonly T[]): T => of[below(of.length)] as T;
  const context = await chromium.newContext({ viewport: { width: 1280, height: 900 } });
  await context.addInitScript((kept) => {
    for (const [name, value] of Object.entries(kept)) if (!localStorage.getItem(name)) localStorage.setItem(name, value);
  }, atOnce);
  const page: Page = await context.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  await page.goto(server.address);
  await live(page);
  const done: string[] = [];
  const konane = below(3) === 0;
  const players = { white: pick(["person", "beginner"]), black: pick(["person", "beginner"]) };
  if (players.white === players.black) players.white = "person";
  await begin(page, {
    game: konane ? "konane" : "havannah",
    size: konane ? "6" : pick(["3", "4"]),
    swap: below(2) === 0,
    ...players,
    minutes: pick([[0, 0], [30, 30]]),
    random: pick([[0, 0], [0, 0], [1, 0]]),
  });
  const game: Expected = { players, played: [], resigned: false };

  /** Waits until nothing is under way, and compares. */
  const settled = async (): Promise<PositionView> => {
    let view: PositionView | undefined;
    await expect
      .poll(
        async () => {
          // Nothing is settled while the board waits for an answer.
          if (await page.locator("svg.board[aria-busy=true]").count()) return false;
          const said = await status(page);
          const now = await moves(page);
          view = await byTheRules(server, stateOf(page), now);
          // It is over, or waits for somebody at the screen.
          const waits = view.outcome != null || game.resigned || !said.includes("Thinking");
          const mover = game.players[view.to_move];
          const machine = view.outcome == null && !game.resigned && mover !== "person";
          return waits && !machine && JSON.stringify(stonesOf(view)) === JSON.stringify(await stones(page));
        },
        { message: `seed ${seed}: ${done.join(", ")}` },
      )
      .toBe(true);
    return view as PositionView;
  };

  let view = await settled();
  game.played = await moves(page);
  for (let step = 0; step < STEPS; step++) {
    const legal = view.legal.filter(({ kind }) => kind !== "swap");
    const target = legal.length > 0 ? pick(legal) : undefined;
    const wrong = pick(view.cells).name;
    const what = pick(["click", "click", "click", "double", "two", "wrong", "reload", "page", "back", "look", "take", "kill", "killed", "sides", "numbers", "resign"]);
    done.push(`${what}${target ? ` ${target.move}` : ""}`);
    /** Makes a move as fast as a script can. */
    const make = async (cells: string[]) => {
      for (const name of cells) await press(page, name);
    };
    /** How many moves somebody here may have made. */
    let own = 0;
    let shorter = false;
    const over = view.outcome != null || game.resigned;
    if (what === "click" && target) {
      await make(target.cells);
      own = 1;
    }
    if (what === "double" && target) {
      const last = target.cells.at(-1) ?? "";
      for (const name of target.cells.slice(0, -1)) await press(page, name);
      await cell(page, last).dblclick({ force: true });
      own = 1;
    }
    if (what === "two" && target) {
      await page.evaluate(
        (names) => {
          for (const name of names) document.getElementById(`cell-${name}`)?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
        },
        [...target.cells, wrong],
      );
      own = 1;
    }
    if (what === "wrong") {
      await press(page, wrong);
      own = 1;
    }
    if (what === "reload") {
      if (target && below(2) === 0) {
        await make(target.cells);
        own = 1;
      }
      await page.reload();
      await live(page);
    }
    if (what === "page") {
      await page.getByRole("link", { name: pick(["Solve", "Saved games", "Review"]), exact: true }).first().click();
      if (below(2) === 0) await page.goBack();
      else await page.getByRole("link", { name: "Play", exact: true }).click();
      await page.getByRole("region", { name: "The game" }).waitFor();
    }
    if (what === "back") {
      await page.goBack();
      await page.goForward();
      await page.getByRole("region", { name: "The game" }).waitFor();
    }
    if (what === "look" && game.played.length > 0) {
      await page.getByLabel(pick(["One move back", "To the start"])).click();
      await press(page, wrong);
      await page.getByLabel("To the end").click();
    }
    if (what === "take" && (await button(page, "Take back").isEnabled())) {
      await button(page, "Take back").click();
      shorter = true;
      game.resigned = false;
    }
    if (what === "kill") {
      await server.kill();
      if (target) await make(target.cells);
      own = 1;
      await server.start();
    }
    if (what === "killed") {
      if (target) await make(target.cells);
      own = 1;
      await server.kill();
      await server.start();
    }
    if (what === "sides" && !over) {
      await tab(page, "Board");
      await button(page, "Change sides").click();
      await tab(page, "Moves");
      game.players = { white: game.players.black ?? "", black: game.players.white ?? "" };
    }
    if (what === "numbers") {
      await tab(page, "Board");
      await page.getByLabel("numbers").click();
      await tab(page, "Moves");
    }
    if (what === "resign" && below(4) === 0 && !over && (await button(page, "Resign").isEnabled())) {
      await button(page, "Resign").click();
      await agree(page, "Resign");
      game.resigned = true;
    }
    view = await settled();
    const now = await moves(page);
    const message = `seed ${seed}: ${done.join(", ")}: ${game.played.join(" ")} became ${now.join(" ")}`;
    if (shorter) expect(isPrefix(now, game.played) || now.length <= game.played.length, message).toBe(true);
    else {
      expect(isPrefix(game.played, now), message).toBe(true);
      // Of all that is new, only as much is somebody's own as was clicked; the rest the program played for its sides.
      const added = view.played.slice(game.played.length).filter(({ side }) => game.players[side] === "person");
      const drawn = stateOf(page) && new URLSearchParams(page.url().split("?")[1]).has("random") ? 1 : 0;
      expect(added.length, message).toBeLessThanOrEqual(own + drawn);
    }
    game.played = now;
  }
  expect(faults, `seed ${seed}`).toEqual([]);
  await context.close();
  return done;
}

test(
  `${SESSIONS} random sessions`,
  async () => {
    for (let place = 0; place < SESSIONS; place++) {
      const seed = SEED + place;
      await session(seed);
      if ((place + 1) % 20 === 0) console.log(`${place + 1} of ${SESSIONS} sessions`);
    }
  },
  600_000 * SESSIONS,
);
