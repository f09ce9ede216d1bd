import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { starsOf, waitForStillness } from './explorer-page.ts';
import { explore } from './explorer-service.ts';

const explored = explore();
const { open } = explored;
/** The service worker is ready and has cached all of its files. */
const isKept = (page: Page) => page.evaluate<boolean>('navigator.serviceWorker.ready.then(() => true)');
const workers = (page: Page) =>
  page.evaluate<number>('navigator.serviceWorker.getRegistrations().then((all) => all.length)');
const caches = (page: Page) => page.evaluate<string[]>('caches.keys()');

it.each(['catalogue', 'registration'] as const)(
  'the page of the %s opens offline for readers who follow something, and only for them',
  async (service) => {
    const address = service === 'catalogue' ? '/' : '/?domain=example.com';
    const { page, context } = await open(address, { language: 'en' }, service);
    expect(await workers(page)).toBe(0);
    // Caches of an earlier version, and of another page on this host.
    await page.evaluate(`Promise.all([caches.open('mokuroku-page-old'), caches.open('another')])`);
    await starsOf(page).first().click();
    await isKept(page);
    await expect.poll(async () => (await caches(page)).includes('mokuroku-page-old')).toBe(false);
    expect(await caches(page)).toContain('another');
    const shelf = service === 'catalogue' ? '/?shelf=1' : '/';
    await page.goto(shelf);
    await page.getByText('No changes.').waitFor();
    const label = await page.locator('.shelf-rows a.main').first().textContent();
    const cacheNames = await page.evaluate<string[]>(`caches.keys()
      .then((names) => caches.open(names.find((name) => name.startsWith('mokuroku-page-'))))
      .then((cache) => cache.keys()).then((all) => all.map(({ url }) => url))`);
    const { origin } = new URL(page.url());
    expect(cacheNames.filter((url) => !url.startsWith(`${origin}/`))).toEqual([]);
    expect(cacheNames.filter((url) => /\/v1\/|\/-\//.test(url))).toEqual([]);
    await page.close();

    await context.setOffline(true);
    const later = await context.newPage();
    // The other language was not loaded before either.
    await later.goto(shelf);
    await waitForStillness(later);
    expect(await later.locator('.shelf-rows a.main').first().textContent()).toBe(label);
    // The browser may still have the shelf's response, but not that of a search which it has never sent.
    if (service === 'catalogue') await later.goto('/?word=qqqq');
    await later
      .getByText(/Service unreachable/)
      .first()
      .waitFor();
    await later.getByRole('button', { name: '日本語' }).click();
    await later.getByText('本棚', { exact: true }).first().waitFor();

    await context.setOffline(false);
    await later.goto(shelf);
    await waitForStillness(later);
    await starsOf(later).first().click();
    await expect.poll(() => workers(later)).toBe(0);
    await expect.poll(() => caches(later)).toEqual(['another']);
  },
);

it('a view without its script reports that the service is unreachable, and is shown when it is tried again', async () => {
  const { page } = await open('/?word=', { language: 'en' });
  await page.route('**/history-*.js', (route) => route.abort());
  await page.locator('.rows a.main').first().click();
  const problem = page.locator('main [data-problem=unreachable]').first();
  await problem.waitFor();
  await page.unroute('**/history-*.js');
  await problem.getByRole('button', { name: 'Try again' }).click();
  await page.locator('.plot svg').first().waitFor();
});

it('on a phone the line that reports it covers nothing', async () => {
  const { page, context } = await open('/?ranking=daily', { language: 'ja', width: 360 });
  await context.setOffline(true);
  await page.getByRole('link', { name: '週間', exact: true }).click();
  await page.locator('.source-unreachable').waitFor();
  const boxes = await page.evaluate<{ left: number; right: number; top: number; bottom: number }[]>(
    `[...document.querySelectorAll('.source-line > *')]
      .map((each) => each.getBoundingClientRect().toJSON())`,
  );
  expect(boxes).toHaveLength(3);
  const covered = boxes.flatMap((one, index) =>
    boxes
      .slice(index + 1)
      .filter((other) => one.left < other.right && other.left < one.right)
      .filter((other) => one.top < other.bottom && other.top < one.bottom),
  );
  expect(covered).toEqual([]);
});
