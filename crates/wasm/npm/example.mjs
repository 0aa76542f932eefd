// @ts-check
// A game against yourself, an opinion, and a proof.
import { analyse, load, move, position, solve, verify } from "papamu";

await load();

/** @type {import("papamu").GameState} */
const game = { game: "havannah", board: { size: "4", swap: false }, moves: [] };
while (position(game).outcome == null) {
  const { move: next } = move(game, { level: "beginner" });
  if (next == null) break;
  game.moves?.push(next);
}
console.log(game.moves?.join(" "), "-", position(game).state);

const [opinion] = analyse({ game: "havannah", size: 5, moves: "c3", seed: 1, simulations: 1000 });
console.log(`After c3 the best move is ${opinion?.best}, for a score of ${opinion?.value.toFixed(2)}.`);

const early = { ...game, moves: ["b1", "d2", "a2", "e4"] };
const { outcome, nodes, certificate } = solve(early, { certificate: true });
console.log(`${outcome} wins: ${nodes} positions, and the proof is ${certificate && verify(certificate).valid}.`);
