// The address of the page that is shown.

/** What was last seen or written there. */
let known = location.hash;

/** Somebody has gone to another address, and the page knows of it. */
export function arrived(): string {
  known = location.hash;
  return known;
}

/**
 * Writes where the page is now; the browser's history gets no new entry. Where somebody is about to leave for another
 * address, of which the page has not heard yet, that one stays.
 */
export function replace(hash: string): void {
  if (location.hash !== known || location.hash === hash) return;
  try {
    history.replaceState(null, "", hash);
    known = location.hash;
  } catch {
    // A browser may refuse when the address changes very often: the next change is written again.
  }
}

/** Writes where the page is now as a new entry: the one before is reached by the way back. */
export function push(hash: string): void {
  if (location.hash !== known || location.hash === hash) return;
  history.pushState(null, "", hash);
  known = location.hash;
}
