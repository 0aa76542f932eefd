// The program itself, in workers of the browser. A search has a worker for as long as it lasts: nothing else can be heard
// there, and whoever does not want it any more ends the worker.

import module from "papamu-wasm/papamu_wasm_bg.wasm?url";
import type { Ask, Tell } from "../api";
import type { Carrier, Ear } from "./carrier";
import { savedGames } from "./saved";
import type { FromWorker, ToWorker } from "./program.worker";

/** Workers that wait for work. Starting one takes a while, and each has memory of its own. */
const IDLE = 2;

/** As many bytes as the memory of a worker may have that waits: one with the table of a solver is ended. */
const MOST_MEMORY = 96 * 2 ** 20;

/** Certificates that are kept; the oldest go first. */
const CERTIFICATES = 4;

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

/** The program is given the certificate with each question about it: workers keep nothing. */
async function explore(id: number, init?: RequestInit): Promise<Response> {
  const found = certificates.get(id);
  if (!found) return certificate(id);
  const query = await new Response(init?.body).text();
  return answer("/api/certificates/explore", { body: new Blob([query, "\n", found]) });
}

/** The searches of a page. */
class Searches {
  readonly #ear: Ear;
  /** A search that has no worker yet is there too. */
  #underWay = new Map<number, Helper | undefined>();

  constructor(ear: Ear) {
    this.#ear = ear;
  }

  send(ask: Ask) {
    const { id } = ask;
    if (ask.type === "stop") this.#stop(id);
    else if (ask.type !== "pause" && ask.type !== "resume") void this.#start(id, ask);
  }

  #stop(id: number) {
    this.#underWay.get(id)?.end();
    this.#underWay.delete(id);
  }

  async #start(id: number, ask: Ask) {
    this.#underWay.set(id, undefined);
    let one: Helper;
    try {
      one = await helper();
    } catch {
      const { what, advice } = carrier.silence;
      return this.#ear.heard({ type: "refused", id, message: `${what}. ${advice}` });
    }
    if (!this.#underWay.has(id)) {
      if (idle.length < IDLE) idle.push(one);
      else one.end();
      return;
    }
    this.#underWay.set(id, one);
    one.work({ type: "search", id, ask: JSON.stringify(ask) }, (told) => {
      if (told.type === "tell") this.#ear.heard(JSON.parse(told.message) as Tell);
      if (told.type === "keep") keep(id, told.certificate);
      if (told.type === "done" || told.type === "failed") this.#underWay.delete(id);
      if (told.type === "failed") this.#ear.heard({ type: "refused", id, message: `The search broke off: ${told.why}` });
    });
  }
}

export const carrier: Carrier = {
  async request(path, init) {
    const [, kind, rest = ""] = /^\/api\/(saved|certificates)(?:\/(\d.*))?$/.exec(path) ?? [];
    if (kind === "saved") return savedGames(rest, init);
    if (kind === "certificates") return rest.endsWith("/explore") ? explore(Number.parseInt(rest, 10), init) : certificate(Number(rest));
    return answer(path, init);
  },
  connect(ear) {
    queueMicrotask(() => ear.opened());
    return new Searches(ear);
  },
  can: { experiments: false, rest: false },
  silence: {
    what: "The program of this page could not be loaded",
    advice: "Is there a connection, and is the browser of 2023 or later?",
  },
};

// Once all files are there, the app needs no connection. Where a browser does not allow that, all else works.
if (!import.meta.env.SSR && "serviceWorker" in navigator) {
  navigator.serviceWorker.register(new URL("offline.js", document.baseURI)).catch(() => {});
}
