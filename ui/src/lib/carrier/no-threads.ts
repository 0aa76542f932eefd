// The program with threads was not built: `#threads`, of package.json, says so.

import type { Program } from "./program";

export const threads: Program | undefined = undefined as Program | undefined;
