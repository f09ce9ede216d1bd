import { beforeAll, describe, expect, it } from 'vitest';
import { waitForStillness } from './explorer-page.ts';
import { namedViews } from './explorer-named-views.ts';
import type { NamedView } from './explorer-named-views.ts';
import { explore } from './explorer-service.ts';

const explored = explore();
let views: NamedView[];

beforeAll(async () => {
  views = await namedViews(explored.services);
});

/** The bytes that a new visitor receives for a view, headers included. */
async function weigh({ address, service }: NamedView, language: 'ja' | 'en'): Promise<number> {
  const { page, context } = await explored.open(undefined, { language }, service);
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  await page.goto(address, { waitUntil: 'networkidle' });
  await waitForStillness(page);
  await context.close();
  return bytes;
}

describe.each(['ja', 'en'] as const)('in %s', (language) => {
  it('every view weighs less than 110 kB for a new visitor', async () => {
    const heavy: [string, number][] = [];
    for (const view of views) {
      const bytes = await weigh(view, language);
      // Less than the scripts alone: the page would not have been measured.
      if (bytes > 110_000 || bytes < 20_000) heavy.push([view.name, bytes]);
    }
    expect(heavy).toEqual([]);
  });
});
