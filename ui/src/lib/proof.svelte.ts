// A walk through a proof: what it says of the position that is looked at, and its answers to the moves that somebody tries.

import * as api from "./api";
import type { ProofPlace } from "./api";
import { download } from "./download";
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

  /** Whose strategy to ask for, where there are two. */
  get #strategy(): string | undefined {
    return this.isDraw ? this.side : undefined;
  }

  /** Looks the position up. */
  async look(): Promise<ProofPlace | undefined> {
    const asked = ++this.#asked;
    try {
      const place = await api.explore(this.certificate, this.game.at(), this.#strategy);
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

  /** Gives the certificate of the position that is looked at as a file. */
  async save(): Promise<void> {
    try {
      const part = await api.readPart(this.certificate, this.game.at(), this.#strategy);
      download("papamu-part.cert", new Blob([part]));
      this.problem = "";
    } catch (why) {
      this.problem = (why as Error).message;
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
