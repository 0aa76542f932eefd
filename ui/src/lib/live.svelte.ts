// Requests that take time, and what is found on the way.

import { carrier } from "#carrier";
import { learn, type Ask, type Experiment, type ExperimentReport, type Found, type GameName, type GameState, type PositionView, type Puzzle, type Reviewed, type Solved, type Solving, type Tell } from "./api";
import type { Line } from "./carrier/carrier";

/** What to do with what is heard. */
interface Listener {
  hear: (tell: Tell) => void;
  /** The server has begun anew, after the connection was lost. */
  begun?: () => void;
}

/** A request under way. */
export interface Asked {
  stop: () => void;
  pause: () => void;
  resume: () => void;
}

/** Who is asked for a move: a level, or a player with so many seconds. */
export type By = Omit<Extract<Ask, { type: "move" }>, "type" | "id" | "state">;

/** One connection a page. It comes back by itself, and asks again for what was under way. */
class Live {
  /** Whether something is asked for and the server does not hear us. */
  lost = $state(false);
  #line: Line | undefined;
  #isOpen = false;
  #underWay = new Map<number, { ask: Ask; listener: Listener; rests?: boolean }>();
  #next = 1;
  #wait = 250;

  #open() {
    if (this.#line) return;
    this.#line = carrier.connect({
      opened: () => {
        this.lost = false;
        this.#isOpen = true;
        this.#wait = 250;
        for (const [id, { ask, listener, rests }] of this.#underWay) {
          listener.begun?.();
          this.#send(ask);
          if (rests) this.#send({ type: "pause", id });
        }
      },
      heard: (tell) => this.#hear(tell),
      closed: () => {
        this.#line = undefined;
        this.#isOpen = false;
        if (this.#underWay.size === 0) return;
        this.lost = true;
        setTimeout(() => this.#open(), this.#wait);
        this.#wait = Math.min(2 * this.#wait, 5000);
      },
    });
  }

  #hear(tell: Tell) {
    if (tell.id == null) {
      // The server could not read what it was sent, and does not say which: asked again, it would be no wiser.
      if (tell.type === "refused") for (const id of [...this.#underWay.keys()]) this.#hear({ ...tell, id });
      return;
    }
    const entry = this.#underWay.get(tell.id);
    if (tell.type === "finished" || tell.type === "refused") this.#underWay.delete(tell.id);
    entry?.listener.hear(tell);
  }

  #send(message: Ask) {
    if (this.#isOpen) this.#line?.send(message);
  }

  /** Asks for something, and gives the reins of it. */
  #ask(make: (id: number) => Ask, listener: Listener): Asked {
    const id = this.#next++;
    const ask = make(id);
    this.#underWay.set(id, { ask, listener });
    // Where there is no connection yet, all that is under way is sent when there is one.
    this.#open();
    this.#send(ask);
    return {
      stop: () => {
        if (this.#underWay.delete(id)) this.#send({ type: "stop", id });
      },
      pause: () => this.#rest(id, true),
      resume: () => this.#rest(id, false),
    };
  }

  #rest(id: number, rests: boolean) {
    const entry = this.#underWay.get(id);
    if (entry) entry.rests = rests;
    this.#send({ type: rests ? "pause" : "resume", id });
  }

  /** Analyses a position until stopped. */
  analyse(
    state: GameState,
    player: string | null,
    found: (found: Found) => void,
    ended: (message?: string) => void,
  ): Asked {
    return this.#ask((id) => ({ type: "analyse", id, state, player }), {
      hear: (tell) => {
        if (tell.type === "analysis") found(tell.found);
        if (tell.type === "finished") ended();
        if (tell.type === "refused") ended(tell.message);
      },
    });
  }

  /** Asks for the move of a level or a player. */
  move(
    state: GameState,
    by: By,
    moved: (move: string | null, position: PositionView, found: Found) => void,
    refused: (message: string) => void,
  ): Asked {
    return this.#ask((id) => ({ type: "move", id, state, ...by }), {
      hear: (tell) => {
        if (tell.type === "moved") {
          const move = tell.move ?? null;
          if (move != null) learn({ ...state, moves: [...(state.moves ?? []), move] }, tell.position);
          moved(move, tell.position, tell.found);
        }
        if (tell.type === "refused") refused(tell.message);
      },
    });
  }

  /** Reviews the moves of a game that come after so many others. */
  review(
    state: GameState,
    simulations: number,
    after: number,
    reviewed: (reviewed: Reviewed) => void,
    begun: () => void,
    ended: (message?: string) => void,
  ): Asked {
    return this.#ask((id) => ({ type: "review", id, state, simulations, after }), {
      begun,
      hear: (tell) => {
        if (tell.type === "reviewed") reviewed(tell.reviewed);
        if (tell.type === "finished") ended();
        if (tell.type === "refused") ended(tell.message);
      },
    });
  }

  /** Asks for the puzzle of a game with a number. */
  puzzle(game: GameName, seed: number, told: (puzzle: Puzzle) => void, refused: (message: string) => void): Asked {
    return this.#ask((id) => ({ type: "puzzle", id, game, seed }), {
      hear: (tell) => {
        if (tell.type === "puzzle") told(tell.puzzle);
        if (tell.type === "refused") refused(tell.message);
      },
    });
  }

  /** Tells what is in the store of experiments, and again when that changes: all of them, or one. */
  watch(
    experiment: string | null,
    told: { all?: (experiments: Experiment[]) => void; one?: (report: ExperimentReport) => void },
    refused: (message: string) => void,
  ): Asked {
    return this.#ask((id) => ({ type: "watch", id, experiment }), {
      hear: (tell) => {
        if (tell.type === "experiments") told.all?.(tell.experiments);
        if (tell.type === "experiment") told.one?.(tell.report);
        if (tell.type === "refused") refused(tell.message);
      },
    });
  }

  /** Solves a position. */
  solve(
    state: GameState,
    solver: string | null,
    certificate: boolean,
    solving: (progress: Solving) => void,
    solved: (solved: Solved) => void,
    ended: (message?: string) => void,
  ): Asked {
    return this.#ask((id) => ({ type: "solve", id, state, solver, certificate }), {
      hear: (tell) => {
        if (tell.type === "solving") solving(tell.progress);
        if (tell.type === "solved") solved(tell.solved);
        if (tell.type === "finished") ended();
        if (tell.type === "refused") ended(tell.message);
      },
    });
  }
}

export const live = new Live();
