// A whole game in an address: besides board and moves, which other pages understand too, players, clocks and how it ended.
// `players=human_level:casual&time=300_180&left=290_180&by=he&spent=300_180`: White first, then Black.

import { read as readPlace, write as writePlace, type Place } from "./address";
import {
  SIDES,
  begin,
  tree,
  type Chooser,
  type Each,
  type End,
  type Match,
  type Played,
  type Player,
  type Side,
} from "./match";

const CHOOSERS: Record<string, Chooser> = { h: "human", e: "engine", r: "random" };
/** Between the two sides, and between moves: it stands in no name and no number. */
const BETWEEN = "_";

function readPlayer(text: string): Player {
  const [kind, name = "", seconds = ""] = text.split(":");
  if (kind === "level" && name) return { kind, level: name };
  if (kind === "engine" && name) {
    return { kind, engine: name, seconds: Math.min(60, Math.max(0.01, Number(seconds) || 1)) };
  }
  return name ? { kind: "human", name } : { kind: "human" };
}

function writePlayer(player: Player): string {
  if (player.kind === "level") return `level:${player.level}`;
  if (player.kind === "engine") return `engine:${player.engine}:${player.seconds}`;
  return player.name ? `human:${player.name.replaceAll(/[_:]/g, " ")}` : "human";
}

const number = (text: string | undefined, most: number) => Math.min(most, Math.max(0, Number(text) || 0));

function numbers(text: string | null, most: number): Each<number> {
  const [white, black] = (text ?? "").split(BETWEEN);
  return { white: number(white, most), black: number(black, most) };
}

const LONGEST_TIME = 600 * 60;

/** The game of an address; without players there, those who would play otherwise. */
export function read({ tree, at, values }: Place, otherwise: Each<Player>): Match | undefined {
  if (!tree) return undefined;
  const players = values.get("players")?.split(BETWEEN);
  // An address of another page has the game as far as it is looked at.
  const line = mainLine(tree.nodes.map(({ parent }) => parent ?? undefined), players ? undefined : at);
  const by = values.get("by") ?? "";
  const time = numbers(values.get("time"), LONGEST_TIME);
  const left = values.has("left") ? numbers(values.get("left"), LONGEST_TIME) : time;
  const spent = values.get("spent")?.split(BETWEEN) ?? [];
  const setup = {
    start: { ...tree.state, moves: [] },
    players: players ? { white: readPlayer(players[0] ?? ""), black: readPlayer(players[1] ?? "") } : otherwise,
    time,
    random: numbers(values.get("random"), 9),
    date: tree.properties?.find(({ name }) => name === "DT")?.values[0],
  };
  const moves: Played[] = line.map((node, ply) => ({
    move: tree.nodes[node]?.move ?? "",
    by: CHOOSERS[by[ply] ?? ""] ?? "human",
    left: {
      white: number(spent[2 * ply] ?? String(left.white), LONGEST_TIME),
      black: number(spent[2 * ply + 1] ?? String(left.black), LONGEST_TIME),
    },
  }));
  const match: Match = { ...begin(setup, moves), left, paused: values.get("paused") === "1" };
  const [how, loser] = values.get("end")?.split(BETWEEN) ?? [];
  if ((how === "resignation" || how === "time") && SIDES.includes(loser as Side)) {
    match.end = { by: how, loser: loser as Side } satisfies End;
  }
  if (players && at < moves.length) match.at = at;
  return match;
}

/** The places of the moves of the main line, or of the line that leads to a place. */
function mainLine(parents: (number | undefined)[], end?: number): number[] {
  const line: number[] = [];
  if (end != null) {
    for (let at: number | undefined = end; at; at = parents[at]) line.unshift(at);
    return line;
  }
  for (let at = 0; ; ) {
    const next = parents.findIndex((parent, place) => place > 0 && parent === at);
    if (next < 0) return line;
    line.push(next);
    at = next;
  }
}

/** The address of a game on the page where it is played. */
export function write(match: Match): string {
  const { players, time, random } = match.setup;
  const both = (of: Each<number>) => SIDES.map((side) => String(Math.round(10 * of[side]) / 10)).join(BETWEEN);
  const more: Record<string, string> = { players: SIDES.map((side) => writePlayer(players[side])).join(BETWEEN) };
  if (match.moves.length > 0) more.by = match.moves.map(({ by }) => by[0]).join("");
  if (SIDES.some((side) => random[side] > 0)) more.random = both(random);
  if (SIDES.some((side) => time[side] > 0)) {
    more.time = both(time);
    more.left = both(match.left);
    if (match.moves.length > 0) more.spent = match.moves.map(({ left }) => both(left)).join(BETWEEN);
  }
  if (match.paused) more.paused = "1";
  if (match.end) more.end = `${match.end.by}${BETWEEN}${match.end.loser}`;
  return writePlace("play", { ...tree(match), white: undefined, black: undefined }, match.at, more);
}

/** The game of an address as text. */
export const readText = (hash: string, otherwise: Each<Player>): Match | undefined => read(readPlace(hash), otherwise);
