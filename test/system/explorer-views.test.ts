import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { brokenWords, findWithAxe, layoutShift, ofThePage, sidewaysScroll } from './explorer-page.ts';
import { smallTargets, starsOf, waitForStillness } from './explorer-page.ts';
import { explore } from './explorer-service.ts';

const explored = explore();
const { open } = explored;

interface Look {
  language: 'ja' | 'en';
  width: 360 | 1440;
  schemes: readonly ('light' | 'dark')[];
}

/**
 * What axe reports depends on the scheme and the width: at night each pair is checked in one language, the other must
 * fit.
 */
const LOOKS: Look[] =
  process.env['MOKUROKU_NIGHTLY_TESTS'] === '1'
    ? [
        { language: 'ja', width: 360, schemes: ['light', 'dark'] },
        { language: 'en', width: 1440, schemes: ['light', 'dark'] },
        { language: 'en', width: 360, schemes: [] },
        { language: 'ja', width: 1440, schemes: [] },
      ]
    : [
        { language: 'ja', width: 360, schemes: ['light'] },
        { language: 'en', width: 1440, schemes: ['dark'] },
      ];

/** Rows of a list are alike, and three hundred ranks take axe most of the time of this file: it reads twelve. */
const removeFurtherRows = (page: Page) =>
  page.evaluate(
    `document.querySelectorAll('main :is(ol, ul, tbody) > :nth-child(n + 13)').forEach((row) => row.remove())`,
  );

async function findViolations(page: Page, { schemes }: Look): Promise<string[]> {
  if (schemes.length === 0) return [];
  await removeFurtherRows(page);
  const violations: string[] = [];
  for (const [index, colorScheme] of schemes.entries()) {
    // Colours must not be measured in the middle of a transition.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // One run of all rules takes less time than one for the structure and one for the colours.
    const found = await findWithAxe(page, index === 0 ? undefined : 'colors');
    violations.push(...found.map((each) => `${colorScheme}: ${each}`));
  }
  return violations;
}

/** A single test of all views would take minutes on a slow machine. */
const SHARES = [0, 1, 2, 3] as const;

describe.each(LOOKS)('every view in $language, $width px wide', (look) => {
  it.each(SHARES)('renders, passes axe, fits, stays on its host, logs no error (%i)', async (share) => {
    const own = explored.views.filter((_, index) => index % SHARES.length === share);
    for (const service of ['catalogue', 'registration'] as const) {
      const { page, faults } = await open(undefined, look, service);
      for (const { name, service: of, address } of own) {
        if (of !== service) continue;
        await page.goto(address);
        await waitForStillness(page);
        const result = {
          name,
          language: await page.locator('html').getAttribute('lang'),
          heading: (await page.locator('main h1').count()) === 1,
          isSteady: (await layoutShift(page)) <= 0.02,
          sideways: await sidewaysScroll(page),
          targets: await smallTargets(page),
          axe: await findViolations(page, look),
          faults: ofThePage(faults),
        };
        expect(result, name).toEqual({
          name,
          language: look.language,
          heading: true,
          isSteady: true,
          sideways: 0,
          targets: [],
          axe: [],
          faults: [],
        });
      }
    }
  });

  it('passes behind the age confirmation too', async () => {
    const { page, faults } = await open('/?r18=1', look);
    await page.locator('.gate button').click();
    await waitForStillness(page);
    expect(await findViolations(page, look)).toEqual([]);
    await page.locator('.rows a.main').first().click();
    await page.locator('.novel h1').waitFor();
    await waitForStillness(page);
    expect({ axe: await findViolations(page, look), sideways: await sidewaysScroll(page), faults }).toEqual({
      axe: [],
      sideways: 0,
      faults: [],
    });
  });
});

/** Placeholders that are wider than their field. */
const cutPlaceholders = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('.search-line :is(input, textarea)')]
    .filter((field) => {
      const { paddingLeft, paddingRight } = getComputedStyle(field);
      const text = document.createElement('canvas').getContext('2d');
      text.font = getComputedStyle(field, '::placeholder').font;
      const room = field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
      return text.measureText(field.placeholder).width > room;
    })
    .map((field) => field.placeholder)`);

/** English words are the longest. */
it.each([
  [320, 'en'],
  [768, 'ja'],
  ...(LOOKS.length > 2
    ? ([
        [320, 'ja'],
        [768, 'en'],
      ] as const)
    : []),
] as const)(
  'every view fits a window of %i px (%s), breaks no word and does not shift when responses are late',
  async (width, language) => {
    for (const service of ['catalogue', 'registration'] as const) {
      const { page } = await open(undefined, { language, width }, service);
      await page.route('**/v1/**', async (route) => {
        await page.waitForTimeout(200);
        await route.continue().catch(() => undefined);
      });
      for (const { name, address } of explored.views.filter((view) => view.service === service)) {
        await page.goto(address);
        await waitForStillness(page);
        const cut = await cutPlaceholders(page);
        const result = { cut, sideways: await sidewaysScroll(page), broken: await brokenWords(page) };
        expect({ name, ...result }).toEqual({ name, cut: [], sideways: 0, broken: [] });
        expect(await layoutShift(page), name).toBeLessThanOrEqual(0.02);
      }
    }
  },
);

describe('the texts of a page', () => {
  it.each([
    ['catalogue', '/'],
    ['registration', '/'],
    ['catalogue', '/docs'],
  ] as const)(
    'of the %s (%s) are fetched in one language, and in the other one when it is selected',
    async (service, address) => {
      const { page, faults } = await open(undefined, { language: 'ja', width: 360 }, service);
      const fetched: string[] = [];
      page.on('request', (request) => {
        const [, language] = /\/words-(ja|en)-[\w-]{8}\.js$/.exec(request.url()) ?? [];
        if (language) fetched.push(language);
      });
      await page.goto(address);
      await waitForStillness(page);
      expect(fetched).toEqual(['ja']);
      await page.getByRole('button', { name: 'English' }).click();
      await page.getByRole('link', { name: 'API documentation' }).waitFor();
      expect(fetched).toEqual(['ja', 'en']);
      expect(faults).toEqual([]);
    },
  );

  it('that fail to load are reported in both languages, without an incomplete page', async () => {
    const { page } = await open(undefined, { language: 'ja' });
    await page.route(/\/words-ja-[\w-]{8}\.js$/, (route) => route.abort());
    await page.goto('/');
    const text = await page.getByRole('alert').textContent();
    expect(text).toMatch(/読み込めませんでした.*could not be loaded/);
    expect(await page.locator('header.top nav').count()).toBe(0);
  });
});

describe('a system preference', () => {
  it('print: paper is white and shows no controls', async () => {
    const { page } = await open('/', { scheme: 'dark' });
    // Set after rendering: with MOKUROKU_SLOW_PROCESSOR a second debugger session would reset it earlier.
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const ink = () => page.evaluate<string>('getComputedStyle(document.body).color');
    await expect.poll(ink).toBe('rgb(29, 27, 24)');
    await page.locator('form.search').waitFor({ state: 'hidden' });
  });

  it('print: a comparison fits the paper without its stars, and a registry’s text is whole', async () => {
    const compared = explored.views.find(({ name }) => name === 'compare')!.address;
    const comparison = await open();
    // Nothing is drawn again for paper.
    await comparison.page.addInitScript('ResizeObserver.prototype.observe = () => undefined');
    await comparison.page.goto(compared);
    await waitForStillness(comparison.page);
    const registration = await open('/?domain=example.com', {}, 'registration');
    for (const { page } of [comparison, registration]) {
      await page.emulateMedia({ media: 'print' });
      await page.setViewportSize({ width: 700, height: 1000 });
    }
    expect(await sidewaysScroll(comparison.page)).toBe(0);
    expect(await starsOf(comparison.page).filter({ visible: true }).count()).toBe(0);
    const hidden = () =>
      registration.page.evaluate<number>(
        'Math.max(...[...document.querySelectorAll("pre")].map((each) => each.scrollHeight - each.clientHeight))',
      );
    await expect.poll(hidden).toBe(0);
  });

  it('reduced motion: nothing moves', async () => {
    const { page } = await open();
    await page.route('**/v1/**', () => undefined);
    const moving = async (reducedMotion: 'reduce' | 'no-preference') => {
      await page.emulateMedia({ reducedMotion });
      await page.goto('/');
      await page.locator('.skeleton').waitFor();
      return page.evaluate<number>('document.getAnimations().length');
    };
    expect(await moving('no-preference')).toBeGreaterThan(0);
    expect(await moving('reduce')).toBe(0);
  });

  it('forced colours: selected and unselected options differ', async () => {
    const { page } = await open(undefined, { language: 'en' });
    await page.emulateMedia({ forcedColors: 'active' });
    await page.goto('/?type=er&isr15=1');
    await waitForStillness(page);
    const ground = (selector: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).backgroundColor`);
    const grounds = [
      await ground('.pills input:checked + span'),
      await ground('.pill[aria-pressed=true]'),
      await ground('.pill[aria-pressed=false]'),
    ];
    expect(grounds[0]).toBe(grounds[1]);
    expect(grounds[1]).not.toBe(grounds[2]);
  });
});
