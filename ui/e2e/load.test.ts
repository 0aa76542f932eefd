// Many pages at once, as sockets: everybody is heard of, memory is bounded, and what nobody wants ends.

import { expect, test } from "vitest";
import { chromium, server } from "./app";
import { closeSockets, open, openSockets, work } from "./papamu";

const PAGES = 200;
const SEARCHES = 50;
/** What all searches may have together, and what the program needs besides, in MiB. */
const MOST = 2048 + 300;

test("200 open pages and 50 searches: fair shares, bounded memory, and an end when the pages close", async () => {
  const page = await open(chromium, server, "saved");
  // The page's own ones, some of which the browser keeps for its next request.
  const own = server.sockets() + 8;
  const state = { game: "havannah", board: { size: "10", swap: false } } as const;
  await openSockets(page, PAGES, SEARCHES, { type: "analyse", id: 1, state });
  // Each is heard of, again and again.
  const ahead = async (of: number[]) => (await work(page)).filter((now, place) => now > (of[place] ?? 0)).length;
  await expect.poll(() => ahead([])).toBe(SEARCHES);
  expect(server.sockets()).toBeGreaterThan(PAGES);
  const first = await work(page);
  await expect.poll(() => ahead(first)).toBe(SEARCHES);
  const shares = (await work(page)).slice(0, SEARCHES).sort((one, other) => one - other);
  expect((await fetch(`${server.address}api/games`)).status).toBe(200);
  const { most } = server.taken();
  expect(most).toBeLessThan(MOST);

  await closeSockets(page);
  await expect.poll(() => server.sockets()).toBeLessThanOrEqual(own);
  const closed = performance.now();
  let waited = 0;
  let [before, now] = [-1, server.taken().seconds];
  // In a tenth of a second without a search hardly any processor time is taken.
  while (now - before > 0.02) {
    waited = performance.now() - closed;
    await new Promise((done) => setTimeout(done, 100));
    [before, now] = [now, server.taken().seconds];
  }
  console.log(
    `${SEARCHES} searches: ${shares[0]} to ${shares.at(-1)} simulations each, ${Math.round(most)} MiB at most; ` +
      `nothing searches ${Math.round(waited)} ms after the pages were closed`,
  );
});
