import { rmSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { systemClock } from '@mokuroku/kit/process';
import { startNarouServer } from '../upstream/index.ts';
import { createEmbeddedCatalogue } from '@mokuroku/narou/sample';
import { manualClock } from '../../packages/kit/test/manual-clock.ts';
import { fillLocalFolder } from '../../packages/mokuroku/test/catalogue/local-folder.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { findWithAxe, holdBack, queryOf, titlesOf, waitForStillness } from './explorer-page.ts';
import type { Visitor } from './explorer-page.ts';
import { useBrowser } from './explorer-service.ts';

const sample = createEmbeddedCatalogue({ clock: systemClock });
const { cleanUps, serve, visit } = useBrowser();

async function open(
  environment: Record<string, string> = {},
  visitor: Visitor = { language: 'en' },
  clock = systemClock,
) {
  const service = await serve(environment, clock);
  const watched = await visit(service, visitor);
  await watched.page.goto('/');
  await waitForStillness(watched.page);
  const send = async <T>(call: string) => (await (await fetch(service + call)).json()) as T;
  return { ...watched, send };
}

const optionsOf = (page: Page) => page.locator('[role=option] bdi').allTextContents();
const chosen = (page: Page) => page.locator('[role=option][aria-selected=true] bdi').allTextContents();
const field = (page: Page) => page.locator('input[name=word]');

interface Suggested {
  data: {
    keywords: { keyword: string }[];
    titles: { title: string; ncode: string }[];
    writers: { writer: string; userid: number }[];
  };
}
interface Found {
  data: { title: string }[];
  meta: { facets: Record<string, Record<string, number>> };
}
const encoded = encodeURIComponent('図書');

describe('on a local source', () => {
  it.each([360, 1440] as const)('typing shows suggestions for the keyboard, %i px wide', async (width) => {
    const { page, send, faults } = await open({}, { language: 'ja', width });
    const { data } = await send<Suggested>(`/v1/suggest?q=${encoded}&lim=5`);
    await field(page).focus();
    await page.keyboard.insertText('図書');
    await page.locator('[role=option]').first().waitFor();
    const options = await optionsOf(page);
    expect(options.slice(0, data.keywords.length + data.titles.length)).toEqual([
      ...data.keywords.map(({ keyword }) => keyword),
      ...data.titles.map(({ title }) => title),
    ]);
    await waitForStillness(page);
    expect(await findWithAxe(page)).toEqual([]);
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => chosen(page)).toEqual(options.slice(-1));
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => chosen(page)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => chosen(page)).toEqual(options.slice(0, 1));
    expect(await field(page).getAttribute('aria-activedescendant')).toBe(
      await page.locator('[role=option]').first().getAttribute('id'),
    );
    expect(await findWithAxe(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect.poll(() => optionsOf(page)).toEqual([]);
    expect(await field(page).inputValue()).toBe('図書');
    await page.keyboard.press('ArrowDown');
    await page.locator('[role=option]').first().waitFor();
    for (let times = 0; times <= data.keywords.length; times++) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => queryOf(page)).toEqual({ ncode: data.titles[0]!.ncode });
    expect(faults).toEqual([]);
  });

  it('typing updates the novels in one history entry and keeps a trailing space', async () => {
    const { page, send, calls } = await open();
    const before = await page.evaluate<number>('history.length');
    for (const [typed, word] of [
      ['図', '図'],
      ['書', '図書'],
      [' ', '図書'],
      ['館', '図書 館'],
    ]) {
      await field(page).focus();
      await page.keyboard.insertText(typed!);
      await expect.poll(() => queryOf(page)['word']).toBe(word);
      await expect.poll(() => page.locator('[role=option]').count()).toBeGreaterThan(0);
    }
    expect(await field(page).inputValue()).toBe('図書 館');
    const { data } = await send<Found>(
      `/v1/novels?word=${encodeURIComponent('図書 館')}&order=weeklypoint&lim=30&of=t`,
    );
    await expect.poll(() => titlesOf(page)).toEqual(data.map(({ title }) => title));
    expect(await page.evaluate<number>('history.length')).toBe(before + 1);
    await page.goBack();
    await expect.poll(() => field(page).inputValue()).toBe('');
    await page.goForward();
    await expect.poll(() => field(page).inputValue()).toBe('図書 館');
    // A filter chosen before typing has paused stays: not every browser moves the focus to it.
    await field(page).focus();
    await page.keyboard.insertText('長');
    await page.evaluate('document.querySelector("#conditions .pill").click()');
    const filters = { word: '図書 館長', stop: '1' };
    await expect.poll(() => queryOf(page)).toEqual(filters);
    const suggested = `/v1/suggest?q=${encodeURIComponent('図書 館長').replace('%20', '+')}`;
    await expect.poll(() => calls.some((call) => call.startsWith(suggested))).toBe(true);
    expect(queryOf(page)).toEqual(filters);
  });

  it('a late response never replaces a newer one', async () => {
    const { page } = await open();
    const release = await holdBack(page, '**/v1/suggest?q=%E7%8C%AB&**');
    const pending = page.waitForRequest('**/v1/suggest?q=%E7%8C%AB&**');
    await field(page).focus();
    await page.keyboard.insertText('猫');
    await pending;
    const ended = page.waitForEvent('requestfailed', (request) => request.url().includes('/v1/suggest'));
    await field(page).fill('図書');
    await page.locator('[role=option]').first().waitFor();
    const shown = await optionsOf(page);
    release();
    await ended;
    expect(await optionsOf(page)).toEqual(shown);
    expect(shown.join()).toContain('図書');
  });

  it('Enter never opens a suggestion that a late response has put in the place of the selected one', async () => {
    const { page } = await open();
    await field(page).focus();
    await page.keyboard.insertText('図書');
    await page.locator('[role=option]').first().waitFor();
    const shown = await optionsOf(page);
    const release = await holdBack(page, '**/v1/suggest?q=%E7%8C%AB&**');
    const pending = page.waitForRequest('**/v1/suggest?q=%E7%8C%AB&**');
    await field(page).fill('猫');
    await pending;
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => chosen(page)).toEqual(shown.slice(0, 1));
    release();
    await expect.poll(() => optionsOf(page)).not.toEqual(shown);
    expect(await chosen(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await expect.poll(() => optionsOf(page)).toEqual([]);
    expect(queryOf(page)).toEqual({ word: '猫' });
  });

  it('typing leaves a third of the limit for other requests and says so; Enter searches', async () => {
    const { page, calls, faults } = await open(
      { RATE_LIMIT: '60' },
      undefined,
      manualClock(Date.now()).clock,
    );
    const letters = 'あいうえおかきくけこさしすせそたちつてとなにぬねの'.split('');
    const hint = page.locator('.word-field [role=status]');
    for (const letter of letters) {
      const before = calls.length;
      await field(page).fill(letter);
      await expect.poll(async () => calls.length > before || (await hint.count()) > 0).toBe(true);
      await waitForStillness(page);
      // The page retries after a while.
      if ((await hint.count()) > 0) break;
    }
    expect(calls.length).toBeLessThanOrEqual(42);
    expect(await hint.textContent()).toContain('Press Enter');
    expect(await findWithAxe(page)).toEqual([]);
    await field(page).fill('図書');
    await page.keyboard.press('Enter');
    await expect.poll(() => queryOf(page)['word']).toBe('図書');
    await waitForStillness(page);
    expect((await titlesOf(page)).length).toBeGreaterThan(2);
    expect(faults).toEqual([]);
  });

  it.each([
    ['ja', 360],
    ['en', 360],
    ['en', 1440],
  ] as const)(
    'choices and chips do not shift when their counts arrive (%s, %i px)',
    async (language, width) => {
      const { page } = await open({}, { language, width });
      const release = await holdBack(page, '**/v1/novels?**');
      await page.goto('/?genre=101,102,201,301&type=er');
      const places = () =>
        page.evaluate<
          string[]
        >(`[...document.querySelectorAll('.chips li, .field.pills label')].map((each) => {
        const { left, top, width } = each.getBoundingClientRect();
        return each.textContent.replace(/\\d[\\d,]*/, '').trim() + ' ' + [left, top, width].map(Math.round);
      })`);
      await page.locator('.chips li').first().waitFor();
      const before = await places();
      release();
      await waitForStillness(page);
      await expect.poll(() => page.locator('.chips .counted').allTextContents()).not.toContain('');
      expect(before.length).toBeGreaterThan(5);
      expect(await places()).toEqual(before);
    },
  );

  it('choices and chips show how many novels they would leave', async () => {
    const { page, send } = await open();
    const all = await send<Found>('/v1/novels?facets=genre,type,isstop,isr15&lim=1&of=n');
    const count = (value: number) => value.toLocaleString('en-GB');
    await expect
      .poll(() => page.locator('.pills .counted').allTextContents())
      .toEqual([
        ...['er', 'r', 't'].map((type) => count(all.meta.facets['type']![type]!)),
        count(all.meta.facets['isstop']!['0']!),
      ]);
    const ofR15 = page.locator('.mark-field', { hasText: 'R15' });
    const [without = 0, withIt = 0] = Object.values(all.meta.facets['isr15']!);
    expect(await ofR15.locator('.counted').allTextContents()).toEqual([count(withIt), count(without)]);
    const option = page.getByLabel('Genre', { exact: true }).locator('option[value="201"]');
    expect(await option.textContent()).toBe(`High fantasy (${count(all.meta.facets['genre']!['201']!)})`);
    await page.getByLabel('Genre', { exact: true }).selectOption('201');
    await page.waitForURL(/genre=201/);
    await waitForStillness(page);
    expect(await page.locator('.chips .counted').textContent()).toBe(
      count(all.meta.facets['genre']!['201']!),
    );
  });
});

describe('on another source', () => {
  it('the page sends no request that the source does not support', async () => {
    const upstream = await startNarouServer({ catalogue: sample, clock: systemClock });
    cleanUps.push(() => upstream.close());
    const { page, calls, faults } = await open({ CATALOGUE_SOURCE: 'narou', NAROU_BASE_URL: upstream.url });
    await field(page).focus();
    await page.keyboard.insertText('図書');
    const [role, type] = await Promise.all(['role', 'type'].map((name) => field(page).getAttribute(name)));
    expect([role, type]).toEqual([null, 'search']);
    await page.keyboard.press('Enter');
    await page.waitForURL(/word=/);
    await waitForStillness(page);
    expect(calls.filter((call) => /suggest|facets/.test(call))).toEqual([]);
    expect([calls.length, await page.locator('.counted').count(), faults]).toEqual([2, 0, []]);
    // A range that has no field here does not prevent a search.
    await page.goto('/?points=5-3');
    await waitForStillness(page);
    await field(page).fill('図書');
    await page.keyboard.press('Enter');
    await page.waitForURL(/word=/);
  });

  it('a local catalogue shows the age of its novels', async () => {
    const dir = temporaryFolder();
    const now = Date.now();
    await fillLocalFolder(dir, sample, {
      now,
      fetchedAt: Math.floor(now / 1000) - 3 * 3600 - 60,
      adult: false,
    });
    rmSync(path.join(dir, 'rankings'), { recursive: true });
    const { page, faults, send } = await open({ CATALOGUE_SOURCE: 'local', CATALOGUE_DIR: dir });
    expect(await page.locator('.note time').textContent()).toMatch(/^Data as of .+, 3 hours old\.$/);
    await expect.poll(() => page.locator('.pills .counted').count()).toBe(4);
    expect({ axe: await findWithAxe(page), faults }).toEqual({ axe: [], faults: [] });
    // Nothing leads to what it does not have.
    expect(await page.locator('.places a').allTextContents()).toEqual(['Search', 'Shelf']);
    expect(await page.locator('.compare-button').count()).toBe(0);
    // Finds works by an author's name although it stores no authors.
    const { data } = await send<Suggested>('/v1/suggest?q=%E7%8C%AB&lim=1');
    const { writer, userid } = data.writers[0]!;
    await page.goto(`/?userid=${userid}`);
    await page.locator('.rows').waitFor();
    await expect.poll(() => page.locator('h1').textContent()).toBe(writer);
    await expect.poll(() => page.locator('.note time').count()).toBe(1);
  });
});
