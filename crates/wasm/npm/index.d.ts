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

/** What an answer can report of a position. */
export type ReportItem = "moves" | "lines" | "review" | "statistics" | "network";
export type Side = "white" | "black";
export type Proven = "win" | "draw" | "loss";

/**
 * A question about positions of one game: a query of the analysis engine (`docs/analysis.md`), which describes each field.
 * There is no `priority` here, since nothing else waits.
 */
export interface Query {
  id?: string;
  /** The version of the description that the query follows. */
  schema?: 1;
  game: GameName;
  /** The size of the board, such as 8, or "4x4x5" for Havannah with uneven sides. */
  size?: number | string;
  /** Kōnane: the sides of the board, in place of `size`. */
  rows?: number;
  cols?: number;
  /** Kōnane: the stones that are removed already, such as "centre". */
  setup?: string;
  /** Kōnane: the rule of the opening. */
  opening?: "traditional" | "any";
  /** Havannah and Hex: whether the swap rule holds. */
  swap?: boolean;
  /** The stones from which the game starts, such as "white a1 b2 black c3". */
  stones?: string;
  /** With `stones`: the side to move. */
  turn?: Side;
  /** Havannah: how moves are written. */
  dialect?: "grid" | "row";
  /** The moves from the start: a list, or a text in which they are separated by spaces. */
  moves?: string | string[];
  /** After how many moves to analyse: all of them by default. */
  turns?: number[] | "all";
  player?: string;
  set?: Record<string, string | number | boolean>;
  seed?: number;
  /** Seconds for each position. */
  time?: number;
  simulations?: number;
  nodes?: number;
  depth?: number;
  /** Seconds between partial answers, which come before the result of their position. Without it there are none. */
  every?: number;
  /** What to report: `["moves"]` by default. */
  report?: ReportItem[];
  /** The most moves that an answer lists. */
  most_moves?: number;
}

/** What a search found. Values are expected scores, from 0 to 1, of the side to move. */
export interface Analysis {
  type: "result" | "partial";
  id: string;
  turn: number;
  to_move: Side;
  value: number;
  proven: Proven | null;
  best: string | null;
  line: string[];
  simulations: number;
  nodes: number;
  depth: number;
  seconds: number;
  /** In a result: why the search ended. */
  stop?: "time" | "simulations" | "nodes" | "depth" | "proven" | "stopped" | "memory-limit";
  /** If asked for: the moves, the best first. */
  moves?: AnalysedMove[];
  /** If asked for, and the position before is analysed too: the value of the last move. */
  review?: ReviewedMove;
  /** If asked for, and the player is a Monte Carlo search. */
  statistics?: Statistics;
  /** If asked for, and the game has a network. */
  network?: { value: number; moves: { move: string; probability: number }[] };
}

/** A move in a position. Values are those of the side that makes it. */
export interface AnalysedMove {
  move: string;
  /** Simulations through it, where a value of the network counts as several; or nodes. */
  visits: number;
  value: number;
  /** The lower end of the 95 % interval of the value. */
  lower_bound: number;
  proven: Proven | null;
  /** If `lines` are asked for: the line of play that begins with the move. */
  line?: string[];
}

/** A move of the game. Values are those of the side that moved. */
export interface ReviewedMove {
  ply: number;
  side: Side;
  move: string;
  /** The expected score after the move. */
  value: number;
  /** The expected score before the move, with the best move. */
  before: number;
  best: string;
  loss: number;
  /** How far the loss may be wrong (95 %). */
  margin: number;
  mark: "" | "?!" | "?" | "??";
  /** The class of the mistake, in words. */
  mistake: string | null;
  proven: Proven | null;
}

/** What a Monte Carlo search did. */
export interface Statistics {
  simulations: number;
  /** Shares of the time. */
  phases: { descent: number; expansion: number; playout: number; back_propagation: number };
  mean_depth: number;
  max_depth: number;
  collections: number;
  ends: { end: string; count: number }[];
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
