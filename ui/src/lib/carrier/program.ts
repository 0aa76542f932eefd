// The program in a worker, and what the worker and its page say to each other.

export interface Program {
  /** The address of the program. */
  module: string;
  /** Starts a worker that can run it. */
  start(): Worker;
}

export type ToWorker =
  | { type: "begin"; program: WebAssembly.Module }
  /** Search with another worker, in its memory. */
  | { type: "help"; program: WebAssembly.Module; memory: WebAssembly.Memory }
  | { type: "answer"; path: string; body: Uint8Array }
  | { type: "search"; id: number; ask: string; threads: number };

export type FromWorker =
  /** Others may share this memory, and 1 in its byte at `stop` ends a search. */
  | { type: "shared"; memory: WebAssembly.Memory; stop: number }
  | { type: "answer"; status: number; body: Uint8Array<ArrayBuffer> }
  | { type: "tell"; message: string }
  | { type: "keep"; certificate: Uint8Array<ArrayBuffer> }
  /** The work is done; the memory of the program has so many bytes. */
  | { type: "done"; memory: number }
  | { type: "failed"; why: string };

/** What the program of a worker is asked. */
interface Asked {
  begin(program: WebAssembly.Module): Promise<WebAssembly.Memory>;
  answer(path: string, body: Uint8Array): { readonly status: number; readonly body: Uint8Array<ArrayBuffer>; free(): void };
  search(ask: string, page: Page, threads: number): void;
  /** Where others can share the memory: the byte that ends a search. */
  stop?(): number;
  /** Searches with the worker that has the memory, and never ends. */
  help?(program: WebAssembly.Module, memory: WebAssembly.Memory): Promise<void>;
}

/** Whoever hears of a search, as the program sees it. */
export interface Page {
  tell(message: string): void;
  keep(certificate: Uint8Array): number;
}

const say = (message: FromWorker) => self.postMessage(message);

/** Makes this worker do what it is told: one piece of work at a time. */
export function work(asked: Asked) {
  let begun: Promise<WebAssembly.Memory> | undefined;

  async function hear(message: ToWorker) {
    if (message.type === "help") return asked.help?.(message.program, message.memory);
    if (message.type === "begin") {
      begun = asked.begin(message.program);
      const memory = await begun;
      if (asked.stop) say({ type: "shared", memory, stop: asked.stop() });
      return;
    }
    const memory = await begun;
    if (message.type === "answer") {
      const answered = asked.answer(message.path, message.body);
      say({ type: "answer", status: answered.status, body: answered.body });
      answered.free();
    } else {
      const { id, ask, threads } = message;
      const page: Page = {
        tell: (message) => say({ type: "tell", message }),
        keep(certificate) {
          say({ type: "keep", certificate: certificate.slice() });
          return id;
        },
      };
      asked.search(ask, page, threads);
    }
    say({ type: "done", memory: memory?.buffer.byteLength ?? 0 });
  }

  self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
    hear(data).catch((why) => say({ type: "failed", why: String(why) }));
  };
}
