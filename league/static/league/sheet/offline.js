// Keeps the page on the device where the browser allows it: over https, and on the very machine that serves.

export async function keepPage(worker) {
  if (!worker || !navigator.serviceWorker) return;
  try {
    await navigator.serviceWorker.register(worker);
    const { active } = await navigator.serviceWorker.ready;
    const parts = performance.getEntriesByType("resource").map((part) => part.name);
    active.postMessage({ keep: [location.origin + location.pathname, ...parts] });
  } catch {
    // Without it a reload needs a connection; entries wait all the same.
  }
}
