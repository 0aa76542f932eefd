
// The service worker of the app: it keeps all files of one version, and answers with them. A new version is fetched while the
// old one is used, and takes its place when no page of the old one is open: a page never gets files of two versions.

addEventListener("install", (event) => {
  event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(FILES)));
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
  if (event.request.method !== "GET" || !event.request.url.startsWith(registration.scope)) return;
  const answer = async () => {
    const cache = await caches.open(VERSION);
    return (await cache.match(event.request, { ignoreSearch: true })) ?? fetch(event.request);
  };
  event.respondWith(answer());
});
