import { expect, it } from 'vitest';
import { waitForStillness } from './explorer-page.ts';
import type { NamedView } from './explorer-page.ts';
import { explore } from './explorer-service.ts';

const explored = explore();
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

/** The five novels that today's daily ranking has had most often: evergreen ones, of which old ones have the most. */
async function mostRanked(): Promise<string[]> {
  const board = await explored.query<{ ncode: string; general_firstup?: string }[]>(
    '/v1/rankings/daily/hydrated?of=gf',
  );
  const oldest = board
    .flatMap(({ ncode, general_firstup: first }) => (first === undefined ? [] : [{ ncode, first }]))
    .sort((a, b) => (a.first < b.first ? -1 : 1))
    .slice(0, 20)
    .map(({ ncode }) => ncode);
  const histories = await explored.query<Record<string, unknown[]>>(
    `/v1/ranking-histories?type=daily&ncode=${oldest.join(',')}`,
  );
  const lengthOf = (ncode: string) => histories[ncode]?.length ?? 0;
  const most = oldest.sort((a, b) => lengthOf(b) - lengthOf(a)).slice(0, 5);
  // More than are drawn.
  expect(most.map((ncode) => lengthOf(ncode) > 800)).toEqual([true, true, true, true, true]);
  return most;
}

it('every view weighs at most 99 KiB for a new visitor', async () => {
  const heavy: [string, number][] = [];
  const most = await mostRanked();
  const heaviest: NamedView[] = [
    { name: 'novel of all time', service: 'catalogue', address: `/?ncode=${most[0] ?? ''}&span=0` },
    { name: 'five novels of all time', service: 'catalogue', address: `/?compare=${most.join(',')}&span=0` },
  ];
  for (const [index, view] of [...explored.views, ...heaviest].entries()) {
    // The languages differ in one file of texts, which all views of a page load.
    const bytes = await weigh(view, index % 2 === 0 ? 'ja' : 'en');
    // Less than the scripts alone: the page would not have been measured.
    if (bytes > 99 * 1_024 || bytes < 20_000) heavy.push([view.name, bytes]);
  }
  expect(heavy).toEqual([]);
});

it('a comparison of all time says that it has the latest entries alone', async () => {
  const { page } = await explored.open(`/?compare=${(await mostRanked()).join(',')}&span=0`, {
    language: 'en',
  });
  const notes = page.locator('.compare-notes');
  await notes.getByText('the latest 400 times in the top 300').first().waitFor();
});

it.each(['catalogue', 'registration'] as const)(
  'the %s page has an icon, also for phones and as /favicon.ico, a colour for each theme, and rules for robots',
  async (service) => {
    const base = explored.services[service];
    const html = await (await fetch(base)).text();
    const linkOf = (rel: string) => new RegExp(`rel="${rel}" href="([^"]+)"`).exec(html)?.[1] ?? '';
    const manifestUrl = new URL(linkOf('manifest'), base);
    const manifest = (await (await fetch(manifestUrl)).json()) as { icons: { src: string; sizes: string }[] };
    const icons = [
      { url: new URL(linkOf('apple-touch-icon'), base), sizes: '180x180' },
      ...manifest.icons.map(({ src, sizes }) => ({ url: new URL(src, manifestUrl), sizes })),
      { url: new URL('/favicon.ico', base), sizes: 'any' },
    ];
    expect(icons.map(({ sizes }) => sizes)).toEqual(['180x180', 'any', '192x192', '512x512', 'any']);
    expect(icons[1]!.url.href).toBe(new URL(linkOf('icon'), base).href);
    for (const { url, sizes } of icons) {
      const response = await fetch(url);
      const body = Buffer.from(await response.arrayBuffer());
      const type = response.headers.get('content-type');
      if (sizes === 'any')
        expect([type, body.toString()]).toEqual(['image/svg+xml', expect.stringMatching(/^<svg /)]);
      // The width and height of a PNG are in its first chunk.
      else expect(`${body.readUInt32BE(16)}x${body.readUInt32BE(20)}`).toBe(sizes);
    }
    expect(html.match(/<meta name="theme-color"/g)).toHaveLength(2);
    // It needs an absolute URL, which is unknown on free ports.
    expect(html).not.toContain('og:image');
    expect(await (await fetch(`${base}/robots.txt`)).text()).toContain('Disallow: /');
  },
);
