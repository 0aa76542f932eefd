// Light or dark: as the system has it, unless somebody chooses.

const KEY = "papamu-colours";

class Theme {
  #name = $state(localStorage.getItem(KEY) ?? "light dark");

  constructor() {
    this.#show();
  }

  /** What the page may be, in the words of CSS. */
  get name(): string {
    return this.#name;
  }

  set name(name: string) {
    this.#name = name;
    localStorage.setItem(KEY, name);
    this.#show();
  }

  #show() {
    document.documentElement.style.colorScheme = this.#name;
  }
}

export const theme = new Theme();
