// What brings requests to the program and its answers back. A server has the program (server.ts), or workers of the browser
// run it (worker.ts): `#carrier`, of package.json, is the one that the app is built with.

import type { Ask, Tell } from "../api";

export interface Carrier {
  /** Asks for what is known at once. Rejects where there is no answer. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** Opens a line for what takes time. */
  connect(ear: Ear): Line;
  /** What there is on the other side. */
  readonly can: {
    /** A store of experiments. */
    experiments: boolean;
    /** Searches that rest and go on. */
    rest: boolean;
    /** Write the certificate of a part of a proof. */
    parts: boolean;
  };
  /** What to say where there is no answer, and what somebody may do about it. */
  readonly silence: { what: string; advice: string };
}

/** Whoever listens on a line. */
export interface Ear {
  /** The line is open: what is sent arrives. */
  opened(): void;
  heard(tell: Tell): void;
  /** The line is lost, with all that was asked for on it. */
  closed(): void;
}

export interface Line {
  send(ask: Ask): void;
}
