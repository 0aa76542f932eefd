// A worker that runs the program: one piece of work at a time.

import init, { answer, search } from "papamu-wasm/papamu_wasm.js";

export type ToWorker =
  | { type: "begin"; program: WebAssembly.Module }
  | { type: "answer"; path: string; body: Uint8Array }
  | { type: "search"; id: number; ask: string };

export type FromWorker =
  | { type: "answer"; status: number; body: Uint8Array<ArrayBuffer> }
  | { type: "tell"; message: string }
  | { type: "keep"; certificate: Uint8Array<ArrayBuffer> }
  /** The work is done; the memory of the program has so many bytes. */
  | { type: "done"; memory: number }
  | { type: "failed"; why: string };

const say = (message: FromWorker) => self.postMessage(message);

let memory: Promise<WebAssembly.Memory>;

async function hear(message: ToWorker) {
  if (message.type === "begin") {
    memory = init({ module_or_path: message.program }).then((program) => program.memory);
    return;
  }
  const held = await memory;
  if (message.type === "answer") {
    const answered = answer(message.path, message.body);
    say({ type: "answer", status: answered.status, body: answered.body });
    answered.free();
  } else {
    search(message.ask, {
      tell: (message: string) => say({ type: "tell", message }),
      keep(certificate: Uint8Array) {
        say({ type: "keep", certificate: certificate.slice() });
        return message.id;
      },
    });
  }
  say({ type: "done", memory: held.buffer.byteLength });
}

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  hear(data).catch((why) => say({ type: "failed", why: String(why) }));
};
