// A worker that runs the program on its one thread.

import init, { answer, search } from "papamu-wasm/papamu_wasm.js";
import { work } from "./program";

work({
  begin: async (program) => (await init({ module_or_path: program })).memory,
  answer,
  search,
});
