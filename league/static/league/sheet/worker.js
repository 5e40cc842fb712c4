// The sheet's page and what it is made of, kept on this device: a reload without a connection shows it again. Whatever
// can be fetched is fetched; what was kept stands in only where no server answers. The table's own document and entries
// are no business of this worker: the page keeps them itself.

const SHELF = "jantaku-sheet";
const PAGE = /^\/tables\/\d+\/(sheet|confirm)\/$/;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("message", (event) => event.waitUntil(keepAll(event.data.keep ?? [])));
self.addEventListener("fetch", (event) => {
  if (isKept(event.request)) event.respondWith(newestOrKept(event.request));
});

function isKept({ method, url }) {
  const { origin, pathname } = new URL(url);
  return method === "GET" && origin === location.origin && (PAGE.test(pathname) || pathname.startsWith("/static/"));
}

async function newestOrKept(request) {
  const shelf = await caches.open(SHELF);
  try {
    const answer = await fetch(request);
    if (answer.status === 200 && !answer.redirected) await shelf.put(request, answer.clone());
    return answer;
  } catch (error) {
    const isPage = PAGE.test(new URL(request.url).pathname);
    const kept = await shelf.match(request, { ignoreVary: true, ignoreSearch: isPage });
    if (kept) return kept;
    throw error;
  }
}

/** What the page was made of before this worker looked after it. */
async function keepAll(addresses) {
  const shelf = await caches.open(SHELF);
  await Promise.allSettled(addresses.filter((url) => isKept({ method: "GET", url })).map((url) => shelf.add(url)));
}
