import { hydrate, mount } from "svelte";
import App from "./App.svelte";

/** Makes what is drawn live, or draws what is asked for instead. */
export function begin() {
  const target = document.getElementById("app");
  if (!target) return;
  const { dataset } = document.documentElement;
  if (target.firstElementChild && !dataset.asked) {
    hydrate(App, { target });
  } else {
    target.replaceChildren();
    delete dataset.asked;
    mount(App, { target });
  }
  target.removeAttribute("aria-busy");
}
