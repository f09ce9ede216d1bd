import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findWithAxe, launchChromium, layoutShift, openPage, settle } from './explorer-page.ts';
import { sidewaysScroll, smallTargets } from './explorer-page.ts';
import { namedViews } from './explorer-named-views.ts';
import type { NamedView } from './explorer-named-views.ts';
import type { Visitor } from './explorer-page.ts';
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

const VISITORS: Required<Visitor>[] = (['ja', 'en'] as const).flatMap((language) =>
  (['light', 'dark'] as const).flatMap((scheme) =>
    ([360, 1440] as const).map((width) => ({ language, scheme, width })),
  ),
);

describe.each(VISITORS)('every view in $language, $scheme, $width px wide', (visitor) => {
  it('is there, passes axe, fits, asks no other host and logs no error', async () => {
    for (const service of ['catalogue', 'registration'] as const) {
      const { page, context, faults } = await openPage(browser, services[service], visitor);
      for (const { name, service: of, address } of views) {
        if (of !== service) continue;
        await page.goto(address);
        await settle(page);
        const found = {
          name,
          language: await page.locator('html').getAttribute('lang'),
          heading: (await page.locator('main h1').count()) === 1,
          axe: await findWithAxe(page),
          sideways: await sidewaysScroll(page),
          targets: await smallTargets(page),
          isSteady: (await layoutShift(page)) < 0.05,
          // What Chromium itself writes for an answer that is an error is no fault of the page.
          faults: faults.filter((fault) => !fault.includes('Failed to load resource')),
        };
        expect(found, name).toEqual({
          name,
          language: visitor.language,
          heading: true,
          axe: [],
          sideways: 0,
          targets: [],
          isSteady: true,
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

it('every view fits a window of 320 px', async () => {
  for (const service of ['catalogue', 'registration'] as const) {
    const { page, context } = await openPage(browser, services[service], { language: 'en', width: 320 });
    for (const { name, address } of views.filter((view) => view.service === service)) {
      await page.goto(address);
      await settle(page);
      expect([name, await sidewaysScroll(page)]).toEqual([name, 0]);
    }
    await context.close();
  }
});
