// The service worker of both pages: opens the page without a network, with what the reader follows as it was last seen.
// It is there for readers who follow something (shell/offline.ts). It answers for the page's own files alone.

/** What of the service workers' own types is used here; the page is compiled with those of a document. */
interface WorkerEvent extends Event {
  waitUntil: (work: Promise<unknown>) => void;
}
interface FetchEvent extends WorkerEvent {
  request: Request;
  respondWith: (response: Promise<Response>) => void;
}
interface Worker {
  skipWaiting: () => Promise<void>;
  clients: { claim: () => Promise<void> };
  addEventListener(name: 'install' | 'activate', listener: (event: WorkerEvent) => void): void;
  addEventListener(name: 'fetch', listener: (event: FetchEvent) => void): void;
}

/** Written in by the build: the paths of the page's files, and a name that changes with any of them. */
declare const FILES: readonly string[];
declare const VERSION: string;

const worker = globalThis as unknown as Worker;
const PREFIX = 'mokuroku-page-';
const NAME = PREFIX + VERSION;
const DOCUMENT = '/';

/** All files and the document, or nothing: a document of another version would name files that are not here. */
async function fill(): Promise<void> {
  const document = await fetch(DOCUMENT, { cache: 'no-cache' });
  const html = await document.clone().text();
  const named = [...html.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css))"/g)].map(([, file]) => file);
  if (!document.ok || !named.every((file) => FILES.includes(file ?? ''))) throw new Error('another version');
  const cache = await caches.open(NAME);
  await cache.addAll([...FILES]);
  await cache.put(DOCUMENT, document);
}

async function dropOthers(): Promise<void> {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(PREFIX) && name !== NAME);
  await Promise.all(old.map((name) => caches.delete(name)));
}

async function fromCache(path: string): Promise<Response | undefined> {
  return (await caches.open(NAME)).match(path);
}

/** The document comes from the service; from here where that cannot be reached. */
async function documentOf(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await fromCache(DOCUMENT);
    if (kept) return kept;
    throw error;
  }
}

worker.addEventListener('install', (event) => event.waitUntil(fill().then(() => worker.skipWaiting())));
worker.addEventListener('activate', (event) =>
  event.waitUntil(dropOthers().then(() => worker.clients.claim())),
);
worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (request.mode === 'navigate') {
    if (pathname === DOCUMENT) event.respondWith(documentOf(request));
  } else if (FILES.includes(pathname)) {
    event.respondWith(fromCache(pathname).then((kept) => kept ?? fetch(request)));
  }
});
