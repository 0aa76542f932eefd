// The app without a server, which `packaging/web-app` makes, and a server of its files.

import { createReadStream, existsSync, readdirSync, statSync } from "node:fs";
import { type OutgoingHttpHeaders, type Server as Files, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize, resolve } from "node:path";

export const folder = resolve(import.meta.dirname, "../../target/web-app/app");
export const isBuilt = existsSync(join(folder, "offline.js"));
if (!isBuilt) console.warn("the tests of the app without a server are skipped: packaging/web-app builds it");

/** Whether it has the program with threads too, which needs more tools. */
export const hasThreads = isBuilt && readdirSync(join(folder, "assets")).some((name) => name.includes("papamu_threads_bg"));

const KINDS: Record<string, string> = {
  ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".wasm": "application/wasm",
  ".woff2": "font/woff2", ".png": "image/png", ".webmanifest": "application/manifest+json",
};

/**
 * Serves the files below `/papamu/app/`, as a site for many things would, and notes what is asked for. `another` is a page of the
 * site, at `/another.html`.
 */
export async function serve(
  headers: OutgoingHttpHeaders = {},
  another?: { headers: OutgoingHttpHeaders; body: string },
): Promise<{ address: string; files: Files; asked: string[] }> {
  const asked: string[] = [];
  const files = createServer((request, response) => {
    const path = new URL(request.url ?? "", "http://files").pathname.replace("/papamu/app/", "/");
    asked.push(path);
    if (another && path === "/another.html") {
      return void response.writeHead(200, { ...another.headers, "content-type": "text/html" }).end(another.body);
    }
    const file = join(folder, normalize(path.endsWith("/") ? `${path}index.html` : path));
    if (!existsSync(file) || !statSync(file).isFile()) return void response.writeHead(404).end();
    response.writeHead(200, { ...headers, "content-type": KINDS[extname(file)] ?? "text/plain" });
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((done) => files.listen(0, "127.0.0.1", done));
  return { address: `http://127.0.0.1:${(files.address() as AddressInfo).port}/papamu/app/`, files, asked };
}

export const stop = (files: Files) =>
  new Promise<void>((done) => {
    if (!files.listening) return done();
    files.close(() => done());
    files.closeAllConnections();
  });
