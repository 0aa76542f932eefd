// The page where a game is played, as its tests see it. What the page looks like matters here alone.

import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { GameState, PositionView } from "../src/lib/api";
import { type Server, cell } from "./papamu";

export interface Wanted {
  game?: "havannah" | "konane";
  size?: string;
  swap?: boolean;
  white?: string;
  black?: string;
  /** Minutes for White and for Black. */
  minutes?: [number, number];
  /** Random opening moves of White and of Black. */
  random?: [number, number];
  /** What White and Black are called. */
  names?: [string, string];
  /** Seconds that a named player has for each move. */
  seconds?: number;
}

export const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const theGame = (page: Page) => page.getByRole("region", { name: "The game" });
export const tab = (page: Page, name: string) => page.getByRole("tab", { name, exact: true }).click();
const dialog = (page: Page) => page.getByRole("dialog", { name: "New game" });
export const status = async (page: Page) => (await theGame(page).getByRole("status").first().textContent()) ?? "";

/** Who plays a side in the next game: `person`, a level, or `player NAME`. */
export const choosePlayer = (page: Page, side: "White" | "Black", player: string) =>
  dialog(page).getByRole("combobox", { name: side, exact: true }).selectOption(player);

/** Opens the dialog of a new game. */
export async function choose(page: Page, wanted: Wanted): Promise<void> {
  await button(page, "New game").click();
  const form = dialog(page);
  const title = (wanted.game ?? "havannah") === "havannah" ? "Havannah" : "Kōnane";
  await form.getByRole("radio", { name: title }).check();
  await form.getByLabel("Other size").fill(wanted.size ?? "4");
  await form.getByLabel("Other size").blur();
  if (title === "Havannah") await form.getByLabel("swap rule").setChecked(wanted.swap ?? false);
  await choosePlayer(page, "White", wanted.white ?? "person");
  await choosePlayer(page, "Black", wanted.black ?? "person");
  if (!(await form.getByLabel("Minutes for white").isVisible())) await form.locator("summary").click();
  for (const [place, side] of ["white", "black"].entries()) {
    await form.getByLabel(`Minutes for ${side}`).fill(String(wanted.minutes?.[place] ?? 0));
    await form.getByLabel(`Random opening moves of ${side}`).fill(String(wanted.random?.[place] ?? 0));
    const name = wanted.names?.[place];
    if (name != null) await form.getByLabel(`Name of ${side}`).fill(name);
  }
  if (wanted.seconds) await form.getByLabel("Seconds per move").fill(String(wanted.seconds));
}

/** Begins a new game. */
export async function begin(page: Page, wanted: Wanted): Promise<void> {
  await choose(page, wanted);
  await dialog(page).getByRole("button", { name: "Start" }).click();
  await agree(page, "Leave");
}

/** Says yes to a question, if there is one. */
export async function agree(page: Page, answer: string): Promise<void> {
  const yes = page.getByRole("dialog").getByRole("button", { name: answer, exact: true });
  if (await yes.isVisible()) await yes.click();
}

/** Saves the file that a button gives, and tells where. */
export async function saved(page: Page, name: string, path: string): Promise<string> {
  const download = page.waitForEvent("download");
  await button(page, name).click();
  await (await download).saveAs(path);
  return path;
}

/** The moves of the game on the screen. */
export async function moves(page: Page): Promise<string[]> {
  const texts = await page.locator("ol[aria-label=Moves] .move").allTextContents();
  return texts.map((text) => text.trim().split(/\s+/)[1] ?? "");
}

export const expectMoves = (page: Page, ...expected: string[]) => expect.poll(() => moves(page)).toEqual(expected);

/** The stones on the screen: what screen readers say of each cell. */
export async function stones(page: Page): Promise<Record<string, string>> {
  const said = await page
    .locator("svg.board .cell")
    .evaluateAll((cells) => cells.map((one) => one.getAttribute("aria-label") ?? ""));
  const found: Record<string, string> = {};
  for (const text of said) {
    const [name = "", what = ""] = text.split(", ");
    if (what.endsWith(" stone")) found[name] = what.split(" ")[0] ?? "";
  }
  return found;
}

/** The game and the board in the address of a page. */
export const stateOf = (page: Page): GameState => stateAt(page.url());

/** The game and the board in an address. */
export function stateAt(address: string): GameState {
  const values = new URLSearchParams(address.split("?")[1]);
  const number = (name: string) => (values.has(name) ? Number(values.get(name)) : undefined);
  return {
    game: values.get("game") as "havannah" | "konane",
    board: {
      size: values.get("size") ?? undefined,
      rows: number("rows"),
      cols: number("cols"),
      setup: values.get("setup") ?? undefined,
      stones: values.get("stones") ?? undefined,
      turn: values.get("turn") ?? undefined,
      swap: values.get("swap") === "1",
    },
    moves: [],
  };
}

/** What the rules give after some moves, by the server. */
export async function byTheRules(server: Server, state: GameState, played: string[]): Promise<PositionView> {
  const answer = await fetch(`${server.address}api/position`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...state, moves: played }),
  });
  const text = await answer.text();
  expect(answer.status, `${played.join(" ")}: ${text}`).toBe(200);
  return JSON.parse(text);
}

/** The stones of a position. */
export const stonesOf = (view: PositionView): Record<string, string> =>
  Object.fromEntries(view.cells.flatMap(({ name, stone }) => (stone ? [[name, stone]] : [])));

/** The game on the screen is the game that the rules give for its moves. */
export async function expectTrue(server: Server, page: Page): Promise<void> {
  await expect
    .poll(async () => {
      const view = await byTheRules(server, stateOf(page), await moves(page));
      return JSON.stringify([stonesOf(view)]) === JSON.stringify([await stones(page)]);
    })
    .toBe(true);
}

/** Clicks on a cell as fast as a browser can, without asking whether anybody may. */
export const press = (page: Page, name: string) => cell(page, name).dispatchEvent("click");

/** No moment is taken for moves of the program. */
export const atOnce = { "papamu-show": JSON.stringify({ moment: false }) };
