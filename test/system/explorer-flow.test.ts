import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { manualClock } from '../../packages/kit/test/manual-clock.ts';
import { focusedText, layoutShift, openSaveMenu, savedFile } from './explorer-page.ts';
import { sidewaysScroll, waitForStillness } from './explorer-page.ts';
import { explore } from './explorer-service.ts';

const { open, query, serve, visit } = explore();

interface Entry {
  rank: number;
  ncode: string;
  title?: string;
}
const FLOW = '/?ranking=weekly&date=2026-03-09&flow=1';
const namesAt = (page: Page) => page.locator('.flow-names:not(.flow-names-start) .main');
const slider = (page: Page): Locator => page.getByRole('slider', { name: 'Ranking shown' });

/** The boards of FLOW, and the titles on each. */
async function boardsOfFlow() {
  const boards = await query<{ entries: Entry[] }[]>(
    '/v1/rankings/weekly/hydrated?from=2025-12-15&to=2026-03-09&lim=20&of=n-t',
  );
  const novels = new Map(boards.flatMap(({ entries }) => entries.map((each) => [each.ncode, each.title!])));
  const titlesOn = (entries: Entry[]) =>
    entries
      .slice(0, 20)
      .map(({ ncode }) => novels.get(ncode) ?? `No longer listed (deleted, private or hidden) ${ncode}`);
  return { boards, titlesOn };
}

describe('the flow of a ranking', () => {
  it('costs one request, so that five flows leave 55 of 60', async () => {
    const service = await serve({ RATE_LIMIT: '60' }, manualClock(Date.now()).clock);
    const remaining: number[] = [];
    for (const address of [
      '/?ranking=daily&flow=1',
      '/?ranking=weekly&flow=1',
      '/?ranking=monthly&flow=1',
      '/?ranking=quarterly&flow=1',
      FLOW,
    ]) {
      const { page, calls, faults } = await visit(service);
      await page.goto(address);
      await waitForStillness(page);
      await page.locator('.flow-names').first().waitFor();
      expect(calls.map((call) => call.replace(/\?.*/, ''))).toEqual([
        expect.stringMatching(/^\/v1\/rankings\/[a-z]+\/hydrated$/),
      ]);
      expect(faults).toEqual([]);
      const { headers } = await fetch(`${service}/v1/meta/genres`);
      remaining.push(Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]));
    }
    // Every second request is the test's own.
    expect(remaining).toEqual([58, 56, 54, 52, 50]);
  });

  it('shows the names of its first and last twenty, highlights one at a time, and has a table of all ranks', async () => {
    const { page, faults } = await open(FLOW, { language: 'en' });
    const { boards, titlesOn } = await boardsOfFlow();
    const [first, last] = [boards[0]!.entries, boards.at(-1)!.entries];
    expect(await namesAt(page).allTextContents()).toEqual(titlesOn(last));
    expect(await page.locator('.flow-names-start .main').allTextContents()).toEqual(titlesOn(first));
    await namesAt(page).nth(3).focus();
    await expect.poll(() => page.locator('.course-lit').count()).toBe(1);
    expect(await page.locator('.course-most').count()).toBeLessThanOrEqual(5);
    await page.keyboard.press('ArrowDown');
    expect(await focusedText(page)).toBe(titlesOn(last)[4]);
    await page.locator('summary', { hasText: 'As a table' }).click();
    const row = page.locator('.flow-table tbody tr').nth(4).locator('td');
    const ranks = boards.map(({ entries }) => entries.find(({ ncode }) => ncode === last[4]!.ncode)?.rank);
    await expect.poll(() => row.allTextContents()).toEqual(ranks.map((rank) => String(rank ?? '–')));
    expect(faults).toEqual([]);
  });

  it('moves through its boards by arrow keys and by playback, and shows since when each novel has been there', async () => {
    const { page } = await open(FLOW, { language: 'en' });
    const { boards, titlesOn } = await boardsOfFlow();
    await slider(page).focus();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => slider(page).getAttribute('aria-valuetext')).toBe('week of Mon, 2 Mar 2026');
    expect(await namesAt(page).allTextContents()).toEqual(titlesOn(boards.at(-2)!.entries));
    const there = new Set(boards[0]!.entries.map(({ ncode }) => ncode));
    const came = boards.at(-2)!.entries.filter(({ ncode }) => !there.has(ncode));
    expect(await page.getByText(/^since \d+ [A-Z][a-z]+$/).count()).toBe(came.length);
    await page.keyboard.press('End');
    // Stops the page's clock, which then advances only by `runFor`.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 3_600_000);
    const play = page.getByRole('button', { name: 'Play' });
    await play.press('Enter');
    await expect.poll(() => slider(page).inputValue()).toBe('0');
    const shownAfter = async (milliseconds: number) => {
      await page.clock.runFor(milliseconds);
      return slider(page).inputValue();
    };
    // Shorter than the time of a board, so that none is skipped.
    for (const board of ['1', '2']) await expect.poll(() => shownAfter(200)).toBe(board);
    await expect.poll(() => shownAfter(2_000)).toBe('12');
    await page.clock.resume();
    await play.waitFor();
  });

  it('animates its names, except with reduced motion', async () => {
    const { page } = await open(FLOW, { language: 'en' });
    // Counts animations at their start: one may be over before a slow machine looks.
    await page.evaluate(`{
      globalThis.slides = 0;
      const animate = Element.prototype.animate;
      Element.prototype.animate = function (...how) {
        globalThis.slides += 1;
        return animate.apply(this, how);
      };
    }`);
    const slides = () => page.evaluate<number>('globalThis.slides');
    const last = await namesAt(page).allTextContents();
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await slider(page).focus();
    await page.keyboard.press('Home');
    await expect.poll(() => namesAt(page).allTextContents()).not.toEqual(last);
    await page.keyboard.press('End');
    await expect.poll(() => namesAt(page).allTextContents()).toEqual(last);
    expect(await slides()).toBe(0);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.keyboard.press('Home');
    await expect.poll(slides).toBeGreaterThan(0);
  });

  it.each([360, 768, 1440] as const)(
    'fits, does not shift and truncates no title, %i px wide',
    async (width) => {
      const { page } = await open('/?ranking=daily&flow=1', { width, language: 'ja' });
      expect([await sidewaysScroll(page), (await layoutShift(page)) < 0.02]).toEqual([0, true]);
      const widths = await page.evaluate<number[]>(
        `[...document.querySelectorAll('.flow-names:not(.flow-names-start) .main')].map((each) => each.clientWidth)`,
      );
      // At 14 px: at least eight letters beside the chart, the whole title below it.
      expect(Math.min(...widths)).toBeGreaterThan(width === 360 ? 300 : 110);
    },
  );

  it('is rejected like its ranking for an impossible date, and reports a missing one', async () => {
    for (const date of ['2026-03-10', '2099-03-09']) {
      const { page } = await open(`/?ranking=weekly&date=${date}&flow=1`);
      await page.locator('.notice').waitFor();
      expect(await page.locator('.flow').count()).toBe(0);
    }
  });
});

it.each(['light', 'dark'] as const)(
  'a flow is saved as it looks, with its names and source (%s)',
  async (theme) => {
    const { page, calls, faults } = await open(FLOW, { language: 'en' });
    await page.emulateMedia({ colorScheme: theme });
    const shown = await page.locator('main .main').last().textContent();
    const courses = await page.locator('.course').count();
    const before = calls.length;
    await openSaveMenu(page);
    const { name, text: svg } = await savedFile(page, 'Drawing (SVG)');
    expect(name).toBe('weekly-flow-2026-03-09.svg');
    expect(svg).toContain('All works, authors and ranks shown here are invented.');
    expect(svg).toContain(`>${shown!}<`);
    expect(svg).toContain(`fill="${theme === 'light' ? 'rgb(250, 248, 243)' : 'rgb(23, 24, 27)'}"`);
    // On its own, without the styles of the page, it has the same lines.
    await page.goto(`data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`);
    const strokes = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.course')].map((each) => getComputedStyle(each).stroke)`,
    );
    expect(strokes).toHaveLength(courses);
    expect(new Set(strokes).size).toBeGreaterThan(1);
    expect(svg).not.toContain('color(');
    expect([calls.length - before, faults]).toEqual([0, []]);
  },
);
