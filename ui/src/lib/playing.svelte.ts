// The game on the page where it is played: does what a `Match` waits for, and keeps it in the address and in the browser.

import * as addressbar from "./addressbar";
import * as api from "./api";
import type { GameState, GameTree, PositionView } from "./api";
import type { Browsable } from "./game.svelte";
import { keep, recall } from "./kept";
import { live, type Asked, type By } from "./live.svelte";
import * as m from "./match";
import type { Each, Match, Player, Setup } from "./match";
import * as matchAddress from "./match-address";
import { show } from "./show.svelte";

/** Who plays where nobody has said. */
export const PLAYERS: Each<Player> = { white: { kind: "human" }, black: { kind: "level", level: "casual" } };

/** The game that a new visitor sees. */
export const FIRST: Setup = {
  start: api.FIRST,
  players: PLAYERS,
  time: { white: 0, black: 0 },
  random: { white: 0, black: 0 },
};

const KEPT = "game";
/** How long, in milliseconds, somebody waits at least for an answer to a move: one that comes at once cannot be followed. */
const MOMENT = 500;
/** How often a server that does not answer is asked again, and how often a running clock is kept, in milliseconds. */
const AGAIN = 500;
const KEEP_CLOCK = 3_000;

/** Today as files have it: 2026-01-31. */
const today = () => new Date().toLocaleDateString("sv");

/** The game that was played last in this browser. */
export const keptGame = (): string | undefined => recall<string>(KEPT);

export class Playing implements Browsable {
  match = $state.raw<Match>(m.begin(FIRST));
  /** The position that is looked at: of the whole game, or an earlier one. */
  shown = $state.raw<PositionView>();
  /** Whether the server has not answered, and is asked again. */
  lost = $state(false);
  hint = $state.raw<{ move: string } | "looking">();
  #asked: Asked | undefined;
  #asking = "";
  #hinting: Asked | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #clockKept = 0;
  #alive = true;

  constructor() {
    this.shown = api.knownPosition(api.FIRST);
    if (this.shown) this.match = m.positioned(this.match, [], this.shown);
  }

  readonly phase = $derived.by(() => m.phase(this.match));
  readonly turn = $derived.by(() => m.turn(this.match));
  /** Whether the board will change without anybody's doing: a move or a position has been asked for. */
  readonly busy = $derived.by(
    () => ["unknown", "pending", "thinking"].includes(this.phase) || (this.match.at == null && this.shown !== this.match.position),
  );
  readonly browsing = $derived.by(() => this.match.at != null);
  readonly nodes = $derived.by(() => m.tree(this.match).nodes);
  readonly current = $derived.by(() => this.match.at ?? this.match.moves.length);
  readonly state = $derived.by(() => this.match.setup.start);
  readonly view = $derived.by(() => this.shown);

  /** Goes on with a game, or begins it. */
  open(match: Match): void {
    this.#stop();
    this.hint = undefined;
    const { setup } = match;
    const date = setup.date ?? (match.moves.length === 0 ? today() : undefined);
    this.#apply({ ...match, setup: { ...setup, date }, position: match.position ?? this.#known(match) });
  }

  /** The address of a new game, which becomes one when somebody goes there. */
  static address(setup: Setup): string {
    const handicap = m.SIDES.some((side) => setup.random[side] > 0);
    // A first stone that was set at random is not for choosing sides by.
    const board = { ...setup.start.board, swap: (setup.start.board?.swap ?? false) && !handicap };
    return matchAddress.write(m.begin({ ...setup, start: { ...setup.start, board, moves: [] }, date: today() }));
  }

  readonly choose = (move: string) => this.#apply(m.chosen(this.match, move));
  readonly takeBack = () => this.#apply(m.takenBack(this.match));
  readonly resign = (side: m.Side) => this.#apply(m.resigned(this.match, side));
  readonly rest = (paused: boolean) => this.#apply(m.rested(this.match, paused));
  readonly seat = (players: Each<Player>) => this.#apply(m.seated(this.match, players));
  readonly changeSides = () => this.seat(m.exchanged(this.match.setup.players));
  /** The address of another game like this one. */
  readonly rematch = (exchanged: boolean) => {
    const { setup } = this.match;
    const swapped = <T>({ white, black }: Each<T>): Each<T> => (exchanged ? { white: black, black: white } : { white, black });
    const { players, time, random } = setup;
    return Playing.address({ ...setup, players: swapped(players), time: swapped(time), random: swapped(random) });
  };
  readonly go = (at: number) => this.#apply(m.looked(this.match, at));
  readonly back = () => this.go(this.current - 1);
  readonly forward = () => this.go(this.current + 1);
  readonly toStart = () => this.go(0);
  readonly toEnd = () => this.go(this.match.moves.length);
  readonly tree = (): GameTree => m.tree(this.match);
  readonly at = (): GameState => this.#state(m.texts(this.match).slice(0, this.current));

  /** Writes all moves in another dialect. */
  async translate(dialect: string): Promise<void> {
    const { match } = this;
    try {
      const { state, nodes } = await api.inDialect(this.tree(), dialect);
      const moves = match.moves.map((played, ply) => ({ ...played, move: nodes[ply + 1]?.move ?? "" }));
      if (m.texts(this.match).join() !== m.texts(match).join()) return;
      const setup = { ...this.match.setup, start: { ...state, moves: [] } };
      this.#apply({ ...this.match, setup, moves, position: undefined, pending: undefined });
    } catch (why) {
      this.match = { ...this.match, problem: (why as Error).message };
    }
  }

  tick(seconds: number): void {
    if (this.lost || live.lost) return;
    const next = m.ticked(this.match, seconds);
    if (next === this.match) return;
    if (next.end) return this.#apply(next);
    this.match = next;
    const now = performance.now();
    if (now - this.#clockKept > KEEP_CLOCK) this.keep();
  }

  /** Writes the game into the address, and into what the browser keeps. */
  keep(): void {
    this.#clockKept = performance.now();
    const hash = matchAddress.write(this.match);
    if (this.#alive) addressbar.replace(hash);
    keep(KEPT, hash);
  }

  askHint(level: string): void {
    if (this.phase !== "human" || this.browsing) return;
    const moves = m.texts(this.match);
    this.hint = "looking";
    this.#hinting?.stop();
    const ended = (hint?: { move: string }) => {
      if (m.texts(this.match).join() === moves.join()) this.hint = hint;
    };
    this.#hinting = live.move(
      this.#state(moves),
      { level },
      (move) => ended(move == null ? undefined : { move }),
      (problem) => {
        ended();
        this.match = { ...this.match, problem };
      },
    );
  }

  /** The page goes away. */
  leave(): void {
    this.#alive = false;
    this.keep();
    this.#stop();
  }

  #state(moves: readonly string[]): GameState {
    return { ...this.match.setup.start, moves: [...moves] };
  }

  #known(match: Match): PositionView | undefined {
    return match.moves.length === 0 ? api.knownPosition({ ...match.setup.start, moves: [] }) : undefined;
  }

  #stop(): void {
    this.#asked?.stop();
    this.#asked = undefined;
    this.#hinting?.stop();
    this.#asking = "";
    clearTimeout(this.#retry);
    this.lost = false;
  }

  /** Whatever happens to the game happens here. */
  #apply(next: Match): void {
    if (next === this.match && this.#asking) return;
    const before = this.match;
    this.match = next;
    if (before.moves !== next.moves || m.phase(next) !== "human") {
      this.#hinting?.stop();
      this.hint = undefined;
    }
    this.keep();
    this.#ask();
    void this.#show();
  }

  /** Asks for what the game waits for, unless that is asked for already. */
  #ask(): void {
    const { match } = this;
    const phase = m.phase(match);
    const asking = JSON.stringify([match.setup.start, phase, m.texts(match), match.pending, match.setup.players]);
    if (asking === this.#asking) return;
    this.#asked?.stop();
    this.#asked = undefined;
    clearTimeout(this.#retry);
    this.#asking = asking;
    this.lost = false;
    const moves = m.texts(match);
    /** Something is done with an answer only while it is waited for. */
    const then = (next: (now: Match) => Match) => {
      if (this.#alive && this.#asking === asking) this.#apply(next(this.match));
    };
    const { pending } = match;
    if (phase === "unknown") this.#position(asking, moves, (view) => then((now) => m.positioned(now, moves, view)));
    if (phase === "pending" && pending != null) {
      this.#position(asking, [...moves, pending], (view) => then((now) => m.confirmed(now, moves, pending, view)));
    }
    if (phase === "thinking") {
      const since = performance.now();
      const wait = () => (!show.moment || m.machines(this.match) ? 0 : Math.max(0, MOMENT - (performance.now() - since)));
      this.#asked = live.move(
        this.#state(moves),
        this.#by(),
        (move, view) => {
          this.#retry = setTimeout(() => then((now) => m.moved(now, moves, move, view)), wait());
        },
        (problem) => then((now) => m.refused(now, problem)),
      );
    }
  }

  /** Asks for a position until there is an answer, or nobody wants it any more. */
  #position(asking: string, moves: string[], then: (view: PositionView) => void): void {
    const attempt = async () => {
      try {
        const view = await api.position(this.#state(moves));
        then(view);
      } catch (why) {
        if (!this.#alive || this.#asking !== asking) return;
        if (why instanceof api.Unreachable) {
          this.lost = true;
          this.#retry = setTimeout(attempt, AGAIN);
        } else this.#apply(m.refused(this.match, (why as Error).message));
      }
    };
    void attempt();
  }

  /** Who is asked for the move of the side to move. */
  #by(): By {
    const { match } = this;
    const seed = Math.floor(Math.random() * 2 ** 31);
    const player = match.setup.players[m.turn(match) ?? "white"];
    if (m.chooser(match) === "random" || player.kind === "human") return { player: "random", seed };
    if (player.kind === "level") return { level: player.level, seed };
    return { player: player.engine, seconds: player.seconds, seed };
  }

  /** Shows the position that is looked at; until it is known, the one before stays. */
  async #show(): Promise<void> {
    const { at, position, setup } = this.match;
    if (at == null) {
      if (position) this.shown = position;
      return;
    }
    const moves = m.texts(this.match).slice(0, at);
    try {
      const view = await api.position(this.#state(moves));
      if (this.#alive && this.match.at === at && this.match.setup === setup) this.shown = view;
    } catch (why) {
      if (this.#alive && this.match.at === at) this.match = { ...this.match, problem: (why as Error).message };
    }
  }
}
