// Papamu for JavaScript: rules, players, solvers, reviews and files of Havannah, Kōnane and Hex, in WebAssembly.
//
// Nothing here can be interrupted: a page calls what takes time in a worker.

import init, { analyse as analysed, answer, search } from "./papamu_wasm.js";

/** What cannot be done, in words for a person. */
export class Refused extends Error {}

const PROGRAM = new URL("papamu_wasm_bg.wasm", import.meta.url);

/** Loads the program. Without an argument it is the file beside this one: where a bundler moves that, give its address or bytes. */
export async function load(program) {
  const isFile = program == null && PROGRAM.protocol === "file:";
  const found = isFile ? await (await import("node:fs/promises")).readFile(PROGRAM) : (program ?? PROGRAM);
  await init({ module_or_path: found });
}

const words = new TextEncoder();
const bytes = (body) => (body instanceof Uint8Array ? body : words.encode(typeof body === "string" ? body : JSON.stringify(body)));

function ask(path, body = "") {
  const answered = answer(path, bytes(body));
  const { status } = answered;
  const text = new TextDecoder().decode(answered.body);
  answered.free();
  if (status !== 200) throw new Refused(JSON.parse(text).message);
  return text;
}

export const games = () => JSON.parse(ask("/api/games"));
export const position = (state) => JSON.parse(ask("/api/position", state));
export const threats = (state) => JSON.parse(ask("/api/threats", state));
export const picture = (state) => ask("/api/picture", state);
export const readFile = (contents) => JSON.parse(ask("/api/files/read", contents));
export const writeSgf = (tree) => ask("/api/files/sgf", tree);
export const inDialect = (tree, dialect) => JSON.parse(ask(`/api/files/dialect/${dialect}`, tree));
export const verify = (certificate) => JSON.parse(ask("/api/certificates/verify", certificate));

/** Answers a query of the analysis engine: an answer for each position. */
export function analyse(query) {
  const answers = JSON.parse(analysed(JSON.stringify({ id: "", ...query })));
  for (const { type, field, error } of answers) {
    if (type === "error") throw new Refused(field ? `${field}: ${error}` : error);
  }
  return answers;
}

/** Runs a search to its end, and gives its messages of one type. */
function run(request, type, news) {
  const found = [];
  let certificate;
  search(JSON.stringify({ id: 0, ...request }), {
    tell(text) {
      const message = JSON.parse(text);
      if (message.type === "refused") throw new Refused(message.message);
      if (message.type === type) found.push(message);
      else if (message.type !== "finished") news?.(message);
    },
    keep(written) {
      certificate = written.slice();
      return 0;
    },
  });
  return { found, certificate };
}

export function move(state, by = {}) {
  const { found } = run({ type: "move", state, ...by }, "moved");
  const [{ move, position, found: known }] = found;
  return { move: move ?? null, position, found: known };
}

export const review = (state, simulations) =>
  run({ type: "review", state, simulations }, "reviewed").found.map(({ reviewed }) => reviewed);

export function solve(state, { solver, certificate = false, solving } = {}) {
  const news = solving && (({ progress }) => solving(progress));
  const done = run({ type: "solve", state, solver, certificate }, "solved", news);
  return { ...done.found[0].solved, certificate: done.certificate };
}

export const puzzle = (game, seed) => run({ type: "puzzle", game, seed }, "puzzle").found[0].puzzle;
