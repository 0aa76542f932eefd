// What the program offers, with the types of its description.

import { carrier } from "#carrier";
import answers from "../../answers.json";
import type { components } from "./schema.gen";

type Schemas = components["schemas"];
export type GameName = Schemas["GameName"];
/** A board and the rules: values by the names of options. */
export type Board = Schemas["Board"] & Record<string, string | number | boolean | null | undefined>;
export type GameState = Schemas["GameState"];
export type PositionView = Schemas["PositionView"];
export type CellView = Schemas["CellView"];
export type MoveView = Schemas["MoveView"];
export type GameInfo = Schemas["GameInfo"];
export type FileProperty = Schemas["FileProperty"];
export type GameTree = Schemas["GameTree"];
export type TreeNode = Schemas["TreeNode"];
export type SavedGame = Schemas["SavedGame"];
export type Ask = Schemas["Ask"];
export type Tell = Schemas["Tell"];
export type Found = Schemas["Found"];
export type Candidate = Schemas["Candidate"];
export type Reviewed = Schemas["ReviewedView"];
export type Puzzle = Schemas["PuzzleView"];
export type Solving = Schemas["SolvingView"];
export type Solved = Schemas["SolvedView"];
export type Verified = Schemas["VerifiedView"];
export type ProofPlace = Schemas["ProofView"];
export type Threats = Schemas["ThreatsView"];
export type Structures = Schemas["StructuresView"];
export type Experiment = Schemas["ExperimentView"];
export type ExperimentReport = Schemas["ExperimentReport"];
export type Played = Schemas["PlayedView"];

/** The server's refusal, in words for a person. */
export class Refused extends Error {}

/** There was no answer: nobody knows whether there will be one. */
export class Unreachable extends Refused {}

async function request(path: string, init?: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await carrier.request(path, init);
  } catch {
    const { what, advice } = carrier.silence;
    throw new Unreachable(`${what}. ${advice}`);
  }
  if (!response.ok) {
    const text = await response.text();
    let message = text;
    try {
      message = JSON.parse(text).message;
    } catch {
      // The answer is not from the interface itself: its text is all there is.
    }
    throw new Refused(message || response.statusText);
  }
  return response;
}

function json(method: string, body: unknown): RequestInit {
  return { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

/** What the server is known to answer, by the path and the text that is sent there. */
function known<T>(path: string, text = ""): T | undefined {
  return new Map<string, unknown>(Object.entries(answers)).get(path + text) as T | undefined;
}

const POSITION = "/api/position";

/** The games, and what there is to choose from in them. */
export const GAMES = known<GameInfo[]>("/api/games") ?? [];

/** The board on which a game begins where nobody has chosen one. */
export function firstBoard({ first_size: size, options }: GameInfo): Board {
  const has = (option: string) => options.some(({ name }) => name === option);
  if (!has("rows")) return { size, swap: has("swap") };
  const [rows, cols] = size.split("x").map(Number);
  return { rows, cols: cols ?? rows, swap: false };
}

/** The game that a new page shows: the first one there is. */
export const FIRST: GameState = (([first]) => ({
  game: (first as GameInfo).game,
  board: firstBoard(first as GameInfo),
  moves: [],
}))(GAMES);

/** What can be chosen before a game of any kind, each once. */
export const OPTIONS = [...new Map(GAMES.flatMap(({ options }) => options).map((one) => [one.name, one])).values()] as {
  name: string;
  kind: "text" | "number" | "switch";
}[];

/** The position of a state where it is known without the server. */
export function knownPosition(state: GameState): PositionView | undefined {
  return known(POSITION, JSON.stringify(state));
}

/** Positions that were asked for last: the rules do not change while the page is open. */
const positions = new Map<string, PositionView>();
const MOST_POSITIONS = 300;

/** Remembers the position of a state, which the server has told of. */
export function learn(state: GameState, view: PositionView): PositionView {
  const key = JSON.stringify(state);
  positions.delete(key);
  positions.set(key, view);
  const [oldest] = positions.keys();
  if (positions.size > MOST_POSITIONS && oldest != null) positions.delete(oldest);
  return view;
}

export async function position(state: GameState): Promise<PositionView> {
  const known = knownPosition(state) ?? positions.get(JSON.stringify(state));
  if (known) return known;
  return learn(state, await (await request(POSITION, json("POST", state))).json());
}

/** The address of the app for other machines, if they can reach it. */
export async function link(): Promise<string | null> {
  return (await request("/api/link")).json();
}

export async function picture(state: GameState): Promise<string> {
  return (await request("/api/picture", json("POST", state))).text();
}

/** As many bytes as the server takes, which it would only say after all of them were sent. */
const LARGEST_FILE = 4 * 2 ** 20;
const LARGEST_CERTIFICATE = 32 * 2 ** 20;

function checkSize(bytes: number, largest: number): void {
  if (bytes <= largest) return;
  const [mib, limit] = [bytes, largest].map((of) => (of / 2 ** 20).toFixed(0));
  throw new Refused(`The file has ${mib} MiB; the limit is ${limit} MiB.`);
}

export const checkGame = (bytes: number): void => checkSize(bytes, LARGEST_FILE);
export const checkCertificate = (bytes: number): void => checkSize(bytes, LARGEST_CERTIFICATE);

export async function readFile(contents: BodyInit): Promise<GameTree[]> {
  return (await request("/api/files/read", { method: "POST", body: contents })).json();
}

export async function writeSgf(tree: GameTree): Promise<string> {
  return (await request("/api/files/sgf", json("POST", tree))).text();
}

export async function inDialect(tree: GameTree, dialect: string): Promise<GameTree> {
  return (await request(`/api/files/dialect/${dialect}`, json("POST", tree))).json();
}

export async function expectedStructures(state: GameState): Promise<Structures> {
  return (await request("/api/structures", json("POST", state))).json();
}

export async function threats(state: GameState): Promise<Threats> {
  return (await request("/api/threats", json("POST", state))).json();
}

export async function readCertificate(id: number): Promise<ArrayBuffer> {
  return (await request(`/api/certificates/${id}`)).arrayBuffer();
}

/** What the proof of a certificate says of a position; of a draw, the strategy of one side. */
export async function explore(id: number, state: GameState, side?: string): Promise<ProofPlace> {
  return (await request(`/api/certificates/${id}/explore`, json("POST", { state, side }))).json();
}

/** The certificate of a position that the strategy of a proof comes to; of a draw, the strategy of one side. */
export async function readPart(id: number, state: GameState, side?: string): Promise<ArrayBuffer> {
  return (await request(`/api/certificates/${id}/part`, json("POST", { state, side }))).arrayBuffer();
}

export async function verify(contents: BodyInit): Promise<Verified> {
  return (await request("/api/certificates/verify", { method: "POST", body: contents })).json();
}

/** Where a figure of an experiment can be had. */
export const figure = (id: string, name: string) =>
  `/api/experiments/${encodeURIComponent(id)}/figures/${encodeURIComponent(name)}`;

export async function playedGames(id: string, pair: number, colour: number): Promise<Played[]> {
  return (await request(`/api/experiments/${encodeURIComponent(id)}/games/after/${pair}/${colour}`)).json();
}

export async function playedGame(id: string, pair: number, colour: number): Promise<string> {
  return (await request(`/api/experiments/${encodeURIComponent(id)}/games/${pair}/${colour}`)).text();
}

export async function savedGames(): Promise<SavedGame[]> {
  return (await request("/api/saved")).json();
}

export async function savedGame(id: number): Promise<string> {
  return (await request(`/api/saved/${id}`)).text();
}

export async function savedStudy(id: number): Promise<string | null> {
  return (await request(`/api/saved/${id}/study`)).json();
}

export async function saveGame(title: string, sgf: string, study?: string): Promise<number> {
  return (await request("/api/saved", json("POST", { title, sgf, study }))).json();
}

export async function removeGame(id: number): Promise<void> {
  await request(`/api/saved/${id}`, { method: "DELETE" });
}
