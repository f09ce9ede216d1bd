import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { startCatalogue } from '../../packages/mokuroku/src/catalogue/main.ts';
import { startRegistration } from '../../packages/mokuroku/src/registration/main.ts';
import { startNarouServer } from '@mokuroku/narou/narou-server';
import { createEmbeddedCatalogue } from '@mokuroku/narou/sample';
import { findWithAxe, layoutShift, waitForStillness } from './explorer-page.ts';
import { useBrowser } from './explorer-service.ts';

const { cleanUps, open } = useBrowser();

const DEAD = { CATALOGUE_SOURCE: 'narou', NAROU_BASE_URL: 'http://127.0.0.1:9' };

/** A movable clock and the catalogue service under it. */
async function serve(environment: Record<string, string> = {}) {
  let moved = 0;
  const clock = { now: () => Date.now() + moved, monotonic: () => performance.now() + moved };
  const quiet = { CATALOGUE_PORT: '0', RATE_LIMIT: '0', LOG_LEVEL: 'silent' };
  const service = await startCatalogue({ ...quiet, ...environment }, clock);
  cleanUps.push(() => service.close());
  return {
    address: service.address,
    pass: (milliseconds: number) => {
      moved += milliseconds;
    },
  };
}

/** Chromium's own message about an error response is no fault of the page. */
const ofThePage = (faults: string[]) => faults.filter((fault) => !fault.includes('Failed to load resource'));

/** Has the published form, except that a name is a number. */
const UNDRAWABLE = { data: [{ userid: '1', name: 5 }], meta: {} };

/** Makes a browser function throw until the page calls `mend()`. */
const breakInPage = (page: Page, owner: string, name: string) =>
  page.addInitScript(`{
    const own = ${owner}.${name};
    ${owner}.${name} = () => { throw new RangeError('broken'); };
    globalThis.mend = () => { ${owner}.${name} = own; };
  }`);

describe.each(['ja', 'en'] as const)('in %s', (language) => {
  it('a dead upstream is reported with one action to continue', async () => {
    const { address } = await serve(DEAD);
    const { page, faults } = await open(address, { language, width: 360 });
    await page.goto('/');
    const notice = page.locator('[data-problem=upstream_unavailable]');
    await notice.waitFor();
    expect(await notice.getByRole('button').count()).toBe(1);
    expect(await notice.textContent()).not.toMatch(/127\.0\.0\.1|ECONNREFUSED/);
    expect(await page.locator('.note-sample').count()).toBe(0);
    expect({ axe: await findWithAxe(page), faults: ofThePage(faults) }).toEqual({ axe: [], faults: [] });
  });

  it('over the limit the page counts down and reloads by itself', async () => {
    const { address, pass } = await serve({ RATE_LIMIT: '1' });
    const { page, calls, faults } = await open(address, { language, scheme: 'dark' });
    await page.clock.install();
    await page.goto('/');
    await waitForStillness(page);
    await page.locator('.places a').nth(1).click();
    const notice = page.locator('[data-problem=rate_limited]');
    await notice.waitFor();
    const wait = notice.locator('[aria-live=off]');
    const left = async () => Number(/\d+/.exec((await wait.textContent()) ?? '')?.[0]);
    const first = await left();
    expect(first).toBeGreaterThan(1);
    expect(await findWithAxe(page)).toEqual([]);
    await page.clock.runFor(5_000);
    expect(await left()).toBeLessThan(first);
    const requestCount = calls.length;
    pass(61_000);
    await page.clock.runFor(first * 1_000);
    await page.locator('.board').waitFor();
    expect(calls.length).toBeGreaterThan(requestCount);
    expect(ofThePage(faults)).toEqual([]);
  });

  it('outdated data are shown with their age', async () => {
    const clock = { now: () => Date.now(), monotonic: () => performance.now() };
    const catalogue = createEmbeddedCatalogue({ clock });
    const upstream = await startNarouServer({ catalogue, clock });
    const { address, pass } = await serve({ CATALOGUE_SOURCE: 'narou', NAROU_BASE_URL: upstream.url });
    const before = await open(address, { language });
    await before.page.goto('/');
    await before.page.locator('.rows').waitFor();
    await upstream.close();
    pass(2 * 86_400_000);
    const after = await open(address, { language });
    await after.page.goto('/');
    await after.page.locator('.rows').waitFor();
    expect(await after.page.locator('.note-stale').textContent()).toMatch(
      language === 'ja' ? /2日前/ : /2 days old/,
    );
    expect({ axe: await findWithAxe(after.page), faults: after.faults }).toEqual({ axe: [], faults: [] });
  });

  it('sample data are marked as invented', async () => {
    const { address } = await serve();
    const { page } = await open(address, { language });
    for (const view of ['/', '/?ranking=daily', '/?authors=']) {
      await page.goto(view);
      await waitForStillness(page);
      expect(await page.locator('.note-sample').textContent()).toMatch(
        language === 'ja' ? /架空/ : /invented/,
      );
    }
  });
});

describe('after a failure', () => {
  it('names beyond the limit are looked up automatically when the limit allows', async () => {
    let moved = 0;
    const clock = { now: () => Date.now() + moved, monotonic: () => performance.now() + moved };
    const quiet = { REGISTRATION_PORT: '0', LOG_LEVEL: 'silent', RATE_LIMIT: '3' };
    const service = await startRegistration(quiet, clock);
    cleanUps.push(() => service.close());
    const { page, calls } = await open(service.address, { language: 'en' });
    await page.clock.install();
    await page.goto('/?names=example.com,example.org,example.jp,example.de,example.co.uk');
    await page.getByText('3 of 5 done').waitFor();
    moved = 61_000;
    await page.clock.runFor(61_000);
    await page.getByText('5 of 5 done').waitFor();
    expect(
      calls.map((call) => new URL(call, service.address).searchParams.get('names')!.split(',').length),
    ).toEqual([5, 2]);
  });

  it('a failed search is retried by searching again', async () => {
    const { address } = await serve();
    const { page, context, faults } = await open(address);
    await page.goto('/');
    await waitForStillness(page);
    const field = page.locator('input[name=word]');
    await context.setOffline(true);
    await field.pressSequentially('まほう', { delay: 20 });
    await page.locator('[data-problem=unreachable]').waitFor();
    expect(await field.inputValue()).toBe('まほう');
    await context.setOffline(false);
    await field.press('Enter');
    await page.locator('.results :is(.rows, [data-state=empty])').waitFor();
    expect(ofThePage(faults)).toEqual([]);
  });

  it('rejected filters are named, each with valid values', async () => {
    const { address } = await serve();
    const { page } = await open(address, { language: 'en' });
    await page.goto('/?genre=12345&order=best');
    await page.locator('[data-problem=invalid_parameter]').waitFor();
    expect(await page.locator('.faults b').allTextContents()).toEqual(
      expect.arrayContaining(['Genre', 'Order']),
    );
    // In the words of the selects, as links that correct the URL.
    await page.locator('.faults a', { hasText: 'Points of the week' }).waitFor();
    expect(await findWithAxe(page)).toEqual([]);
  });

  it('a date without a ranking is explained, with links to the nearest dates', async () => {
    const { address } = await serve();
    const { page } = await open(address, { language: 'en', width: 360 });
    await page.goto('/?ranking=weekly&date=2024-01-02&genre=2');
    await page.getByText('There is a weekly ranking for each Monday.').waitFor();
    const dates = page.locator('.faults a');
    expect(await dates.allTextContents()).toEqual(['2024-01-01', '2024-01-08']);
    expect(await findWithAxe(page)).toEqual([]);
    await dates.last().click();
    await page.locator('.board').waitFor();
    expect(new URL(page.url()).search).toBe('?ranking=weekly&date=2024-01-08&genre=2');
  });

  it('any hand-written URL shows a complete view', async () => {
    const { address } = await serve();
    const { page, faults } = await open(address, { language: 'en' });
    const addresses = [
      '/?order=constructor',
      '/?stop=constructor',
      '/?lastup=constructor',
      '/?type=constructor',
      '/?genre=constructor',
      '/?ranking=daily&genre=constructor',
      '/?compare=zz,yy',
      '/?word=%E3%81%00',
      '/?userid=..',
      '/?ncode=..',
      '/docs#%',
      '/docs#%E3%81',
    ];
    for (const each of addresses) {
      // From another page: a URL that differs only in its hash would not be reloaded.
      await page.goto('about:blank');
      await page.goto(address + each);
      await page.locator('main h1').waitFor({ state: 'attached' });
      await waitForStillness(page);
      expect([each, await page.locator('[data-problem=not_json]').count()]).toEqual([each, 0]);
    }
    expect(ofThePage(faults)).toEqual([]);
  });

  it.each([
    [
      'a code that it does not know',
      { status: 404, json: { error: { code: 'constructor', message: '' } } },
      0,
    ],
    ['a page of something else', { status: 200, body: '<h1>', contentType: 'text/html' }, 1],
  ])('a service that responds with %s leaves the views complete', async (_what, answer, buttons) => {
    const { address } = await serve();
    const { page, faults } = await open(address, { language: 'en' });
    await page.route(/v1|openapi/, (route) => route.fulfill(answer));
    for (const each of ['/', '/?ranking=daily', '/?ncode=N0001A', '/?userid=1', '/?authors', '/docs']) {
      await page.goto(each);
      await page.locator('main h1').waitFor({ state: 'attached' });
      const notice = page.locator('main [role=alert]');
      await notice.waitFor();
      expect(await notice.getByRole('button').count()).toBe(buttons);
    }
    expect(ofThePage(faults)).toEqual([]);
  });

  it('a response that cannot be read is reported and can be retried', async () => {
    const { address } = await serve();
    const { page, faults } = await open(address, { language: 'en' });
    await breakInPage(page, 'Headers.prototype', 'get');
    await page.goto('/');
    const notice = page.locator('[data-problem=other]');
    await notice.waitFor();
    expect(await page.locator('header.top nav a').count()).toBe(5);
    await page.evaluate('mend()');
    await notice.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.rows').waitFor();
    expect(ofThePage(faults)).toEqual([]);
  });

  it('a response that cannot be rendered is reported and can be retried any number of times', async () => {
    const { address } = await serve();
    const { page, faults } = await open(address, { language: 'en' });
    await page.route('**/v1/users?*', (route) => route.fulfill({ json: UNDRAWABLE }));
    await page.goto('/?authors=');
    const again = page.locator('[data-problem=not_json]').getByRole('button', { name: 'Try again' });
    const queryCount = async () =>
      (await Promise.all([page.waitForRequest('**/v1/users?*'), again.click()])).length;
    expect(await queryCount()).toBe(2);
    await again.waitFor();
    expect(await page.locator('header.top nav a').count()).toBe(5);
    await page.unroute('**/v1/users?*');
    await again.click();
    await page.locator('.authors').waitFor();
    expect(ofThePage(faults)).toEqual([]);
  });

  it('a view that cannot be rendered does not prevent the next view, or a retry of the same one', async () => {
    const { address } = await serve();
    const { page, faults } = await open(address, { language: 'en' });
    await page.route('**/v1/users?*', (route) => route.fulfill({ json: UNDRAWABLE }));
    await page.goto('/?authors=');
    const notice = page.locator('[data-problem=not_json]');
    await notice.waitFor();
    const authors = page.locator('.places a').nth(2);
    await page.locator('.places a').nth(1).click();
    await page.locator('.board').waitFor();
    await authors.click();
    await notice.waitFor();
    await page.unroute('**/v1/users?*');
    await authors.click();
    await page.locator('.authors').waitFor();
    expect(ofThePage(faults)).toEqual([]);
  });

  it('names whose look-up fails in the page are reported, each with a retry', async () => {
    const service = await startRegistration({
      REGISTRATION_PORT: '0',
      LOG_LEVEL: 'silent',
      RATE_LIMIT: '0',
    });
    cleanUps.push(() => service.close());
    const { page, faults } = await open(service.address, { language: 'en' });
    await breakInPage(page, 'globalThis', 'encodeURIComponent');
    await page.goto('/?names=example.com,example.jp');
    const again = page.getByRole('button', { name: 'Try again' });
    await again.nth(1).waitFor();
    await page.evaluate('mend()');
    await again.first().click();
    await page.getByRole('row', { name: 'example.com' }).getByText('in ').first().waitFor();
    expect(await again.count()).toBe(1);
    expect(ofThePage(faults)).toEqual([]);
  });

  it('a missing novel is reported as missing', async () => {
    const { address } = await serve();
    const { page } = await open(address, { language: 'en', width: 360 });
    await page.goto('/?ncode=N0000A');
    await page.locator('[data-problem=not_found]').waitFor();
    expect(await findWithAxe(page)).toEqual([]);
  });

  it.each(['**/v1/users/*', '**/v1/novels?*'])(
    'an author does not shift when %s comes last',
    async (slow) => {
      const { address } = await serve();
      const { data } = (await (await fetch(`${address}/v1/novels?lim=1&of=u`)).json()) as {
        data: { userid: number }[];
      };
      const { page } = await open(address, { language: 'ja', width: 360 });
      let release = () => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route(slow, async (route) => {
        await released;
        await route.continue();
      });
      await page.goto(`/?userid=${data[0]!.userid}`);
      const stats = page.locator('.stats dd', { hasText: /\d/ }).first();
      await (slow.includes('users') ? page.locator('.rows') : stats).waitFor();
      release();
      await waitForStillness(page);
      await stats.waitFor();
      expect(await layoutShift(page)).toBeLessThan(0.03);
    },
  );

  it('a slow response leaves the page usable and not blank', async () => {
    const { address } = await serve();
    const { page } = await open(address, { language: 'en' });
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/v1/**', async (route) => {
      await released;
      await route.continue();
    });
    await page.goto('/');
    await page.locator('.skeleton').waitFor();
    expect(await findWithAxe(page)).toEqual([]);
    await page.getByLabel('Words', { exact: true }).fill('図書');
    release();
    await page.locator('.rows').waitFor();
    expect(await page.getByLabel('Words', { exact: true }).inputValue()).toBe('図書');
  });
});
