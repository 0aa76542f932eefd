
// The service worker of the app: it keeps all files of one version, and answers with them. A new version is fetched while the
// old one is used, and takes its place when no page of the old one is open: a page never gets files of two versions.
//
// Of the two programs, that with threads is kept once a page has asked for it. Only pages that are isolated can use it, and those
// that this worker answers are, whatever headers the server of the files sends.

const isolated = ({ body, status, statusText, headers: sent }) => {
  const headers = new Headers(sent);
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  headers.set("Cross-Origin-Embedder-Policy", "require-corp");
  // Frames of pages that are isolated themselves may show a board.
  headers.set("Cross-Origin-Resource-Policy", "cross-origin");
  return new Response(body, { status, statusText, headers });
};

/** Whether an older version, if there is one, has the program with threads. */
const hasThreads = async () => {
  for (const name of await caches.keys()) {
    if (!name.startsWith("papamu-")) continue;
    const kept = await (await caches.open(name)).keys();
    if (kept.some(({ url }) => url.includes("papamu_threads_bg"))) return true;
  }
  return false;
};

addEventListener("install", (event) => {
  const keep = async () => {
    const files = (await hasThreads()) ? [...FILES, ...THREADS] : FILES;
    const cache = await caches.open(VERSION);
    const keepOne = async (file) => {
      const answer = await fetch(file);
      if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
      await cache.put(file, isolated(answer));
    };
    await Promise.all(files.map(keepOne));
  };
  event.waitUntil(keep());
});

addEventListener("activate", (event) => {
  const forget = async () => {
    // Other pages of the same site have caches of their own.
    for (const name of await caches.keys()) {
      if (name.startsWith("papamu-") && name !== VERSION) await caches.delete(name);
    }
    await clients.claim();
  };
  event.waitUntil(forget());
});

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(registration.scope)) return;
  const answer = async () => {
    const cache = await caches.open(VERSION);
    const kept = await cache.match(request, { ignoreSearch: true });
    if (kept) return kept;
    const fetched = await fetch(request);
    // A page that is sent to another address: the browser goes there.
    if (fetched.type === "opaqueredirect") return fetched;
    const answered = isolated(fetched);
    const isThreads = THREADS.some((file) => new URL(file, registration.scope).href === request.url);
    if (isThreads && fetched.ok) event.waitUntil(cache.put(request, answered.clone()));
    return answered;
  };
  event.respondWith(answer());
});
