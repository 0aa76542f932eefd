import type { components } from "./api.js";

type Schemas = components["schemas"];
export type GameName = Schemas["GameName"];
export type GameInfo = Schemas["GameInfo"];
/** A board and the moves played on it. */
export type GameState = Schemas["GameState"];
export type PositionView = Schemas["PositionView"];
export type Threats = Schemas["ThreatsView"];
export type GameTree = Schemas["GameTree"];
export type Found = Schemas["Found"];
export type Reviewed = Schemas["ReviewedView"];
export type Puzzle = Schemas["PuzzleView"];
export type Solving = Schemas["SolvingView"];
export type Solved = Omit<Schemas["SolvedView"], "certificate"> & { certificate?: Uint8Array };
export type Verified = Schemas["VerifiedView"];

/** A question about positions of one game: the board by its options (`size`, `rows`, `swap`, …), and what a search may take. */
export interface Query {
  game: GameName;
  /** The moves from the start, separated by spaces. */
  moves?: string;
  /** After how many moves to analyse: all of them by default. */
  turns?: number[] | "all";
  player?: string;
  set?: Record<string, string | number | boolean>;
  seed?: number;
  simulations?: number;
  nodes?: number;
  /** Seconds for each position. */
  time?: number;
  [option: string]: unknown;
}

/** What a search found. Values are expected scores, from 0 to 1, of the side to move. */
export interface Analysis {
  turn: number;
  to_move: "white" | "black";
  value: number;
  proven: "win" | "draw" | "loss" | null;
  best: string | null;
  line: string[];
  simulations: number;
  nodes: number;
  depth: number;
  seconds: number;
}

/** What cannot be done, in words for a person. */
export class Refused extends Error {}

/** Loads the program, which everything else needs. Without an argument it is the file beside this package's. */
export function load(program?: string | URL | Response | BufferSource | WebAssembly.Module): Promise<void>;

/** The games, with their boards, levels, players and solvers. */
export function games(): GameInfo[];
/** The position after the moves of a game, with what is needed to draw it and to play on. */
export function position(state: GameState): PositionView;
/** What can be seen without a search. */
export function threats(state: GameState): Threats;
/** The position as SVG. */
export function picture(state: GameState): string;
/** The games of a file: SGF, HGF or a list of moves. */
export function readFile(contents: string | Uint8Array): GameTree[];
export function writeSgf(tree: GameTree): string;
export function inDialect(tree: GameTree, dialect: string): GameTree;
/** Checks a certificate with the rules alone. */
export function verify(certificate: Uint8Array): Verified;

/** Searches positions of a game. The same seed and the same simulations or nodes give the same answer on every machine. */
export function analyse(query: Query): Analysis[];
/** The move of a level, or of a player with so many seconds. */
export function move(
  state: GameState,
  by?: { level?: string; player?: string; seconds?: number; seed?: number },
): { move: string | null; position: PositionView; found: Found };
/** What each move of a game was worth. */
export function review(state: GameState, simulations?: number): Reviewed[];
/** The exact value of a position, with a certificate if one is wanted. */
export function solve(
  state: GameState,
  options?: { solver?: string; certificate?: boolean; solving?: (progress: Solving) => void },
): Solved;
/** A position in which one move alone wins; a number gives always the same one. */
export function puzzle(game: GameName, seed: number): Puzzle;
