// Where workers share no memory, several of them search one position, each with a tree and a seed of its own, and what they find is
// added up.

import answers from "../../../answers.json";
import type { Ask, Candidate, Found, GameInfo, Tell } from "../api";

export type Analysed = Extract<Tell, { type: "analysis" }>;
export type Moved = Extract<Tell, { type: "moved" }>;

function chosen(ask: Ask & { type: "analyse" | "move" }) {
  const game = (answers["/api/games"] as unknown as GameInfo[]).find(({ game }) => game === ask.state.game);
  const level = ask.type === "move" && ask.level != null ? game?.levels.find(({ name }) => name === ask.level) : undefined;
  /** Whether so many simulations say what is found. */
  const isCounted = ask.type === "move" && ask.level != null && level?.seconds == null;
  return { game, level, isCounted };
}

/** Whether a search may have threads that share its memory: a player or solver that cannot use them leaves them idle. */
export const usesThreads = (ask: Ask): boolean =>
  ask.type === "solve" || ((ask.type === "analyse" || ask.type === "move") && !chosen(ask).isCounted);

/** Whether more workers find more: the player is a Monte Carlo search, and no number of simulations says what it finds. */
function canShare(ask: Ask): boolean {
  if (ask.type !== "analyse" && ask.type !== "move") return false;
  const { game, level, isCounted } = chosen(ask);
  if (isCounted) return false;
  const name = level?.player ?? ask.player ?? game?.players[0]?.name;
  return game?.players.find((player) => player.name === name)?.monte_carlo ?? false;
}

/** What so many workers are asked, for a search: the first one what the page asks, so that one worker finds what it would alone. */
export function shares(ask: Ask, workers: number): Ask[] {
  if (workers < 2 || !canShare(ask)) return [ask];
  const seed = (ask as { seed?: number | null }).seed ?? 1;
  return Array.from({ length: workers }, (_, place) => (place === 0 ? ask : ({ ...ask, seed: (seed + place) >>> 0 } as Ask)));
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
const mean = (values: { value: number; weight: number }[]) => {
  const weight = sum(values.map(({ weight }) => weight));
  return weight > 0 ? sum(values.map(({ value, weight }) => value * weight)) / weight : (values[0]?.value ?? 0.5);
};

/** What is known of one move: a proof of any search holds, and visits add up. */
function candidate(known: readonly Candidate[]): Candidate {
  const most = known.toSorted((one, other) => other.visits - one.visits);
  const proof = most.find(({ proven }) => proven != null);
  const lines = most.map(({ line }) => line);
  return {
    move: most[0]?.move ?? "",
    visits: sum(known.map(({ visits }) => visits)),
    value: proof?.value ?? mean(known.map(({ value, visits }) => ({ value, weight: visits }))),
    proven: proof?.proven ?? null,
    line: lines.find((line) => line.length > 0) ?? [],
  };
}

/** The better, the higher: a proven win, then what is open, then what is worse than a proven draw, then a proven loss. */
const grade = ({ proven, value }: Candidate, hasDraw: boolean) =>
  proven === "win" ? 3 : proven === "loss" ? 0 : hasDraw && proven == null && value <= 0.5 ? 1 : 2;

/** What searches of one position have found, added up. */
export function together(all: readonly Found[]): Found {
  const [first] = all;
  if (!first) throw new Error("nothing was found");
  if (all.length === 1) return first;
  const effort = {
    work: sum(all.map(({ work }) => work)),
    rate: sum(all.map(({ rate }) => rate)),
    depth: Math.max(...all.map(({ depth }) => depth)),
  };
  // A search that has proven the position knows which moves keep its value.
  const proof = all.find(({ proven }) => proven != null);
  if (proof) return { ...proof, ...effort };
  const known = new Map<string, Candidate[]>();
  for (const one of all.flatMap(({ moves }) => moves)) known.set(one.move, [...(known.get(one.move) ?? []), one]);
  const moves = [...known.values()].map(candidate);
  const hasDraw = moves.some(({ proven }) => proven === "draw");
  moves.sort((one, other) => grade(other, hasDraw) - grade(one, hasDraw) || other.visits - one.visits || other.value - one.value);
  const [best] = moves;
  return {
    ...first,
    ...effort,
    value: mean(all.map(({ value, work }) => ({ value, weight: work }))),
    line: best && best.line.length > 0 ? best.line : (all.find(({ line }) => line[0] === best?.move) ?? first).line,
    moves,
  };
}

/** The move of a player whose time several searches have used: of the moves that they chose, the best by all that they found. */
export function agreed(all: readonly Moved[]): Moved {
  const found = together(all.map(({ found }) => found));
  const proof = all.find(({ found }) => found.proven != null);
  const best = found.moves.find(({ move }) => all.some((moved) => moved.move === move));
  const chosen = proof ?? all.find(({ move }) => move === best?.move) ?? all[0];
  if (!chosen) throw new Error("nobody has moved");
  return { ...chosen, found };
}
