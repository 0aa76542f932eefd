// The review of a game, as it comes in; it is kept, so that nobody has to wait for it twice.

import type { Reviewed } from "./api";
import type { Game } from "./game.svelte";
import { live, type Asked } from "./live.svelte";
import type { Side } from "./match";
import { gameKey, reviews } from "./study";
import { find, lineThrough, movesTo } from "./tree";

export const SIMULATIONS = { least: 1, most: 1_000_000 };

/** Simulations where nobody has said how many: those of Havannah take longer. */
const usual = ({ game }: { game: string }) => (game === "havannah" ? 2_000 : 10_000);

/** What a side did in a game. */
export interface Summary {
  side: Side;
  moves: number;
  /** What a move lost on average, as a share. */
  loss: number;
  /** How many moves were of each class of mistakes. */
  mistakes: [string, number][];
}

/** Another move instead of one that was reviewed, and what it is worth. */
export interface Attempt {
  move: string;
  /** The move that was reviewed. */
  instead: Reviewed;
  /** What the new move is worth, once it is known. */
  reviewed?: Reviewed;
}

export class Review {
  readonly game: Game;
  simulations = $state<number | null>(null);
  reviewed = $state.raw<Reviewed[]>([]);
  running = $state(false);
  problem = $state("");
  attempt = $state.raw<Attempt>();
  /** The moves under review. */
  moves = $state.raw<readonly string[]>([]);
  /** Seconds for each move so far. */
  #pace = $state(0);
  #asked: Asked | undefined;
  #trying: Asked | undefined;

  constructor(game: Game) {
    this.game = game;
  }

  /** The nodes of the moves under review, from the start. */
  readonly line = $derived.by(() => {
    const { nodes } = this.game;
    return [0, ...this.moves.map((_, ply) => find(nodes, this.moves.slice(0, ply + 1)) ?? -1)];
  });
  readonly mistakes = $derived(this.reviewed.filter((one) => one.mark !== ""));
  readonly signs = $derived.by(() => new Map(this.mistakes.map((one) => [this.line[one.ply] ?? -1, one.mark])));
  /** White's chances from the start on. */
  readonly chances = $derived.by(() => {
    const white = ({ side }: Reviewed, value: number) => (side === "white" ? value : 1 - value);
    const [first] = this.reviewed;
    return [first ? white(first, first.before) : null, ...this.reviewed.map((one) => white(one, one.value))];
  });
  readonly summaries = $derived.by(() => (["white", "black"] as const).map((side) => this.#summary(side)));
  /** Seconds until the review is there. */
  readonly left = $derived.by(() => this.#pace * (this.moves.length - this.reviewed.length));
  readonly valid = $derived.by(() => {
    const { least, most } = SIMULATIONS;
    return Number.isInteger(this.simulations) && least <= (this.simulations ?? 0) && (this.simulations ?? 0) <= most;
  });

  /** Takes the main line of the game, and what is known of it. */
  open(): void {
    this.halt();
    this.problem = "";
    this.attempt = undefined;
    const { nodes } = this.game;
    this.moves = movesTo(nodes, lineThrough(nodes, 0).at(-1) ?? 0);
    const known = reviews.get(this.#key());
    this.reviewed = known?.reviewed ?? [];
    this.simulations = known?.simulations ?? this.simulations ?? usual(this.game.state);
  }

  #key(): string {
    return gameKey(this.game.state, this.moves);
  }

  start(): void {
    if (!this.valid) {
      this.problem = "A review takes from 1 to 1,000,000 simulations per position, a whole number.";
      return;
    }
    const simulations = this.simulations ?? usual(this.game.state);
    const key = this.#key();
    this.#asked?.stop();
    this.problem = "";
    this.reviewed = [];
    this.running = true;
    let since = performance.now();
    this.#asked = live.review(
      { ...this.game.state, moves: [...this.moves] },
      simulations,
      0,
      (one) => {
        this.reviewed = [...this.reviewed, one];
        this.#pace = (performance.now() - since) / 1000 / this.reviewed.length;
        reviews.put(key, { simulations, reviewed: this.reviewed });
      },
      () => {
        this.reviewed = [];
        since = performance.now();
      },
      (message) => {
        this.running = false;
        this.problem = message ?? "";
      },
    );
  }

  halt(): void {
    this.#asked?.stop();
    this.#trying?.stop();
    this.running = false;
  }

  /** What was said of the move that leads to the position that is looked at. */
  readonly here = $derived.by(() => this.reviewed.find((one) => this.line[one.ply] === this.game.current));
  /** What was said of the move that was played from the position that is looked at. */
  readonly next = $derived.by(() => this.reviewed.find((one) => this.line[one.ply - 1] === this.game.current));

  /** Goes to the next mistake, of one side or of both. */
  nextMistake(side?: Side): void {
    const ply = this.line.indexOf(this.game.current);
    const all = this.mistakes.filter((one) => !side || one.side === side);
    const next = all.find((one) => one.ply > ply) ?? all[0];
    if (next) void this.game.go(this.line[next.ply] ?? 0);
  }

  /** Goes to the position before the next mistake of a side, where another move can be tried. */
  learn(side: Side): void {
    const ply = this.line.indexOf(this.game.current);
    const all = this.mistakes.filter((one) => one.side === side);
    const next = all.find((one) => one.ply - 1 > ply) ?? all[0];
    this.attempt = undefined;
    if (next) void this.game.go(this.line[next.ply - 1] ?? 0);
  }

  /** Goes to before the move that was made, so that another one can be tried. */
  retry(): void {
    this.attempt = undefined;
    const { here } = this;
    void this.game.go(here ? (this.line[here.ply - 1] ?? 0) : (this.game.nodes[this.game.current]?.parent ?? 0));
  }

  /** Somebody plays a move: where one was reviewed, it is told whether this one is as good. */
  async play(move: string): Promise<void> {
    const instead = this.next;
    const before = this.game.moves();
    await this.game.play(move);
    this.#trying?.stop();
    this.attempt = undefined;
    if (!instead || this.game.key() !== [...before, move].join(" ")) return;
    if (instead.move === move) return;
    this.attempt = { move, instead };
    const state = { ...this.game.state, moves: [...before, move] };
    const simulations = (this.valid && this.simulations) || usual(state);
    const told = (reviewed: Reviewed) => {
      if (this.attempt?.move === move) this.attempt = { ...this.attempt, reviewed };
    };
    this.#trying = live.review(state, simulations, before.length, told, () => {}, (problem) => {
      if (problem) this.problem = problem;
    });
  }

  /** Writes what the review says into the game, and what it would have played as variations. */
  annotate(share: (value: number) => string): void {
    for (const one of this.reviewed) {
      const node = this.line[one.ply] ?? -1;
      if (node < 0) continue;
      const better = one.mark && one.best && one.best !== one.move ? `; better ${one.best}` : "";
      const proven = one.proven ? `, proven ${one.proven}` : "";
      const kind = one.mistake ? ` ${one.mistake}:` : "";
      const said = `${one.mark}${kind} ${share(one.before)} → ${share(one.value)}${proven}${better}`.trim();
      const before = this.game.nodes[node]?.comment;
      if (!before?.includes(said)) this.game.comment(before ? `${before}\n${said}` : said, node);
      if (better) this.game.add(one.line.slice(0, 8), this.line[one.ply - 1] ?? 0);
    }
  }

  #summary(side: Side): Summary {
    const own = this.reviewed.filter((one) => one.side === side);
    const counts = new Map<string, number>();
    for (const { mistake } of own) if (mistake) counts.set(mistake, (counts.get(mistake) ?? 0) + 1);
    const loss = own.reduce((sum, one) => sum + one.loss, 0) / Math.max(1, own.length);
    return { side, moves: own.length, loss, mistakes: [...counts] };
  }
}
