// Draws the page that a new visitor sees into dist/index.html, after `vite build`: it is on the screen before its scripts
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
const page = readFileSync("dist/index.html", "utf8");
if (!page.includes(PLACE)) throw new Error(`there is no ${PLACE} in dist/index.html`);
const { body } = render(App);
writeFileSync("dist/index.html", page.replace(PLACE, () => `<div id="app" aria-busy="true">${body}</div>`));
