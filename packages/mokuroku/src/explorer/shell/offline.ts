import { pageFact } from './page-facts.ts';
import type { Shelf } from './shelf.ts';

/**
 * Installs the service worker for a reader who follows something, so that the page opens offline; other readers load
 * nothing for it. With an empty shelf, the service worker and its files are removed.
 */
export function keepOffline(shelf: Pick<Shelf, 'followed' | 'onChange'>): void {
  const path = pageFact('worker');
  const workers = (navigator as Partial<Navigator>).serviceWorker;
  // Available over https and on localhost only. A browser may forbid it; the page then needs a network as before.
  if (path === undefined || !workers) return;
  let isCached: boolean | undefined;
  const updateWorker = async () => {
    const isWanted = shelf.followed.length > 0;
    if (isWanted === isCached) return;
    isCached = isWanted;
    if (isWanted) await workers.register(path, { scope: '/' });
    else await remove(workers);
  };
  const look = () => void updateWorker().catch(() => undefined);
  const begin = () => {
    look();
    shelf.onChange(look);
  };
  // Starts after the page has loaded.
  if (document.readyState === 'complete') begin();
  else addEventListener('load', begin, { once: true });
}

async function remove(workers: ServiceWorkerContainer): Promise<void> {
  const registration = await workers.getRegistration('/');
  if (!registration) return;
  await registration.unregister();
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith('mokuroku-page-')).map((name) => caches.delete(name)),
  );
}
