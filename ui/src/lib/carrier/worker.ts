// The program itself, in workers of the browser. A search has a worker for as long as it lasts, and nothing else is heard there.
// Where the page is isolated, workers share one memory: a search has several of them, and ends when a byte of the memory says so.
// Elsewhere each has a memory of its own, and whoever does not want a search any more ends its worker.

import { threads } from "#threads";
import module from "papamu-wasm/papamu_wasm_bg.wasm?url";
import type { Ask, Found, Tell, Verified } from "../api";
import type { Carrier, Ear } from "./carrier";
import type { FromWorker, Program, ToWorker } from "./program";
import { savedGames } from "./saved";
import { type Moved, agreed, shares, together, usesThreads } from "./together";

/** Workers that search one position: a core is left for the page. */
const TOGETHER = Math.max(1, Math.min(4, (globalThis.navigator?.hardwareConcurrency ?? 1) - 1));

/** Workers that wait for work. Starting one takes a while, and each has memory of its own. */
const IDLE = Math.max(2, TOGETHER);

/** As many bytes as the memory of a worker may have that waits: one with the table of a solver is ended. */
const MOST_MEMORY = 96 * 2 ** 20;

/** As much as memory that is shared may grow to, in pages (`packaging/web-app`). */
const SHARED_PAGES = 2 ** 14;

/** A search that has not stopped after so many milliseconds is ended with its workers. */
const PATIENCE = 2_000;

/** Certificates that are kept; the oldest go first. */
const CERTIFICATES = 4;

/** When the files of the app are kept for visits without a connection: so many milliseconds after the beginning. */
const KEEP_AFTER = 5_000;

/** The program, compiled once for all workers. */
interface Loaded {
  compiled: WebAssembly.Module;
  start(): Worker;
  /** As many workers as may share a memory. */
  threads: number;
}

/** Whether the browser lets workers share memory, and has as much. */
function canShare(): boolean {
  if (!globalThis.crossOriginIsolated || TOGETHER < 2) return false;
  try {
    return new WebAssembly.Memory({ initial: 1, maximum: SHARED_PAGES, shared: true }).buffer instanceof SharedArrayBuffer;
  } catch {
    return false;
  }
}

const alone: Program = {
  module,
  start: () => new Worker(new URL("./program.worker.ts", import.meta.url), { type: "module" }),
};

let loaded: Promise<Loaded> | undefined;

function program(): Promise<Loaded> {
  loaded ??= load().catch((why) => {
    loaded = undefined;
    throw why;
  });
  return loaded;
}

/** A page loads one of the programs: that with threads, if it can use and have it. */
async function load(): Promise<Loaded> {
  if (threads && canShare()) {
    try {
      return { compiled: await compile(threads.module), start: threads.start, threads: TOGETHER };
    } catch (why) {
      // Without a connection there may be only the other one.
      console.warn(why);
    }
  }
  return { compiled: await compile(alone.module), start: alone.start, threads: 1 };
}

async function compile(address: string): Promise<WebAssembly.Module> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(response.statusText);
  // Not every server of files knows what this one is.
  const isNamed = response.headers.get("content-type") === "application/wasm";
  return isNamed ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

type Hear = (message: FromWorker) => void;

/** A worker with those that share its memory, and whoever has given it work. */
class Helper {
  readonly threads: number;
  #workers: Worker[];
  #hear: Hear | undefined;
  /** A byte of the memory: 1 ends the search. */
  #stop: Uint8Array | undefined;
  /** Called once it has no work, or is ended. */
  #rested: (() => void) | undefined;

  constructor({ compiled, start }: Loaded, threads: number) {
    this.threads = threads;
    const first = start();
    this.#workers = [first];
    first.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (data.type === "shared") this.#share(data.memory, data.stop, { compiled, start });
      else this.#hear?.(data);
    };
    first.onerror = (event) => this.#hear?.({ type: "failed", why: event.message });
    this.#post({ type: "begin", program: compiled });
  }

  #post(message: ToWorker) {
    this.#workers[0]?.postMessage(message);
  }

  /** The search may have begun: the others find its work when they come. */
  #share(memory: WebAssembly.Memory, stop: number, { compiled, start }: Pick<Loaded, "compiled" | "start">) {
    this.#stop = new Uint8Array(memory.buffer, stop, 1);
    while (this.#workers.length < this.threads) {
      const other = start();
      // It says nothing but that it has failed, and perhaps left work that the others wait for.
      other.onmessage = ({ data }) => this.#hear?.(data);
      other.postMessage({ type: "help", program: compiled, memory } satisfies ToWorker);
      this.#workers.push(other);
    }
  }

  work(message: ToWorker, hear: Hear) {
    if (this.#stop) Atomics.store(this.#stop, 0, 0);
    this.#hear = (told) => {
      if (told.type === "done" || told.type === "failed") {
        this.#hear = undefined;
        if (told.type === "done" && told.memory <= this.threads * MOST_MEMORY) this.rest();
        else this.end();
      }
      hear(told);
    };
    this.#post(message);
  }

  /** Waits for work, if not enough do already. */
  rest() {
    const alike = idle.filter(({ threads }) => threads === this.threads);
    if (alike.length < (this.threads > 1 ? 1 : IDLE)) idle.push(this);
    else this.end();
    this.#rested?.();
  }

  /** Nobody wants what it finds. */
  stop() {
    if (!this.#hear) return;
    if (!this.#stop) return this.end();
    const late = setTimeout(() => this.end(), PATIENCE);
    const rested = new Promise<void>((done) => (this.#rested = done));
    stopping.add(rested);
    void rested.then(() => {
      clearTimeout(late);
      stopping.delete(rested);
    });
    Atomics.store(this.#stop, 0, 1);
  }

  end() {
    this.#hear = undefined;
    for (const worker of this.#workers) worker.terminate();
    this.#rested?.();
  }
}

const idle: Helper[] = [];

/** Searches that will soon have stopped. */
const stopping = new Set<Promise<void>>();

/** A worker that has no work, with so many threads if the program has threads. */
async function helper(threads = 1): Promise<Helper> {
  const loaded = await program();
  const wanted = Math.min(threads, loaded.threads);
  // Two searches with all threads would be in each other's way.
  if (wanted > 1) await Promise.all(stopping);
  const at = idle.findLastIndex((one) => one.threads === wanted);
  return idle.splice(at, at < 0 ? 0 : 1)[0] ?? new Helper(loaded, wanted);
}

/** Certificates of solvers by the requests that asked for them. */
const certificates = new Map<number, Uint8Array<ArrayBuffer>>();

function keep(id: number, certificate: Uint8Array<ArrayBuffer>) {
  certificates.set(id, certificate);
  const [oldest] = certificates.keys();
  if (certificates.size > CERTIFICATES && oldest != null) certificates.delete(oldest);
}

function certificate(id: number): Response {
  const found = certificates.get(id);
  return found ? new Response(found) : Response.json({ message: "the certificate is no longer kept" }, { status: 404 });
}

async function answer(path: string, init?: RequestInit): Promise<Response> {
  const body = new Uint8Array(await new Response(init?.body).arrayBuffer());
  const one = await helper();
  return new Promise((done, failed) => {
    one.work({ type: "answer", path, body }, (told) => {
      if (told.type === "answer") done(new Response(told.body, { status: told.status }));
      if (told.type === "failed") failed(new Error(told.why));
    });
  });
}

/** The numbers of certificates that somebody brings, far from those of requests. */
let brought = 2 ** 40;

/** A certificate that is valid is kept, so that its proof can be explored. */
async function verify(path: string, init?: RequestInit): Promise<Response> {
  const bytes = new Uint8Array(await new Response(init?.body).arrayBuffer());
  const told = await answer(path, { body: bytes });
  if (!told.ok) return told;
  const verified = (await told.json()) as Verified;
  if (!verified.valid) return Response.json(verified);
  const same = (kept: Uint8Array) => kept.length === bytes.length && kept.every((byte, at) => byte === bytes[at]);
  const id = [...certificates].find(([, kept]) => same(kept))?.[0] ?? brought++;
  keep(id, bytes);
  return Response.json({ ...verified, certificate: id });
}

/** The program is given the certificate with each question about it: workers keep nothing. */
async function explore(id: number, init?: RequestInit): Promise<Response> {
  const found = certificates.get(id);
  if (!found) return certificate(id);
  const query = await new Response(init?.body).text();
  return answer("/api/certificates/explore", { body: new Blob([query, "\n", found]) });
}

/** A search of a page, by one worker or by several. */
class Work {
  readonly #id: number;
  readonly #ear: Ear;
  readonly #ended: () => void;
  /** The workers that have more to say, by their places. */
  #open = new Map<number, Helper | undefined>();
  #isOver = false;
  /** What each of them has found last, if it is an analysis. */
  #found = new Map<number, Found>();
  #moved: Moved[] = [];

  constructor(ask: Ask, ear: Ear, ended: () => void) {
    this.#id = ask.id;
    this.#ear = ear;
    this.#ended = ended;
    this.#open.set(0, undefined);
    void this.#begin(ask);
  }

  /** Nobody wants it any more. */
  end() {
    this.#isOver = true;
    for (const one of this.#open.values()) one?.stop();
  }

  /** Several threads share a search; without them several workers have one each. */
  async #begin(ask: Ask) {
    const { threads } = await program().catch(() => ({ threads: 1 }));
    if (this.#isOver) return;
    const asked = threads > 1 ? [ask] : shares(ask, TOGETHER);
    for (const place of asked.keys()) this.#open.set(place, undefined);
    for (const [place, share] of asked.entries()) void this.#start(place, share, usesThreads(ask) ? threads : 1);
  }

  async #start(place: number, ask: Ask, threads: number) {
    let one: Helper;
    try {
      one = await helper(threads);
    } catch {
      const { what, advice } = carrier.silence;
      return this.#lose(place, `${what}. ${advice}`);
    }
    if (this.#isOver) return one.rest();
    this.#open.set(place, one);
    one.work({ type: "search", id: this.#id, ask: JSON.stringify(ask), threads: one.threads }, (told) => {
      if (this.#isOver) return;
      if (told.type === "keep") keep(this.#id, told.certificate);
      if (told.type === "tell") this.#hear(place, JSON.parse(told.message) as Tell);
      if (told.type === "failed") this.#lose(place, `The search broke off: ${told.why}`);
    });
  }

  #hear(place: number, tell: Tell) {
    if (tell.type === "analysis") {
      this.#found.set(place, tell.found);
      // The news of one worker are as many as a page can show.
      const [teller] = this.#open.keys();
      if (place === teller || tell.found.proven != null) this.#ear.heard({ ...tell, found: together([...this.#found.values()]) });
    } else if (tell.type === "moved") {
      this.#moved.push(tell);
    } else if (tell.type === "finished" || tell.type === "refused") {
      // This worker waits for other work; the others need not go on, unless the time of a move is theirs too.
      this.#open.delete(place);
      const isDecided = this.#moved.length === 0 || this.#moved.some(({ found }) => found.proven != null);
      if (isDecided || this.#open.size === 0) this.#finish(tell);
    } else {
      this.#ear.heard(tell);
    }
  }

  /** Without one of several workers, the others go on. */
  #lose(place: number, why: string) {
    this.#open.delete(place);
    if (this.#open.size > 0 || this.#isOver) return;
    const isLost = this.#moved.length === 0;
    this.#finish(isLost ? { type: "refused", id: this.#id, message: why } : { type: "finished", id: this.#id });
  }

  #finish(last: Tell) {
    if (this.#moved.length > 0) this.#ear.heard(agreed(this.#moved));
    this.#ear.heard(last);
    this.end();
    this.#ended();
  }
}

/** The searches of a page. */
class Searches {
  readonly #ear: Ear;
  #underWay = new Map<number, Work>();

  constructor(ear: Ear) {
    this.#ear = ear;
  }

  send(ask: Ask) {
    const { id } = ask;
    if (ask.type === "stop") {
      this.#underWay.get(id)?.end();
      this.#underWay.delete(id);
    } else if (ask.type !== "pause" && ask.type !== "resume") {
      this.#underWay.set(id, new Work(ask, this.#ear, () => this.#underWay.delete(id)));
    }
  }
}

export const carrier: Carrier = {
  async request(path, init) {
    const [, kind, rest = ""] = /^\/api\/(saved|certificates)(?:\/(\d.*))?$/.exec(path) ?? [];
    if (kind === "saved") return savedGames(rest, init);
    if (kind === "certificates") return rest.endsWith("/explore") ? explore(Number.parseInt(rest, 10), init) : certificate(Number(rest));
    if (path === "/api/certificates/verify") return verify(path, init);
    return answer(path, init);
  },
  connect(ear) {
    queueMicrotask(() => ear.opened());
    return new Searches(ear);
  },
  can: { experiments: false, rest: false, parts: false },
  silence: {
    what: "The program of this page could not be loaded",
    advice: "Is there a connection, and is the browser of May 2024 or later?",
  },
};

if (!import.meta.env.SSR) {
  // The first request comes soon, and finds a worker that has the program.
  helper()
    .then((one) => one.rest())
    .catch(() => {});
  // Once all files are there, the app needs no connection. Keeping them would delay the first move, and can wait. Where a browser
  // does not allow it, all else works.
  const keepFiles = async () => {
    if ("serviceWorker" in navigator) await navigator.serviceWorker.register(new URL("offline.js", document.baseURI));
  };
  setTimeout(() => keepFiles().catch(() => {}), KEEP_AFTER);
}
