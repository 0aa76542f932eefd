// A walk through a proof: what it says of the position that is looked at, and its answers to the moves that somebody tries.

import * as api from "./api";
import type { ProofPlace } from "./api";
import type { Game } from "./game.svelte";

export class ProofWalk {
  place = $state.raw<ProofPlace>();
  problem = $state("");
  /** Whether the strategy's move is made at once. */
  answers = $state(true);
  /** Of a draw, which is two proofs: whose strategy is looked at. */
  side = $state("white");
  #asked = 0;

  constructor(
    readonly certificate: number,
    readonly game: Game,
    readonly isDraw: boolean,
  ) {}

  /** Looks the position up. */
  async look(): Promise<ProofPlace | undefined> {
    const asked = ++this.#asked;
    try {
      const place = await api.explore(this.certificate, this.game.at(), this.isDraw ? this.side : undefined);
      if (asked !== this.#asked) return undefined;
      this.place = place;
      this.problem = "";
      return place;
    } catch (why) {
      if (asked !== this.#asked) return undefined;
      this.place = undefined;
      this.problem = (why as Error).message;
      return undefined;
    }
  }

  /** Somebody plays a move; the strategy answers it, if it is to. */
  async play(move: string): Promise<void> {
    const was = this.place?.state;
    await this.game.play(move);
    const key = this.game.key();
    const place = await this.look();
    if (this.answers && was === "answers" && place?.state === "plays" && place.best && this.game.key() === key) {
      await this.game.play(place.best);
    }
  }
}
