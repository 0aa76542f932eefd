// What somebody chooses for the next game, and the game that comes of it; the one that is played knows nothing of it.

import { GAMES, type Board, type GameName } from "./api";
import type { Each, Player, Setup, Side } from "./match";

/** All that is chosen for a new game, as the fields of its dialog have it. */
export interface Choice {
  game: GameName;
  board: Board;
  /** `person`, the name of a level, or `player ` and the name of a player. */
  players: Each<string>;
  /** Names of those who play at this screen. */
  names: Each<string>;
  /** Minutes on the clock of each side; 0 is no clock. */
  minutes: Each<number>;
  /** How many of its first moves a side makes at random. */
  random: Each<number>;
  /** What a named player has for each move. */
  seconds: number;
}

/** Before the name of a player of the program in the list of those that can be chosen. */
export const NAMED = "player ";
export const PERSON = "person";

/** The number in a field that somebody may have left empty. */
const within = (value: number | null, least: number, most: number, otherwise = least) =>
  Math.min(most, Math.max(least, Number(value ?? otherwise) || otherwise));

const each = <T>(of: (side: Side) => T): Each<T> => ({ white: of("white"), black: of("black") });

/** The same as a game that was played. */
export function choiceOf({ start, players, time, random }: Setup): Choice {
  const engine = [players.white, players.black].find((one) => one.kind === "engine");
  const nameOf = (player: Player) => {
    if (player.kind === "human") return PERSON;
    return player.kind === "level" ? player.level : NAMED + player.engine;
  };
  return {
    game: start.game,
    board: start.board ?? { swap: false },
    players: each((side) => nameOf(players[side])),
    names: each((side) => {
      const player = players[side];
      return player.kind === "human" ? (player.name ?? "") : "";
    }),
    minutes: each((side) => time[side] / 60),
    random: { ...random },
    seconds: engine?.kind === "engine" ? engine.seconds : 1,
  };
}

/** The game that was chosen. The other game need not have the level or the player: then it is another one. */
export function setupOf(choice: Choice): Setup {
  const info = GAMES.find((one) => one.game === choice.game);
  const player = (side: Side): Player => {
    const [chosen, name] = [choice.players[side], choice.names[side].trim()];
    const engine = info?.players.find((one) => NAMED + one.name === chosen);
    if (engine) return { kind: "engine", engine: engine.name, seconds: within(choice.seconds, 0.1, 60, 1) };
    if (chosen === PERSON) return name ? { kind: "human", name } : { kind: "human" };
    const level = info?.levels.find((one) => one.name === chosen);
    return { kind: "level", level: level?.name ?? "casual" };
  };
  return {
    start: { game: choice.game, board: choice.board, moves: [] },
    players: each(player),
    time: each((side) => 60 * within(choice.minutes[side], 0, 600)),
    random: each((side) => Math.round(within(choice.random[side], 0, 9))),
  };
}
