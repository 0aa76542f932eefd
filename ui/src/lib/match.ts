// A game that is played, from its start to its end: plain data, and what can happen to it. Nothing here asks anybody
// or knows a rule: what is legal, whose turn it is and how a game ended is what the server said of a position.

import type { GameState, GameTree, PositionView } from "./api";

export type Side = "white" | "black";
export const SIDES = ["white", "black"] as const;
export const other = (side: Side): Side => (side === "white" ? "black" : "white");
export type Each<T> = Record<Side, T>;

/** Who plays a side: somebody at this screen, a level of strength, or a player of the program with seconds for each move. */
export type Player =
  | { kind: "human"; name?: string }
  | { kind: "level"; level: string }
  | { kind: "engine"; engine: string; seconds: number };

/** What is agreed before a game begins. */
export interface Setup {
  /** The game, the board and the dialect; no moves. */
  start: GameState;
  players: Each<Player>;
  /** Seconds on each clock; 0 for no clock. */
  time: Each<number>;
  /** How many of its first moves a side has made at random. */
  random: Each<number>;
  /** The day on which the game began. */
  date?: string;
}

export type Chooser = "human" | "engine" | "random";

/** A move of the game. */
export interface Played {
  move: string;
  /** Who chose it. */
  by: Chooser;
  /** The clocks before it. */
  left: Each<number>;
}

/** How a game ended that the rules have not ended. */
export interface End {
  by: "resignation" | "time";
  loser: Side;
}

export interface Match {
  setup: Setup;
  moves: readonly Played[];
  /** The position after all moves, as soon as the server has told of it. */
  position?: PositionView;
  /** The clocks, in seconds. */
  left: Each<number>;
  end?: End;
  /** Whether players of the program rest. */
  paused: boolean;
  /** A move that somebody wants to make, and the server has not confirmed. */
  pending?: string;
  /** How many moves are shown, where somebody looks back; otherwise all of them. */
  at?: number;
  /** Why the last thing that was tried did not happen. */
  problem: string;
}

/**
 * What a game waits for: the server's word of its position, somebody's move, the server's word of that move, a move of
 * the program, the end of a pause, or nothing more.
 */
export type Phase = "unknown" | "human" | "pending" | "thinking" | "paused" | "over";

/** A clock that is given back to somebody who takes a move back has at least so many seconds. */
const GRACE = 10;

export function begin(setup: Setup, moves: readonly Played[] = []): Match {
  return { setup, moves, left: { ...setup.time }, paused: false, problem: "" };
}

export function phase(match: Match): Phase {
  if (!match.position) return "unknown";
  if (match.end || match.position.outcome != null) return "over";
  if (match.pending != null) return "pending";
  if (chooser(match) === "human") return "human";
  return match.paused ? "paused" : "thinking";
}

/** The moves of the game, as they are written. */
export const texts = (match: Match): string[] => match.moves.map(({ move }) => move);

export const turn = (match: Match): Side | undefined => match.position?.to_move as Side | undefined;

/** Who chooses the next move. */
export function chooser(match: Match): Chooser {
  const side = turn(match) ?? "white";
  const made = match.position?.played.filter((move) => move.side === side && move.kind !== "remove") ?? [];
  if (made.length < match.setup.random[side]) return "random";
  return match.setup.players[side].kind === "human" ? "human" : "engine";
}

/** Whether nobody at this screen plays. */
export const machines = ({ setup }: Match): boolean => SIDES.every((side) => setup.players[side].kind !== "human");

/** The side for which somebody at this screen can resign. */
export function resigner(match: Match): Side | undefined {
  const side = turn(match);
  if (!side || phase(match) === "over") return undefined;
  return [side, other(side)].find((one) => match.setup.players[one].kind === "human");
}

/** How many moves are left after a move is taken back: to the last one that somebody here chose. */
function keptBack(match: Match): number | undefined {
  const { moves } = match;
  if (machines(match)) return moves.length > 0 ? moves.length - 1 : undefined;
  for (let ply = moves.length - 1; ply >= 0; ply--) if (moves[ply]?.by === "human") return ply;
  return undefined;
}

export const canTakeBack = (match: Match): boolean => match.pending != null || keptBack(match) != null;

/** Whether a clock runs. */
export function ticks(match: Match): Side | undefined {
  const side = turn(match);
  const waits = ["human", "pending", "thinking"].includes(phase(match));
  return waits && side && match.moves.length > 0 && match.setup.time[side] > 0 ? side : undefined;
}

/** Whether these are the moves of the game now: an answer to a question about others comes too late. */
const isNow = (match: Match, moves: readonly string[]): boolean =>
  moves.length === match.moves.length && moves.every((move, ply) => move === match.moves[ply]?.move);

/** The server tells of the position after some moves. */
export function positioned(match: Match, moves: readonly string[], position: PositionView): Match {
  return !match.position && isNow(match, moves) ? { ...match, position, problem: "" } : match;
}

/** Somebody chooses a move on the board. */
export function chosen(match: Match, move: string): Match {
  const legal = match.position?.legal.some((one) => one.move === move);
  if (phase(match) !== "human" || match.at != null || !legal) return match;
  return { ...match, pending: move, problem: "" };
}

/** The server confirms a move that somebody chose after some moves. */
export function confirmed(match: Match, moves: readonly string[], move: string, position: PositionView): Match {
  if (phase(match) !== "pending" || match.pending !== move || !isNow(match, moves)) return match;
  return added(match, move, "human", position);
}

/** The program has found its move after some moves. */
export function moved(match: Match, moves: readonly string[], move: string | null, position: PositionView): Match {
  if (phase(match) !== "thinking" || !isNow(match, moves)) return match;
  return move == null ? { ...match, position } : added(match, move, chooser(match), position);
}

function added(match: Match, move: string, by: Chooser, position: PositionView): Match {
  const played: Played = { move, by, left: match.left };
  return { ...match, moves: [...match.moves, played], position, pending: undefined, problem: "" };
}

/** What was asked for is refused; the game is as it was, and players of the program rest. */
export function refused(match: Match, problem: string): Match {
  return { ...match, pending: undefined, paused: match.paused || phase(match) === "thinking", problem };
}

/** Somebody looks at the position after so many moves. */
export function looked(match: Match, at: number): Match {
  const ply = Math.max(0, Math.trunc(at));
  return { ...match, at: ply < match.moves.length ? ply : undefined };
}

/** Somebody takes the last move of theirs back, and what was answered: or the move that is not confirmed yet. */
export function takenBack(match: Match): Match {
  if (match.pending != null) return { ...match, pending: undefined, problem: "" };
  const kept = keptBack(match);
  if (kept == null) return match;
  const before = match.moves[kept]?.left ?? match.left;
  const back = (side: Side) => (match.setup.time[side] > 0 ? Math.max(before[side], GRACE) : before[side]);
  return {
    ...match,
    moves: match.moves.slice(0, kept),
    position: undefined,
    left: { white: back("white"), black: back("black") },
    end: undefined,
    at: undefined,
    paused: machines(match),
    problem: "",
  };
}

/** Somebody resigns for a side. */
export function resigned(match: Match, loser: Side): Match {
  if (!match.position || phase(match) === "over") return match;
  return { ...match, end: { by: "resignation", loser }, pending: undefined };
}

/** The clock of whoever is to move runs. */
export function ticked(match: Match, seconds: number): Match {
  const side = ticks(match);
  if (!side) return match;
  const left = { ...match.left, [side]: Math.max(0, match.left[side] - seconds) };
  if (left[side] > 0) return { ...match, left };
  return { ...match, left, end: { by: "time", loser: side }, pending: undefined };
}

/** Players of the program rest, or go on. */
export const rested = (match: Match, paused: boolean): Match => ({ ...match, paused, problem: "" });

/** Others play on. */
export function seated(match: Match, players: Each<Player>): Match {
  if (phase(match) === "over") return match;
  return { ...match, setup: { ...match.setup, players }, pending: undefined, paused: false, problem: "" };
}

/** The players, each on the other side. */
export const exchanged = ({ white, black }: Each<Player>): Each<Player> => ({ white: black, black: white });

/** Who won; undefined while the game goes on. */
export function outcome(match: Match): Side | "draw" | undefined {
  if (match.position?.outcome != null) return match.position.outcome as Side | "draw";
  return match.end ? other(match.end.loser) : undefined;
}

/** The result as files have it. */
export function result(match: Match): string | undefined {
  const won = outcome(match);
  if (!won) return undefined;
  if (won === "draw") return "0";
  const how = match.position?.outcome != null ? "" : match.end?.by === "time" ? "T" : "R";
  return `${won === "white" ? "W" : "B"}+${how}`;
}

/** The name of a player, as files have it. */
export function nameOf(player: Player): string {
  if (player.kind === "human") return player.name ?? "Human";
  return player.kind === "level" ? `Papamu (${player.level})` : `Papamu (${player.engine}, ${player.seconds} s)`;
}

/** The game as a tree, for files and for other pages. */
export function tree(match: Match): GameTree {
  const { start, players, random, date } = match.setup;
  const given = SIDES.filter((side) => random[side] > 0).map((side) => `${random[side]} of ${side}`);
  const comment = given.length > 0 ? `Handicap: random opening moves, ${given.join(" and ")}.` : undefined;
  return {
    state: { ...start, moves: [] },
    white: nameOf(players.white),
    black: nameOf(players.black),
    result: result(match),
    properties: date == null ? undefined : [{ name: "DT", values: [date] }],
    nodes: [{ comment }, ...match.moves.map(({ move }, ply) => ({ parent: ply, move }))],
  };
}
