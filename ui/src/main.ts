// The page begins with its first board drawn (prerender.ts), which is painted before the app makes it live.

import "uplot/dist/uPlot.min.css";
import "./app.css";

const begin = async () => (await import("./begin")).begin();

/** Whether something else is asked for than what is drawn: early.js says so. */
if (document.documentElement.dataset.asked) void begin();
else requestAnimationFrame(() => setTimeout(begin));
