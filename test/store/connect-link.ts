import { onTestFinished } from 'vitest';
import { connectStore } from '../../src/store/connect-store.ts';
import { parseStoreUrl } from '../../src/store/store-url.ts';

interface Trouble {
  message: string;
  isRefusal: boolean;
}

/** A link to an address, and its events: the first connection, and all failures. */
export async function connectLink(url: string) {
  const link = await connectStore(parseStoreUrl(url));
  const troubles: Trouble[] = [];
  let ready = 0;
  const first = new Promise<void>((resolve) => {
    link.watch(
      () => {
        ready++;
        resolve();
      },
      ({ message }, isRefusal) => {
        troubles.push({ message, isRefusal });
        resolve();
      },
    );
  });
  onTestFinished(() => link.close());
  await first;
  return { link, troubles, ready: () => ready };
}
