// The program itself, in workers of the browser. A search has a worker for as long as it lasts: nothing else can be heard
// there, and whoever does not want it any more ends the worker.

import module from "papamu-wasm/papamu_wasm_bg.wasm?url";
import type { Ask, Found, Tell, Verified } from "../api";
import type { Carrier, Ear } from "./carrier";
import { savedGames } from "./saved";
import { type Moved, agreed, shares, together } from "./together";
import type { FromWorker, ToWorker } from "./program.worker";

/** Workers that search one position: a core is left for the page, and each has a tree of its own. */
const TOGETHER = Math.max(1, Math.min(4, (globalThis.navigator?.hardwareConcurrency ?? 1) - 1));

/** Workers that wait for work. Starting one takes a while, and each has memory of its own. */
const IDLE = Math.max(2, TOGETHER);

/** As many bytes as the memory of a worker may have that waits: one with the table of a solver is ended. */
const MOST_MEMORY = 96 * 2 ** 20;

/** Certificates that are kept; the oldest go first. */
const CERTIFICATES = 4;

/** When the files of the app are kept for visits without a connection: so many milliseconds after the beginning. */
const KEEP_AFTER = 5_000;

let compiled: Promise<WebAssembly.Module> | undefined;

/** The program, compiled once for all workers. */
function program(): Promise<WebAssembly.Module> {
  compiled ??= compile().catch((why) => {
    compiled = undefined;
    throw why;
  });
  return compiled;
}

async function compile(): Promise<WebAssembly.Module> {
  const response = await fetch(module);
  if (!response.ok) throw new Error(response.statusText);
  // Not every server of files knows what this one is.
  const isNamed = response.headers.get("content-type") === "application/wasm";
  return isNamed ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

type Hear = (message: FromWorker) => void;

/** A worker, and whoever has given it work. */
class Helper {
  #worker: Worker;
  #hear: Hear | undefined;

  constructor(program: WebAssembly.Module) {
    this.#worker = new Worker(new URL("./program.worker.ts", import.meta.url), { type: "module" });
    this.#worker.onmessage = ({ data }) => this.#hear?.(data);
    this.#worker.onerror = (event) => this.#hear?.({ type: "failed", why: event.message });
    this.#post({ type: "begin", program });
  }

  #post(message: ToWorker) {
    this.#worker.postMessage(message);
  }

  work(message: ToWorker, hear: Hear) {
    this.#hear = (told) => {
      if (told.type === "done" || told.type === "failed") {
        this.#hear = undefined;
        if (told.type === "done" && told.memory <= MOST_MEMORY && idle.length < IDLE) idle.push(this);
        else this.end();
      }
      hear(told);
    };
    this.#post(message);
  }

  end() {
    this.#hear = undefined;
    this.#worker.terminate();
  }
}

const idle: Helper[] = [];
const helper = async (): Promise<Helper> => idle.pop() ?? new Helper(await program());

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
    const asked = shares(ask, TOGETHER);
    for (const place of asked.keys()) this.#open.set(place, undefined);
    for (const [place, share] of asked.entries()) void this.#start(place, share);
  }

  /** Nobody wants it any more. */
  end() {
    this.#isOver = true;
    for (const one of this.#open.values()) one?.end();
  }

  async #start(place: number, ask: Ask) {
    let one: Helper;
    try {
      one = await helper();
    } catch {
      const { what, advice } = carrier.silence;
      return this.#lose(place, `${what}. ${advice}`);
    }
    if (this.#isOver) {
      if (idle.length < IDLE) idle.push(one);
      else one.end();
      return;
    }
    this.#open.set(place, one);
    one.work({ type: "search", id: this.#id, ask: JSON.stringify(ask) }, (told) => {
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
  can: { experiments: false, rest: false },
  silence: {
    what: "The program of this page could not be loaded",
    advice: "Is there a connection, and is the browser of May 2024 or later?",
  },
};

if (!import.meta.env.SSR) {
  // The first request comes soon, and finds a worker that has the program.
  helper()
    .then((one) => idle.push(one))
    .catch(() => {});
  // Once all files are there, the app needs no connection. Keeping them would delay the first move, and can wait. Where a browser
  // does not allow it, all else works.
  if ("serviceWorker" in navigator) {
    const keepFiles = () => navigator.serviceWorker.register(new URL("offline.js", document.baseURI)).catch(() => {});
    setTimeout(keepFiles, KEEP_AFTER);
  }
}
