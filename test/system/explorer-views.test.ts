import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findWithAxe, launchChromium, openPage, settle, sidewaysScroll } from './explorer-page.ts';
import type { Visitor } from './explorer-page.ts';
import { startServe } from './running-service.ts';
import type { RunningCommand } from './running-service.ts';

let services: RunningCommand;
let browser: Browser;
let views: [name: string, service: 'catalogue' | 'registration', path: string][];

async function ask<T>(path: string): Promise<T> {
  return ((await (await fetch(services.catalogue + path)).json()) as { data: T }).data;
}

beforeAll(async () => {
  services = await startServe({ RATE_LIMIT: '0', LOG_LEVEL: 'silent' });
  browser = await launchChromium();
  const [novel] = await ask<{ ncode: string; userid: number }[]>(
    '/v1/novels?order=weeklypoint&type=re&minlen=200000&lim=1&of=n-u',
  );
  views = [
    ['search', 'catalogue', '/?type=er&minlen=10000'],
    ['nothing found', 'catalogue', '/?word=qqqqqq&genre=201&type=t'],
    ['ranking', 'catalogue', '/?ranking=monthly'],
    ['novel', 'catalogue', `/?ncode=${novel!.ncode}`],
    ['author', 'catalogue', `/?userid=${novel!.userid}`],
    ['authors', 'catalogue', '/?authors='],
    ['age confirmation', 'catalogue', '/?r18=1'],
    ['domain form', 'registration', '/'],
    ['domain', 'registration', '/?domain=mokuroku-sample.com'],
  ];
});
afterAll(async () => {
  await browser.close();
  await services.end('SIGTERM');
});

const VISITORS: Required<Visitor>[] = (['ja', 'en'] as const).flatMap((language) =>
  (['light', 'dark'] as const).flatMap((scheme) =>
    ([360, 1440] as const).map((width) => ({ language, scheme, width })),
  ),
);

describe.each(VISITORS)('every view in $language, $scheme, $width px wide', (visitor) => {
  it('is there, passes axe, fits, asks no other host and logs no error', async () => {
    for (const service of ['catalogue', 'registration'] as const) {
      const { page, context, faults } = await openPage(browser, services[service], visitor);
      for (const [name, of, path] of views) {
        if (of !== service) continue;
        await page.goto(path);
        await settle(page);
        const found = {
          name,
          language: await page.locator('html').getAttribute('lang'),
          heading: (await page.locator('main h1').count()) === 1,
          axe: await findWithAxe(page),
          sideways: await sidewaysScroll(page),
          faults: [...faults],
        };
        expect(found).toEqual({
          name,
          language: visitor.language,
          heading: true,
          axe: [],
          sideways: 0,
          faults: [],
        });
      }
      await context.close();
    }
  });

  it('behind the age confirmation too', async () => {
    const { page, context, faults } = await openPage(browser, services.catalogue, visitor);
    await page.goto('/?r18=1');
    await page.locator('.gate button').click();
    await settle(page);
    expect(await findWithAxe(page)).toEqual([]);
    await page.locator('.rows a.main').first().click();
    await page.locator('.novel h1').waitFor();
    expect({ axe: await findWithAxe(page), sideways: await sidewaysScroll(page), faults }).toEqual({
      axe: [],
      sideways: 0,
      faults: [],
    });
    await context.close();
  });
});
