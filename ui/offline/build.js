// Makes an app that can be installed and needs no connection of a folder that has all of its files: it gets a manifest, icons
// and a service worker that keeps the files.

import { createHash } from "node:crypto";
import { copyFileSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [folder] = process.argv.slice(2);
const own = (name) => join(import.meta.dirname, name);
const there = (name) => join(folder, name);

// What the server forbids in its headers, and leave to compile the program.
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
  "connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'";
const FIRST = `<meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${POLICY}" />`;
const LAST = `<link rel="manifest" href="./manifest.webmanifest" />
    <link rel="apple-touch-icon" href="./icon-192.png" />
    <meta name="theme-color" content="#1f1a14" />
  </head>`;

for (const name of ["manifest.webmanifest", "icon-192.png", "icon-512.png"]) copyFileSync(own(name), there(name));
const page = readFileSync(there("index.html"), "utf8");
// The page has the program, so early.js looks for what that needs.
const withProgram = page.replace('<html lang="en">', '<html lang="en" data-program>');
writeFileSync(there("index.html"), withProgram.replace('<meta charset="utf-8" />', FIRST).replace("</head>", LAST));

const files = readdirSync(folder, { recursive: true })
  .filter((name) => name !== "offline.js" && statSync(there(name)).isFile())
  .map((name) => name.replaceAll("\\", "/"))
  .sort();
const hash = createHash("sha256");
for (const name of files) hash.update(name).update(readFileSync(there(name)));
/** The program with threads, if it was built: not every visit needs it. */
const isThreads = (name) => /papamu_threads_bg.*\.wasm$/.test(name);
const kept = files.filter((name) => name !== "index.html" && !isThreads(name));
const lines = [
  `const VERSION = "papamu-${hash.digest("hex").slice(0, 16)}";`,
  `const FILES = ${JSON.stringify(["./", ...kept])};`,
  `const THREADS = ${JSON.stringify(files.filter(isThreads))};`,
  readFileSync(own("service.js"), "utf8"),
];
writeFileSync(there("offline.js"), lines.join("\n"));
