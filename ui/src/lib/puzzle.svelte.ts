// A puzzle: somebody looks for the move that wins, the solver judges it, and resists until the game is over.

import type { GameName, GameState, PositionView, Puzzle } from "./api";
import * as api from "./api";
import { live, type Asked } from "./live.svelte";
import { capital } from "./words";

type Phase = "loading" | "yours" | "judging" | "wrong" | "solved";

export class Solving {
  phase = $state<Phase>("loading");
  puzzle = $state.raw<Puzzle>();
  view = $state.raw<PositionView>();
  /** The moves that were made since the beginning of the puzzle. */
  moves = $state.raw<string[]>([]);
  /** How the other side answers a move that does not win. */
  refutation = $state.raw<string[]>([]);
  problem = $state("");
  shown = $state(false);
  #asked: Asked | undefined;

  /** What somebody has to do now. */
  readonly said = $derived.by(() => {
    const side = capital(this.puzzle?.side ?? "");
    if (this.phase === "loading") return "Looking for a puzzle…";
    if (this.phase === "judging") return "The solver checks the move…";
    if (this.phase === "solved") return `Solved: ${this.view?.state ?? ""}`;
    if (this.phase === "wrong") {
      const line = this.refutation.slice(0, 10).join(" ");
      return `${this.moves.at(-1)} does not win${line ? `: ${line}` : "."}`;
    }
    return this.moves.length === 0 ? `${side} to play and win.` : "Right. Go on.";
  });

  /** Asks for the puzzle with a number. */
  open(game: GameName, seed: number): void {
    this.#stop();
    this.phase = "loading";
    this.puzzle = this.view = undefined;
    this.problem = "";
    this.#asked = live.puzzle(
      game,
      seed,
      (puzzle) => {
        this.puzzle = puzzle;
        void this.again();
      },
      (message) => (this.problem = message),
    );
  }

  /** Begins the puzzle anew. */
  async again(): Promise<void> {
    this.#stop();
    this.moves = [];
    this.refutation = [];
    this.shown = false;
    await this.#show([], "yours");
  }

  /** Goes back to before the move that was wrong. */
  async back(): Promise<void> {
    this.refutation = [];
    this.moves = this.moves.slice(0, -1);
    await this.#show(this.moves, "yours");
  }

  /** Somebody plays a move. */
  async play(move: string): Promise<void> {
    if (this.phase !== "yours" || !this.puzzle) return;
    const moves = [...this.moves, move];
    if (!(await this.#show(moves, "judging"))) return;
    if (this.view?.outcome != null) return void this.#judged(moves, this.view.outcome, []);
    this.#stop();
    this.#asked = live.solve(
      this.#state(moves),
      null,
      false,
      () => {},
      ({ outcome, line }) => void this.#judged(moves, outcome ?? "", line),
      (message) => {
        if (message) this.problem = message;
      },
    );
  }

  stop(): void {
    this.#stop();
  }

  async #judged(moves: string[], outcome: string, line: string[]): Promise<void> {
    if (outcome !== this.puzzle?.side) {
      this.refutation = line;
      this.phase = "wrong";
    } else if (line[0] == null) this.phase = "solved";
    else {
      const answered = [...moves, line[0]];
      await this.#show(answered, "yours");
      if (this.view?.outcome != null) this.phase = "solved";
    }
  }

  #state(moves: readonly string[]): GameState {
    const state = this.puzzle?.state ?? api.FIRST;
    return { ...state, moves: [...(state.moves ?? []), ...moves] };
  }

  async #show(moves: string[], phase: "judging" | "yours"): Promise<boolean> {
    const before = this.phase;
    // Somebody's turn begins when the position is there.
    if (phase === "judging") this.phase = phase;
    try {
      this.view = await api.position(this.#state(moves));
      if (phase === "yours") this.phase = phase;
      this.moves = moves;
      this.problem = "";
      return true;
    } catch (why) {
      this.phase = before;
      this.problem = (why as Error).message;
      return false;
    }
  }

  #stop(): void {
    this.#asked?.stop();
    this.#asked = undefined;
  }
}

/** The number of today's puzzle: everybody has the same one. */
export function today(): number {
  const now = new Date();
  return 10_000 * now.getFullYear() + 100 * (now.getMonth() + 1) + now.getDate();
}
