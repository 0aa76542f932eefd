import { describe, expect, test } from "vitest";
import { read } from "./address";
import type { GameState, PositionView } from "./api";
import * as m from "./match";
import type { Each, Match, Player, Setup } from "./match";
import * as matchAddress from "./match-address";

// A game with rules that are told in a line: White and Black take numbers from 1 to 9 in turn, none twice, and whoever
// takes 9 wins. The state machine has to be right about any game.
const NUMBERS = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];
const START: GameState = { game: "havannah", board: { swap: false }, moves: [] };

function position(moves: readonly string[]): PositionView {
  const won = moves.at(-1) === "9";
  const mover = (ply: number) => (ply % 2 === 0 ? "white" : "black");
  const legal = won ? [] : NUMBERS.filter((number) => !moves.includes(number));
  return {
    name: "Numbers",
    state: won ? `${mover(moves.length - 1)} has won.` : `${mover(moves.length)} to move.`,
    to_move: mover(moves.length),
    outcome: won ? mover(moves.length - 1) : null,
    structure: null,
    pitch: 1,
    material: "wood",
    slab: [],
    border: 0,
    outline: [],
    cells: [],
    coordinates: [],
    last: [],
    winning: [],
    legal: legal.map((move) => ({ move, kind: "place", cells: [move] })),
    played: moves.map((_, ply) => ({ side: mover(ply), kind: "place" })),
  };
}

const human: Player = { kind: "human" };
const engine: Player = { kind: "level", level: "easy" };

function setup(players: Each<Player>, more: Partial<Setup> = {}): Setup {
  return { start: START, players, time: { white: 0, black: 0 }, random: { white: 0, black: 0 }, ...more };
}

const begun = (of: Setup): Match => m.positioned(m.begin(of), [], position([]));

/** The server confirms what is pending. */
function confirm(match: Match): Match {
  const move = match.pending ?? "";
  return m.confirmed(match, m.texts(match), move, position([...m.texts(match), move]));
}

/** The program plays. */
const answer = (match: Match, move: string): Match => m.moved(match, m.texts(match), move, position([...m.texts(match), move]));

/** What a restart of the page makes of a game. */
function reloaded(match: Match): Match {
  const again = matchAddress.read(read(matchAddress.write(match)), match.setup.players);
  if (!again) throw new Error("no game in its address");
  return m.positioned(again, m.texts(again), position(m.texts(again)));
}

describe("a move", () => {
  const both = begun(setup({ white: human, black: human }));

  test("is a request: nothing is played before the server confirms it", () => {
    const asked = m.chosen(both, "5");
    expect(m.phase(asked)).toBe("pending");
    expect(m.texts(asked)).toEqual([]);
    expect(m.texts(confirm(asked))).toEqual(["5"]);
  });

  test("is made once by a double click, and not at all by a second click on another cell", () => {
    expect(m.texts(confirm(m.chosen(m.chosen(both, "5"), "5")))).toEqual(["5"]);
    const twice = m.chosen(m.chosen(both, "5"), "6");
    expect(m.texts(confirm(twice))).toEqual(["5"]);
  });

  test("that is not legal is no request", () => {
    expect(m.chosen(both, "x")).toBe(both);
    const over = confirm(m.chosen(both, "9"));
    expect(m.phase(over)).toBe("over");
    expect(m.chosen(over, "1")).toBe(over);
  });

  test("that is refused has not happened, and can be made again", () => {
    const refused = m.refused(m.chosen(both, "5"), "no");
    expect([m.phase(refused), m.texts(refused), refused.problem]).toEqual(["human", [], "no"]);
    expect(m.texts(confirm(m.chosen(refused, "5")))).toEqual(["5"]);
  });

  test("that is confirmed too late does not come", () => {
    const asked = m.chosen(both, "5");
    const back = m.takenBack(asked);
    expect(m.confirmed(back, [], "5", position(["5"]))).toBe(back);
    expect(m.texts(back)).toEqual([]);
  });
});

describe("the program", () => {
  const begins = begun(setup({ white: engine, black: human }));

  test("plays for its side alone", () => {
    expect(m.phase(begins)).toBe("thinking");
    expect(m.chosen(begins, "5")).toBe(begins);
    const played = answer(begins, "5");
    expect([m.phase(played), played.moves[0]?.by]).toEqual(["human", "engine"]);
    expect(m.moved(played, [], "6", position(["6"]))).toBe(played);
  });

  test("goes on while somebody looks back, and its move is there afterwards", () => {
    let match = confirm(m.chosen(begun(setup({ white: human, black: engine })), "5"));
    match = m.looked(match, 0);
    expect([m.phase(match), match.at]).toEqual(["thinking", 0]);
    match = answer(match, "6");
    expect([m.texts(match), match.at]).toEqual([["5", "6"], 0]);
    expect(m.chosen(match, "7")).toBe(match);
    match = m.looked(match, 2);
    expect([m.phase(match), match.at]).toEqual(["human", undefined]);
  });

  test("makes as many moves at random as were agreed", () => {
    const match = begun(setup({ white: human, black: human }, { random: { white: 2, black: 0 } }));
    expect(m.chooser(match)).toBe("random");
    const one = answer(match, "1");
    expect([m.chooser(one), one.moves[0]?.by]).toEqual(["human", "random"]);
    const three = answer(confirm(m.chosen(one, "2")), "3");
    expect(m.chooser(confirm(m.chosen(three, "4")))).toBe("human");
  });

  test("that cannot play rests until it is asked again", () => {
    const failed = m.refused(begins, "no player");
    expect(m.phase(failed)).toBe("paused");
    expect(m.phase(m.rested(failed, false))).toBe("thinking");
  });

  test("plays on from the other side when sides are changed", () => {
    const match = m.seated(begins, m.exchanged(begins.setup.players));
    expect(m.phase(match)).toBe("human");
    expect(m.phase(confirm(m.chosen(match, "5")))).toBe("thinking");
  });
});

describe("taking back", () => {
  test("goes to the last move of a person, with what was answered", () => {
    const match = answer(confirm(m.chosen(begun(setup({ white: human, black: engine })), "5")), "6");
    const back = m.takenBack(match);
    expect([m.texts(back), m.phase(back)]).toEqual([[], "unknown"]);
    expect(m.canTakeBack(m.positioned(back, [], position([])))).toBe(false);
  });

  test("gives the time back, after a flag too", () => {
    let match = begun(setup({ white: human, black: engine }, { time: { white: 60, black: 60 } }));
    match = answer(confirm(m.chosen(match, "5")), "6");
    match = m.ticked(match, 61);
    expect(match.end).toEqual({ by: "time", loser: "white" });
    expect(m.chosen(match, "7")).toBe(match);
    match = m.takenBack(match);
    match = m.positioned(match, [], position([]));
    expect([match.end, match.left.white, m.phase(match)]).toEqual([undefined, 60, "human"]);
    match = m.ticked(confirm(m.chosen(match, "5")), 1);
    expect(match.left).toEqual({ white: 60, black: 59 });
  });

  test("leaves time to move even where hardly any was left", () => {
    let match = begun(setup({ white: human, black: engine }, { time: { white: 20, black: 60 } }));
    match = answer(confirm(m.chosen(match, "1")), "2");
    match = m.ticked(match, 19.9);
    match = answer(confirm(m.chosen(match, "3")), "4");
    match = m.takenBack(m.ticked(match, 1));
    expect(match.left.white).toBe(10);
  });
});

test("nobody resigns for the program, and a resignation ends the game", () => {
  const match = begun(setup({ white: engine, black: human }));
  expect(m.resigner(match)).toBe("black");
  const over = m.resigned(match, "black");
  expect([m.phase(over), m.outcome(over), m.result(over)]).toEqual(["over", "white", "W+R"]);
  expect(m.moved(over, [], "5", position(["5"]))).toBe(over);
  expect(m.resigner(begun(setup({ white: engine, black: engine })))).toBeUndefined();
});

test("everything that makes a game is in its address", () => {
  let match = begun(
    setup(
      { white: { kind: "engine", engine: "rave", seconds: 0.5 }, black: { kind: "human", name: "Ann & Bob" } },
      { time: { white: 300, black: 180 }, random: { white: 1, black: 0 }, date: "2026-01-31" },
    ),
  );
  match = answer(match, "1");
  match = confirm(m.chosen(m.ticked(match, 2.5), "2"));
  match = answer(m.ticked(match, 1), "3");
  for (const one of [match, m.looked(match, 1), m.rested(match, true), m.resigned(match, "black"), m.ticked(match, 1000)]) {
    expect(JSON.parse(JSON.stringify(reloaded(one)))).toEqual(JSON.parse(JSON.stringify(one)));
  }
});

test("an address of another page has the game up to the move that is looked at", () => {
  const place = read("#/play?game=havannah&size=5&moves=a1.b1.c1.(c2.d2)&at=5");
  const match = matchAddress.read(place, { white: human, black: engine });
  expect(match && m.texts(match)).toEqual(["a1", "b1", "c2", "d2"]);
  expect(match?.setup.players).toEqual({ white: human, black: engine });
});

/** A small generator with a seed (mulberry32). */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

test("whatever happens in whatever order, the game is one under the rules, and no move is lost or doubled", () => {
  for (let seed = 0; seed < 100; seed++) {
    const below = random(seed);
    const pick = <T>(of: readonly T[]): T => of[below(of.length)] as T;
    const time = pick([0, 30]);
    let match = begun(
      setup({ white: pick([human, engine]), black: pick([human, engine]) }, { time: { white: time, black: time } }),
    );
    /** Questions that are under way, answered in any order or never. */
    const asked: { kind: string; moves: string[]; move: string }[] = [];
    for (let step = 0; step < 60; step++) {
      const before = match;
      const phase = m.phase(match);
      if (phase === "unknown") asked.push({ kind: "position", moves: m.texts(match), move: "" });
      if (phase === "pending") asked.push({ kind: "confirm", moves: m.texts(match), move: match.pending ?? "" });
      if (phase === "thinking") {
        const legal = match.position?.legal.map(({ move }) => move) ?? [];
        asked.push({ kind: "move", moves: m.texts(match), move: pick(legal) });
      }
      const done = pick(["click", "click", "answer", "answer", "answer", "look", "back", "reload", "tick", "refuse", "seat", "rest", "resign"]);
      if (done === "click") match = m.chosen(match, pick(NUMBERS));
      if (done === "look") match = m.looked(match, below(10));
      if (done === "back" && below(3) === 0) match = m.takenBack(match);
      if (done === "tick") match = m.ticked(match, below(5));
      if (done === "refuse") match = m.refused(match, "no");
      if (done === "seat" && below(4) === 0) match = m.seated(match, m.exchanged(match.setup.players));
      if (done === "rest") match = m.rested(match, below(4) === 0);
      if (done === "resign" && below(8) === 0) match = m.resigned(match, pick(m.SIDES));
      if (done === "reload" && m.phase(match) !== "unknown") {
        const { pending: _, problem: __, ...kept } = match;
        match = reloaded(match);
        expect(JSON.parse(JSON.stringify(match))).toEqual(JSON.parse(JSON.stringify({ ...kept, problem: "" })));
      }
      const told = done === "answer" && asked.length > 0 ? asked.splice(below(asked.length), 1)[0] : undefined;
      const after = told ? position(told.moves.concat(told.move || [])) : undefined;
      if (told?.kind === "position" && after) match = m.positioned(match, told.moves, after);
      if (told?.kind === "confirm" && after) match = m.confirmed(match, told.moves, told.move, after);
      if (told?.kind === "move" && after) match = m.moved(match, told.moves, told.move, after);

      const moves = m.texts(match);
      const name = `seed ${seed}, step ${step}: ${done} made ${moves.join(" ")} of ${m.texts(before).join(" ")}`;
      expect(new Set(moves).size, name).toBe(moves.length);
      expect(moves.slice(0, -1), name).not.toContain("9");
      // A game grows by one move, for which somebody was asked, or shrinks where somebody takes back.
      if (moves.length > before.moves.length) expect([told?.moves.concat(told.move), "answer"], name).toEqual([moves, done]);
      else if (moves.length < before.moves.length) expect(done, name).toBe("back");
      expect(m.texts(before).slice(0, moves.length), name).toEqual(moves.slice(0, before.moves.length));
      if (match.position) expect(match.position, name).toEqual(position(moves));
      // Who made a move played that side.
      if (moves.length > before.moves.length) {
        const side = position(moves.slice(0, -1)).to_move as m.Side;
        const by = match.moves.at(-1)?.by;
        expect(by, name).toBe(before.setup.players[side].kind === "human" ? "human" : "engine");
      }
    }
  }
});
