// A worker that runs the program with threads: the one that is asked, or one that helps it.

import init, { answer, help, search_with, stop_address } from "papamu-threads/papamu_threads.js";
import { work } from "./program";

/** As much as the first thread has (`packaging/web-app`). */
const STACK = 8 * 2 ** 20;

work({
  begin: async (program) => (await init({ module_or_path: program })).memory,
  answer,
  search: search_with,
  stop: stop_address,
  async help(program, memory) {
    try {
      await init({ module_or_path: program, memory, thread_stack_size: STACK });
    } catch (why) {
      // The others search without it.
      return console.warn(why);
    }
    help();
  },
});
