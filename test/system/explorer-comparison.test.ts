import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { sidewaysScroll, titlesOf } from './explorer-page.ts';
import { explore } from './explorer-service.ts';

const { open, query } = explore();

const compared = (page: Page) => page.locator('.compare thead .main').allTextContents();

describe('a comparison', () => {
  it('shows the chosen novels side by side, with its own URL', async () => {
    const { page, faults } = await open('/', { language: 'en' });
    const result = await titlesOf(page);
    for (const index of [0, 2]) await page.locator('.rows .compare-button').nth(index).click();
    expect(await page.locator('.tray-novels bdi').allTextContents()).toEqual([result[0], result[2]]);
    await page.getByRole('link', { name: 'Compare 2 novels' }).click();
    await page.locator('.compare').waitFor();
    await page.locator('.tray').waitFor({ state: 'detached' });
    await expect.poll(() => compared(page)).toEqual([result[0], result[2]]);
    await page.reload();
    await page.locator('.compare').waitFor();
    await page.getByRole('link', { name: 'remove' }).first().click();
    await expect.poll(() => compared(page)).toEqual([result[2]]);
    await page.goto(`${page.url()},N9999ZZ`);
    await page.getByText('Not found: N9999ZZ.').waitFor();
    expect(await compared(page)).toEqual([result[2]]);
    expect(faults).toEqual([]);
  });

  it('has a choice of five whose titles fit beside its buttons on a small phone', async () => {
    const { page } = await open('/', { language: 'en', width: 320 });
    for (const index of [0, 1, 2, 3, 4]) await page.locator('.rows .compare-button').nth(index).click();
    await page.getByRole('link', { name: 'Compare 5 novels' }).waitFor();
    const overlaps = await page.evaluate<number>(`(() => {
      const boxesOf = (part) => [...document.querySelectorAll('.tray ' + part)].map((each) => each.getBoundingClientRect());
      return boxesOf('bdi').flatMap((title) => boxesOf(':is(a, button)').filter((button) =>
        title.left < button.right && button.left < title.right && title.top < button.bottom && button.top < title.bottom)).length;
    })()`);
    expect({ overlaps, sideways: await sidewaysScroll(page) }).toEqual({ overlaps: 0, sideways: 0 });
  });

  it.each([
    ['en', 'At most 5 novels can be compared at once. Not shown: '],
    ['ja', '一度に比べられるのは5作品までです。'],
  ] as const)('names the novels beyond the five that it compares (%s)', async (language, sentence) => {
    const found = await query<{ ncode: string }[]>('/v1/novels?of=n&lim=7');
    const ncodes = found.map(({ ncode }) => ncode);
    // As a Japanese text separates them.
    const { page } = await open(`/?compare=${ncodes.join('、')}`, { language });
    expect(await page.locator('.compare thead .main').count()).toBe(5);
    const note = page.locator('main .note', { hasText: sentence });
    expect(await note.textContent()).toContain(ncodes.slice(5).join(', '));
    await page.locator('.compare .take-out').first().click();
    await expect.poll(() => note.textContent()).not.toContain(ncodes[5]);
    expect(await page.locator('.compare thead .main').count()).toBe(5);
  });
});
