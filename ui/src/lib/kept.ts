// What the browser keeps: the game that is played, reviews, analyses. A browser may forbid that, or be full: then there is
// nothing kept, and all else works.

const NAME = "papamu-";

export function recall<T>(name: string): T | undefined {
  try {
    const text = recallText(name);
    return text == null ? undefined : (JSON.parse(text) as T);
  } catch {
    return undefined;
  }
}

export const keep = (name: string, value: unknown): boolean => keepText(name, JSON.stringify(value));

/** Text as it is, which early.js can read too. */
export function recallText(name: string): string | null {
  try {
    return localStorage.getItem(NAME + name);
  } catch {
    return null;
  }
}

export function keepText(name: string, text: string): boolean {
  try {
    localStorage.setItem(NAME + name, text);
    return true;
  } catch {
    return false;
  }
}

/** As many things as a shelf holds. */
const ROOM = 40;

/** Things of one kind by their keys; the ones that were put there first go when there is no room. */
export class Shelf<T> {
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  get(key: string): T | undefined {
    return this.#all().find(([known]) => known === key)?.[1];
  }

  put(key: string, value: T): void {
    const others = this.#all().filter(([known]) => known !== key);
    const all: [string, T][] = [...others, [key, value]];
    for (let room = Math.min(ROOM, all.length); room > 0; room = Math.floor(room / 2)) {
      if (keep(this.#name, all.slice(-room))) return;
    }
  }

  #all(): [string, T][] {
    return recall<[string, T][]>(this.#name) ?? [];
  }
}
