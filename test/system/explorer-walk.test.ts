import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { manualClock } from '../../packages/kit/test/manual-clock.ts';
import { waitForStillness } from './explorer-page.ts';
import { useBrowser } from './explorer-service.ts';

const { serve, visit } = useBrowser();

const click = (name: string) => (page: Page) => page.getByRole('button', { name }).click();
const clickFirst = (selector: string) => (page: Page) => page.locator(selector).first().click();
const goBack = (page: Page) => page.goBack().then(() => undefined);
const type = (text: string) => async (page: Page) => {
  const field = page.locator('.word-field input');
  await field.fill('');
  await field.pressSequentially(text);
  await field.press('Enter');
};
const open = (address: string) => (page: Page) => page.goto(address).then(() => undefined);

/** A minute of a reader in a hurry: each step, and the seconds until the next one. */
const MINUTE: readonly (readonly [step: (page: Page) => Promise<void>, seconds: number])[] = [
  [type('迷宮'), 4],
  [clickFirst('.rows a.main'), 6],
  [clickFirst('.novel-writer a'), 4],
  [clickFirst('.rows a.main'), 4],
  [goBack, 2],
  [open('/?ranking=daily'), 5],
  [click('Earlier ranking'), 2],
  [click('Earlier ranking'), 2],
  [click('Earlier ranking'), 2],
  [clickFirst('.board a.main'), 5],
  [goBack, 2],
  [open('/?ranking=weekly'), 8],
  [open('/?ranking=monthly'), 6],
  [open('/?shelf=1'), 3],
  [open('/'), 5],
];

/** The limit's window is a minute, and the page remembers responses for one: further minutes are equal. */
const MINUTES = 3;

it('minutes of hurried use with the limiter on reach no limit', async () => {
  // Both clocks move with the reader: a slow machine refills no quota, and the page forgets responses after a minute.
  const begun = Date.now();
  const { time, clock } = manualClock(begun);
  const { page, calls, faults } = await visit(await serve({ RATE_LIMIT: '60' }, clock), { language: 'en' });
  const left: number[] = [];
  page.on('response', (response) => {
    const remaining = /r=(\d+)/.exec(response.headers()['ratelimit'] ?? '')?.[1];
    if (remaining !== undefined) left.push(Number(remaining));
  });
  await page.clock.install();
  await page.goto('/');
  await waitForStillness(page);
  await page.locator('.rows .follow-button').first().click();
  for (let minute = 0; minute < MINUTES; minute += 1) {
    for (const [step, seconds] of MINUTE) {
      await step(page);
      await waitForStillness(page);
      expect(await page.locator('[data-problem], .part-missing').count()).toBe(0);
      time.ms += seconds * 1_000;
      await page.clock.fastForward(seconds * 1_000);
    }
  }
  expect(time.ms - begun).toBe(MINUTES * 60_000);
  expect(calls.length).toBeGreaterThan(45);
  expect(Math.min(...left)).toBeGreaterThan(0);
  expect(faults).toEqual([]);
}, 300_000);
