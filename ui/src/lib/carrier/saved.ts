// Saved games in the browser's storage, asked for as a server is asked.

import type { SavedGame } from "../api";
import { keep, recall } from "../kept";

interface Kept extends SavedGame {
  sgf: string;
  study?: string;
}

const all = (): Kept[] => recall<Kept[]>("saved") ?? [];

const refused = (status: number, message: string) => Response.json({ message }, { status });

function add(body: string): Response {
  const { title, sgf, study } = JSON.parse(body) as Pick<Kept, "title" | "sgf" | "study">;
  const games = all();
  const id = 1 + Math.max(0, ...games.map((game) => game.id));
  const game = { id, title, saved: Math.floor(Date.now() / 1000), sgf, study };
  if (keep("saved", [game, ...games])) return Response.json(id);
  return refused(507, "The browser has no room for it: delete a saved game, or download this one.");
}

/** Answers a request for all games, or for the one that `rest` of the path names: `3`, or `3/study`. */
export function savedGames(rest: string, init?: RequestInit): Response {
  const method = init?.method ?? "GET";
  if (rest === "") {
    if (method === "POST") return add(String(init?.body));
    return Response.json(all().map(({ id, title, saved }): SavedGame => ({ id, title, saved })));
  }
  const [number, what] = rest.split("/");
  const id = Number(number);
  const game = all().find((one) => one.id === id);
  if (!game) return refused(404, `there is no saved game ${id}`);
  if (method === "DELETE") {
    keep("saved", all().filter((one) => one.id !== id));
    return new Response();
  }
  return what === "study" ? Response.json(game.study ?? null) : new Response(game.sgf);
}
