// The service worker of both pages. Opens the page offline, with the followed items as last seen. Installed for
// readers who follow something (shell/mount.tsx). It responds for the page's own files only.

/** The used part of the service workers' types; the page is compiled with those of a document. */
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

/** Inserted by the build: the paths of the page's files, and a name that changes with any of them. */
declare const FILES: readonly string[];
declare const VERSION: string;

const worker = globalThis as unknown as Worker;
const PREFIX = 'mokuroku-page-';
const NAME = PREFIX + VERSION;
const DOCUMENT = '/';

/** Caches all files and the document, or nothing: a document of another version would refer to missing files. */
async function fillCache(): Promise<void> {
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

/** The document from the service, or from the cache if the service is unreachable. */
async function documentOf(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const cached = await fromCache(DOCUMENT);
    if (cached) return cached;
    throw error;
  }
}

worker.addEventListener('install', (event) => event.waitUntil(fillCache().then(() => worker.skipWaiting())));
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
    event.respondWith(fromCache(pathname).then((cached) => cached ?? fetch(request)));
  }
});
