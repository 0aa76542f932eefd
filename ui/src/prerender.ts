// Draws the page that a new visitor sees into the index.html of a folder, after `vite build`: it is on the screen before its scripts
// have run.

import { readFileSync, writeFileSync } from "node:fs";
import { render } from "svelte/server";

// What the page reads of its browser.
Object.assign(globalThis, {
  document: { documentElement: { dataset: {} } },
  location: { hash: "" },
});
const { default: App } = await import("./App.svelte");

const PLACE = '<div id="app"></div>';
const file = `${process.argv[2]}/index.html`;
const page = readFileSync(file, "utf8");
if (!page.includes(PLACE)) throw new Error(`there is no ${PLACE} in ${file}`);
const { body } = render(App);
writeFileSync(file, page.replace(PLACE, () => `<div id="app" aria-busy="true">${body}</div>`));
