// Light or dark: as the system has it, unless somebody chooses. early.js reads the choice, before anything is painted.

import { keepText } from "./kept";

class Theme {
  #name = $state(document.documentElement.dataset.colours ?? "light dark");

  /** What the page may be, in the words of CSS. */
  get name(): string {
    return this.#name;
  }

  set name(name: string) {
    this.#name = name;
    document.documentElement.dataset.colours = name;
    keepText("colours", name);
  }
}

export const theme = new Theme();
