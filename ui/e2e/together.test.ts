// What several workers that search one position are worth: games of the program against itself, with what `together` makes of
// searches with different seeds. `TOGETHER="5 1000 100" npm run e2e -- together`: the size, the simulations of each worker, the games.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { describe, expect, test } from "vitest";
import type { Found, PositionView } from "../src/lib/api";
import { agreed } from "../src/lib/carrier/together";
import { program } from "./papamu";

const [size = 5, simulations = 1000, games = 100] = (process.env.TOGETHER ?? "").split(" ").filter(Boolean).map(Number);
const WORKERS = 4;

/** How many searches with so many simulations choose the moves of a side, and how many threads each has. */
interface Side {
  searches: number;
  simulations: number;
  threads?: number;
}

type Result = Omit<Found, "side" | "work" | "rate"> & { type: string; simulations: number; best: string | null };

/** The analysis engine, which is asked one question at a time. */
class Engine {
  #process = spawn(program, ["analyse", "--json", "--positions", "1"], { stdio: ["pipe", "pipe", "inherit"] });
  #lines = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]();

  #asked = 0;

  async ask(query: object): Promise<Result> {
    this.#asked += 1;
    this.#process.stdin.write(`${JSON.stringify({ id: `${this.#asked}`, game: "havannah", size, report: ["lines"], ...query })}\n`);
    const { value } = await this.#lines.next();
    const result = JSON.parse(value) as Result;
    expect(result.type, value).toBe("result");
    return result;
  }

  end() {
    this.#process.stdin.end();
  }
}

describe.skipIf(process.env.TOGETHER === undefined)("several workers", () => {
  test.each([
    ["one worker", { searches: 1, simulations }],
    ["one worker with all their simulations", { searches: 1, simulations: WORKERS * simulations }],
    ["as many threads that share one tree", { searches: 1, simulations: WORKERS * simulations, threads: WORKERS }],
  ])("against %s", async (name, other: Side) => {
    const engine = new Engine();
    let seed = 0;
    const choose = async (moves: string[], side: Side): Promise<{ move: string | null; found: Found }> => {
      const all = [];
      for (let search = 0; search < side.searches; search++) {
        seed += 1;
        const { best, simulations: work, ...found } = await engine.ask({
          moves, seed, simulations: side.simulations, set: { threads: side.threads ?? 1 },
        });
        all.push({
          type: "moved" as const, id: 0, move: best, position: {} as PositionView,
          found: { ...found, side: "", work, rate: 0 },
        });
      }
      const { move, found } = agreed(all);
      return { move: move ?? null, found };
    };
    let won = 0;
    let opening: string[] = [];
    for (let game = 0; game < games; game++) {
      // Each opening is played twice, with sides changed.
      if (game % 2 === 0) {
        opening = [];
        while (opening.length < 2) {
          const { best } = await engine.ask({ moves: opening, player: "random", seed: game + opening.length + 1, simulations: 1 });
          opening.push(best ?? "");
        }
      }
      const moves = [...opening];
      for (;;) {
        const isOurs = (moves.length + game) % 2 === 0;
        const { move, found } = await choose(moves, isOurs ? { searches: WORKERS, simulations } : other);
        if (move == null) {
          // Whoever is to move when the game is over has not made the last move.
          won += found.proven === "draw" ? 0.5 : (found.proven === "win") === isOurs ? 1 : 0;
          break;
        }
        moves.push(move);
      }
    }
    engine.end();
    console.log(`${WORKERS} workers with ${simulations} simulations each, size ${size}, against ${name}: ${won} of ${games}`);
  });
});
