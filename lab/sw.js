// Keeps all files of the lab, so that it works without a network after the first visit.
import { FILES, VERSION } from "./manifest.js";

const KEPT = `nqbench-lab-${VERSION}`;

addEventListener("install", (event) => {
  event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll(FILES)).then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter((name) =>
    name.startsWith("nqbench-lab-") && name !== KEPT).map((name) => caches.delete(name))))
    .then(() => clients.claim()));
});

addEventListener("fetch", (event) => {
  event.respondWith(caches.match(event.request, { ignoreSearch: true })
    .then((kept) => kept ?? fetch(event.request)));
});
