import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { systemClock } from '@mokuroku/kit/process';
import { manualClock } from '../../packages/kit/test/manual-clock.ts';
import { startRegistration } from '../../packages/mokuroku/src/registration/main.ts';
import { startNarouServer } from '../upstream/index.ts';
import { createEmbeddedCatalogue } from '@mokuroku/narou/sample';
import { findWithAxe, holdBack, layoutShift, ofThePage, waitForStillness } from './explorer-page.ts';
import type { Visitor } from './explorer-page.ts';
import { useBrowser } from './explorer-service.ts';

const { serve, visit } = useBrowser();

/** A page of the catalogue on the sample. */
const open = async (visitor?: Visitor) => visit(await serve(), visitor);

const DEAD = { CATALOGUE_SOURCE: 'narou', NAROU_BASE_URL: 'http://127.0.0.1:9' };

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
    const { page, faults } = await visit(await serve(DEAD), { language, width: 360 });
    await page.goto('/');
    const notice = page.locator('[data-problem=upstream_unavailable]');
    await notice.waitFor();
    expect(await notice.getByRole('button').count()).toBe(1);
    expect(await notice.textContent()).not.toMatch(/127\.0\.0\.1|ECONNREFUSED/);
    expect(await page.locator('.note-sample').count()).toBe(0);
    expect({ axe: await findWithAxe(page), faults: ofThePage(faults) }).toEqual({ axe: [], faults: [] });
  });

  it('over the limit the page counts down and reloads by itself', async () => {
    const { time, clock } = manualClock(Date.now());
    const service = await serve({ RATE_LIMIT: '1' }, clock);
    const { page, calls, faults } = await visit(service, { language, scheme: 'dark' });
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
    time.ms += 61_000;
    await page.clock.runFor(first * 1_000);
    await page.locator('.board').waitFor();
    expect(calls.length).toBeGreaterThan(requestCount);
    expect(ofThePage(faults)).toEqual([]);
  });

  it('outdated data are shown with their age', async () => {
    const catalogue = createEmbeddedCatalogue({ clock: systemClock });
    const upstream = await startNarouServer({ catalogue, clock: systemClock });
    const { time, clock } = manualClock(Date.now());
    const service = await serve({ CATALOGUE_SOURCE: 'narou', NAROU_BASE_URL: upstream.url }, clock);
    const before = await visit(service, { language });
    await before.page.goto('/');
    await before.page.locator('.rows').waitFor();
    await upstream.close();
    time.ms += 2 * 86_400_000;
    const after = await visit(service, { language });
    await after.page.goto('/');
    await after.page.locator('.rows').waitFor();
    expect(await after.page.locator('.note-stale').textContent()).toMatch(
      language === 'ja' ? /2日前/ : /2 days old/,
    );
    expect({ axe: await findWithAxe(after.page), faults: after.faults }).toEqual({ axe: [], faults: [] });
  });

  it('what a response lacks is said above it', async () => {
    const { page, faults } = await open({ language });
    const unknown = Array.from({ length: 22 }, (_, index) => `N${2_000 + index}A`);
    await page.route('**/v1/novels?*', async (route) => {
      const { data, meta } = (await (await route.fetch()).json()) as { data: unknown[]; meta: object };
      await route.fulfill({ json: { data, meta: { ...meta, unreadable: 3, unknown } } });
    });
    await page.goto('/');
    await page.locator('.rows').waitFor();
    const text = await page.locator('.note-lacks').textContent();
    expect(text).toContain(language === 'ja' ? '3 件を除きました。' : 'left out: 3.');
    expect(text).toMatch(/N2019A \(\+2\)/);
    expect({ axe: await findWithAxe(page), faults: ofThePage(faults) }).toEqual({ axe: [], faults: [] });
  });
});

describe('after a failure', () => {
  it('names beyond the limit are looked up automatically when the limit allows', async () => {
    const { time, clock } = manualClock(Date.now());
    const service = await serve({ RATE_LIMIT: '3' }, clock, startRegistration);
    const { page, calls } = await visit(service, { language: 'en' });
    await page.clock.install();
    await page.goto('/?names=example.com,example.org,example.jp,example.de,example.co.uk');
    await page.getByText('3 of 5 done').waitFor();
    time.ms += 61_000;
    await page.clock.runFor(61_000);
    await page.getByText('5 of 5 done').waitFor();
    expect(calls.map((call) => new URL(call, service).searchParams.get('names')!.split(',').length)).toEqual([
      5, 2,
    ]);
  });

  it('a failed search is retried by searching again', async () => {
    const { page, faults } = await open();
    await page.goto('/');
    await waitForStillness(page);
    const field = page.locator('input[name=word]');
    // Without an event of the network, which retries by itself.
    await page.route('**/v1/novels?*', (route) => route.abort());
    await field.pressSequentially('まほう', { delay: 20 });
    await page.locator('[data-problem=unreachable]').waitFor();
    expect(await field.inputValue()).toBe('まほう');
    await page.unrouteAll();
    await field.press('Enter');
    await page.locator('.results :is(.rows, [data-state=empty])').waitFor();
    expect(ofThePage(faults)).toEqual([]);
  });

  it('a search by a whole text is rejected, and its view stays', async () => {
    const { page } = await open();
    await page.goto('/');
    await waitForStillness(page);
    await page.locator('input[name=word]').fill('あ'.repeat(100_000));
    await page.locator('input[name=word]').press('Enter');
    await page.locator('.results [data-problem=uri_too_long]').waitFor();
    await page.locator('input[name=word]').waitFor();
  });

  it('rejected filters are named, each with valid values', async () => {
    const { page } = await open({ language: 'en' });
    await page.goto('/?genre=12345&order=best');
    await page.locator('[data-problem=invalid_parameter]').waitFor();
    expect(await page.locator('.faults b').allTextContents()).toEqual(
      expect.arrayContaining(['Genre', 'Order']),
    );
    // In the words of the selects, as links that correct the URL.
    await page.locator('.faults a', { hasText: 'Points of the week' }).waitFor();
    expect(await findWithAxe(page)).toEqual([]);
  });

  it('any hand-written URL shows a complete view', async () => {
    const { page, faults } = await open({ language: 'en' });
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
      await page.goto(each);
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
    const { page, faults } = await open({ language: 'en' });
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
    const { page, faults } = await open({ language: 'en' });
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
    const { page, faults } = await open({ language: 'en' });
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
    const { page, faults } = await open({ language: 'en' });
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
    const service = await serve({}, undefined, startRegistration);
    const { page, faults } = await visit(service, { language: 'en' });
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

  it.each(['**/v1/users/*', '**/v1/novels?*'])(
    'an author does not shift when %s comes last',
    async (slow) => {
      const service = await serve();
      const { data } = (await (await fetch(`${service}/v1/novels?lim=1&of=u`)).json()) as {
        data: { userid: number }[];
      };
      const { page } = await visit(service, { language: 'ja', width: 360 });
      const release = await holdBack(page, slow);
      await page.goto(`/?userid=${data[0]!.userid}`);
      const stats = page.locator('.stats dd', { hasText: /\d/ }).first();
      await (slow.includes('users') ? page.locator('.rows') : stats).waitFor();
      release();
      await waitForStillness(page);
      await stats.waitFor();
      expect(await layoutShift(page)).toBeLessThan(0.03);
    },
  );

  it('a ranking that is older than the page expects does not shift', async () => {
    const { clock } = manualClock(Date.parse('2026-11-28T12:00:00Z'));
    const { page } = await visit(await serve({}, clock), { language: 'en' });
    await page.clock.setSystemTime('2028-02-29T03:00:00Z');
    await page.route('**/v1/rankings/**', async (route) => {
      await page.waitForTimeout(200);
      await route.continue();
    });
    for (const width of [712, 768, 880]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto('/?ranking=daily');
      await waitForStillness(page);
      expect(await layoutShift(page), `${width} px`).toBeLessThanOrEqual(0.02);
    }
  });

  it('a slow response leaves the page usable and not blank', async () => {
    const { page } = await open({ language: 'en' });
    const release = await holdBack(page, '**/v1/**');
    await page.goto('/');
    await page.locator('.skeleton').waitFor();
    expect(await findWithAxe(page)).toEqual([]);
    await page.getByLabel('Words', { exact: true }).fill('図書');
    release();
    await page.locator('.rows').waitFor();
    expect(await page.getByLabel('Words', { exact: true }).inputValue()).toBe('図書');
  });
});
