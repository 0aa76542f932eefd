// What `packaging/web-app` makes of crates/wasm: it need not be there to check these sources.

declare module "papamu-wasm/papamu_wasm.js" {
  export interface Answer {
    readonly status: number;
    readonly body: Uint8Array<ArrayBuffer>;
    free(): void;
  }
  export interface Page {
    tell(message: string): void;
    keep(certificate: Uint8Array): number;
  }
  export function answer(path: string, body: Uint8Array): Answer;
  export function search(ask: string, page: Page): void;
  export default function init(options: {
    module_or_path: WebAssembly.Module;
  }): Promise<{ memory: WebAssembly.Memory }>;
}

// With threads, where the toolchain for it is there.
declare module "papamu-threads/papamu_threads.js" {
  import type { Answer, Page } from "papamu-wasm/papamu_wasm.js";
  export function answer(path: string, body: Uint8Array): Answer;
  export function search_with(ask: string, page: Page, threads: number): void;
  export function stop_address(): number;
  export function help(): void;
  export default function init(options: {
    module_or_path: WebAssembly.Module;
    memory?: WebAssembly.Memory;
    thread_stack_size?: number;
  }): Promise<{ memory: WebAssembly.Memory }>;
}
