// The analysis of the position that is looked at. What was found stays known: going back shows it at once.

import type { Found } from "./api";
import type { Game } from "./game.svelte";
import { live, type Asked } from "./live.svelte";
import { boardKey, chances as kept, type Chances } from "./study";

/** How often chances are kept while they change, in milliseconds; the first one of a position is kept at once. */
const KEEP = 2_000;

export class Analysis {
  readonly game: Game;
  running = $state(false);
  /** The player that searches; the default one where none is named. */
  player = $state("");
  problem = $state("");
  /** What was found last, and of which position. */
  last = $state.raw<{ of: string; found: Found }>();
  /** White's chances in the positions of this board that have been analysed. */
  chances = $state.raw<Chances>({});
  #known = new Map<string, Found>();
  #asked: Asked | undefined;
  #kept = 0;

  constructor(game: Game) {
    this.game = game;
  }

  readonly #position = $derived.by(() => `${boardKey(this.game.state)} ${this.player} ${this.game.key()}`);
  /** Whether what was found is of the position on the board. */
  readonly current = $derived.by(() => this.last?.of === this.#position);
  readonly found = $derived.by(() => this.last?.found);
  /** What was found of the position on the board. */
  readonly here = $derived.by(() => (this.current ? this.last?.found : undefined));

  /** Another board, or the same one again. */
  open(): void {
    this.chances = kept.get(boardKey(this.game.state)) ?? {};
  }

  /** Searches the position that is looked at, if anything is searched. */
  follow(): void {
    this.#asked?.stop();
    this.#asked = undefined;
    const of = this.#position;
    const known = this.#known.get(of);
    if (known) this.last = { of, found: known };
    else if (!this.running) this.last = undefined;
    if (!this.running || !this.game.view || this.game.view.outcome != null) return;
    const key = this.game.key();
    // What is known already stays until the search knows more.
    const work = known?.work ?? 0;
    this.#asked = live.analyse(
      this.game.at(),
      this.player || null,
      (found) => {
        if (found.work < work && !found.proven) return;
        this.last = { of, found };
        this.#known.set(of, found);
        const white = found.side === "white" ? found.value : 1 - found.value;
        const isFirst = !(key in this.chances);
        this.chances = { ...this.chances, [key]: white };
        if (isFirst || performance.now() - this.#kept > KEEP) this.#keep();
      },
      (message) => (this.problem = message ?? ""),
    );
  }

  stop(): void {
    this.#asked?.stop();
    this.#asked = undefined;
    this.#keep();
  }

  #keep(): void {
    this.#kept = performance.now();
    if (Object.keys(this.chances).length > 0) kept.put(boardKey(this.game.state), this.chances);
  }
}
