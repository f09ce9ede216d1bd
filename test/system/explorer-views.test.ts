import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findWithAxe, launchChromium, layoutShift, openPage, settle } from './explorer-page.ts';
import { brokenWords, sidewaysScroll, smallTargets } from './explorer-page.ts';
import { namedViews } from './explorer-named-views.ts';
import type { NamedView } from './explorer-named-views.ts';
import { startServe } from './running-service.ts';
import type { RunningCommand } from './running-service.ts';

let services: RunningCommand;
let browser: Browser;
let views: NamedView[];

beforeAll(async () => {
  services = await startServe({ RATE_LIMIT: '0', LOG_LEVEL: 'silent' });
  browser = await launchChromium();
  views = await namedViews(services);
});
afterAll(async () => {
  await browser.close();
  await services.end('SIGTERM');
});

interface Look {
  language: 'ja' | 'en';
  width: 360 | 1440;
  schemes: readonly ('light' | 'dark')[];
}

/** Colours depend on the scheme and the width: each pair is checked in one language. */
const LOOKS: Look[] = [
  { language: 'ja', width: 360, schemes: ['light', 'dark'] },
  { language: 'en', width: 1440, schemes: ['light', 'dark'] },
  { language: 'en', width: 360, schemes: [] },
  { language: 'ja', width: 1440, schemes: [] },
];

async function findViolations(page: Page, { schemes }: Look): Promise<string[]> {
  const violations = await findWithAxe(page, 'structure');
  for (const colorScheme of schemes) {
    // Colours must not be measured in the middle of a transition.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    violations.push(...(await findWithAxe(page, 'colors')).map((each) => `${colorScheme}: ${each}`));
  }
  return violations;
}

/** One test of all views would take minutes on a slow machine. */
const SHARES = [0, 1, 2, 3] as const;

describe.each(LOOKS)('every view in $language, $width px wide', (look) => {
  it.each(SHARES)('is there, passes axe, fits, asks no other host and logs no error (%i)', async (share) => {
    const own = views.filter((_, place) => place % SHARES.length === share);
    for (const service of ['catalogue', 'registration'] as const) {
      const { page, context, faults } = await openPage(browser, services[service], look);
      for (const { name, service: of, address } of own) {
        if (of !== service) continue;
        await page.goto(address);
        await settle(page);
        const found = {
          name,
          language: await page.locator('html').getAttribute('lang'),
          heading: (await page.locator('main h1').count()) === 1,
          isSteady: (await layoutShift(page)) <= 0.02,
          sideways: await sidewaysScroll(page),
          targets: await smallTargets(page),
          axe: await findViolations(page, look),
          // Chromium's own message about an error response is no fault of the page.
          faults: faults.filter((fault) => !fault.includes('Failed to load resource')),
        };
        expect(found, name).toEqual({
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
      await context.close();
    }
  });

  it('passes behind the age confirmation too', async () => {
    const { page, context, faults } = await openPage(browser, services.catalogue, look);
    await page.goto('/?r18=1');
    await page.locator('.gate button').click();
    await settle(page);
    expect(await findViolations(page, look)).toEqual([]);
    await page.locator('.rows a.main').first().click();
    await page.locator('.novel h1').waitFor();
    await settle(page);
    expect({ axe: await findViolations(page, look), sideways: await sidewaysScroll(page), faults }).toEqual({
      axe: [],
      sideways: 0,
      faults: [],
    });
    await context.close();
  });
});

/** Search inputs that are wider than their field. */
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

it.each([320, 768] as const)(
  'every view fits a window of %i px, breaks no word and stands still while answers come late',
  async (width) => {
    for (const service of ['catalogue', 'registration'] as const) {
      const language = width === 320 ? 'ja' : 'en';
      const { page, context } = await openPage(browser, services[service], { language, width });
      await page.route('**/v1/**', async (route) => {
        await page.waitForTimeout(200);
        await route.continue().catch(() => undefined);
      });
      for (const { name, address } of views.filter((view) => view.service === service)) {
        await page.goto(address);
        await settle(page);
        const cut = await cutPlaceholders(page);
        const found = { cut, sideways: await sidewaysScroll(page), broken: await brokenWords(page) };
        expect({ name, ...found }).toEqual({ name, cut: [], sideways: 0, broken: [] });
        expect(await layoutShift(page), name).toBeLessThanOrEqual(0.02);
      }
      await context.close();
    }
  },
);

describe('the words of a page', () => {
  it.each([
    ['catalogue', '/'],
    ['registration', '/'],
    ['catalogue', '/docs'],
  ] as const)(
    'of the %s (%s) are fetched in one language, in the other when it is chosen',
    async (service, address) => {
      const { page, context, faults } = await openPage(browser, services[service], {
        language: 'ja',
        width: 360,
      });
      const fetched: string[] = [];
      page.on('request', (request) => {
        const [, language] = /\/words-(ja|en)-[\w-]{8}\.js$/.exec(request.url()) ?? [];
        if (language) fetched.push(language);
      });
      await page.goto(address);
      await settle(page);
      expect(fetched).toEqual(['ja']);
      await page.getByRole('button', { name: 'English' }).click();
      await page.getByRole('link', { name: 'API documentation' }).waitFor();
      expect(fetched).toEqual(['ja', 'en']);
      expect(faults).toEqual([]);
      await context.close();
    },
  );

  it('that do not come are told of in both languages, and none is drawn without', async () => {
    const { page, context } = await openPage(browser, services.catalogue, { language: 'ja' });
    await page.route(/\/words-ja-[\w-]{8}\.js$/, (route) => route.abort());
    await page.goto('/');
    const text = await page.getByRole('alert').textContent();
    expect(text).toMatch(/読み込めませんでした.*could not be loaded/);
    expect(await page.locator('header.top nav').count()).toBe(0);
    await context.close();
  });
});

describe('what a reader has asked of the system', () => {
  it('paper is white, and has no controls on it', async () => {
    const { page, context } = await openPage(browser, services.catalogue, { scheme: 'dark' });
    await page.goto('/');
    await settle(page);
    // Once it is drawn: a second session of the debugger, as MOKUROKU_SLOW_PROCESSOR opens one, loses it on the way.
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const ink = () => page.evaluate<string>('getComputedStyle(document.body).color');
    await expect.poll(ink).toBe('rgb(29, 27, 24)');
    await page.locator('form.search').waitFor({ state: 'hidden' });
    await context.close();
  });

  it('nothing moves where motion is reduced', async () => {
    const { page, context } = await openPage(browser, services.catalogue);
    await page.route('**/v1/**', () => undefined);
    const moving = async (reducedMotion: 'reduce' | 'no-preference') => {
      await page.emulateMedia({ reducedMotion });
      await page.goto('/');
      await page.locator('.skeleton').waitFor();
      return page.evaluate<number>('document.getAnimations().length');
    };
    expect(await moving('no-preference')).toBeGreaterThan(0);
    expect(await moving('reduce')).toBe(0);
    await context.close();
  });

  it('with forced colours, what is chosen can be told from what is not', async () => {
    const { page, context } = await openPage(browser, services.catalogue, { language: 'en' });
    await page.emulateMedia({ forcedColors: 'active' });
    await page.goto('/?type=er&isr15=1');
    await settle(page);
    const ground = (selector: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).backgroundColor`);
    const grounds = [
      await ground('.pills input:checked + span'),
      await ground('.pill[aria-pressed=true]'),
      await ground('.pill[aria-pressed=false]'),
    ];
    expect(grounds[0]).toBe(grounds[1]);
    expect(grounds[1]).not.toBe(grounds[2]);
    await context.close();
  });
});
