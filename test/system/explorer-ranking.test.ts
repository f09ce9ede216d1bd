import { describe, expect, it } from 'vitest';
import { attributes, findWithAxe, queryOf, waitForStillness } from './explorer-page.ts';
import { explore } from './explorer-service.ts';

const explored = explore();
const { open, query } = explored;

describe('a ranking board', () => {
  it('lists the finished long novels of reincarnation or another world that rose most, after four clicks', async () => {
    const { page } = await open('/?ranking=weekly', { language: 'en' });
    const all = await query<
      { noveltype?: number; end?: number; istensei?: number; istenni?: number; length?: number }[]
    >('/v1/rankings/weekly/hydrated?of=n-nt-e-its-iti-l');
    for (const name of [/^complete/, /^reincarnation or other world/, /^1M or more/, /^Risen most/])
      await page.getByRole('link', { name }).click();
    await page.waitForURL(/state=complete&istt=1&minlen=1000000&sort=rise/);
    const wanted = all.filter(
      ({ noveltype, end, istensei, istenni, length }) =>
        noveltype === 1 && end === 0 && (istensei === 1 || istenni === 1) && (length ?? 0) >= 1_000_000,
    );
    expect(wanted).not.toHaveLength(0);
    await expect.poll(() => page.locator('.board .place').count()).toBe(wanted.length);
    // A pressed chip has the number of novels that are shown.
    const pressed = page.locator('.board-filter .chip[aria-current=true] small');
    await expect.poll(() => pressed.allTextContents()).toEqual(Array(4).fill(String(wanted.length)));
    await page.getByRole('link', { name: /^1M or more/ }).click();
    await page.waitForURL((url) => !url.search.includes('minlen'));
    const countsBeside = async () => {
      const shown = await page.locator('.board .place').count();
      return shown > wanted.length
        ? [...new Set(await pressed.allTextContents())].join() === String(shown)
        : false;
    };
    await expect.poll(countsBeside).toBe(true);
  });

  it('counts beside each genre, state and quality how many novels it would leave', async () => {
    const { page } = await open('/?ranking=weekly&genre=2', { language: 'en' });
    const chips = page.locator('.board-filter .chip:not([aria-current]):has(small)');
    const counted = await chips.evaluateAll((all) =>
      all.map((chip) => ({
        address: (chip as HTMLAnchorElement).getAttribute('href')!,
        count: Number(chip.querySelector('small')!.textContent),
      })),
    );
    // The genres of the big one, four states, two qualities.
    expect(counted).toHaveLength(8);
    for (const { address, count } of counted) {
      await page.goto(address);
      await waitForStillness(page);
      expect({ address, left: await page.locator('.board .place').count() }).toEqual({
        address,
        left: count,
      });
    }
  });

  it.each(['ja', 'en'] as const)(
    'begins above 380 px of a laptop, without empty counts (%s)',
    async (language) => {
      const { page } = await open('/?ranking=daily&genre=201', { language });
      await page.setViewportSize({ width: 1_280, height: 800 });
      expect((await page.locator('.board .place').first().boundingBox())!.y).toBeLessThan(380);
      expect(await page.locator('.chip small:empty').count()).toBe(0);
    },
  );

  it('is filtered by genre and state in the URL, and has links to ranks', async () => {
    const { page } = await open('/?ranking=weekly', { language: 'en' });
    const all = await query<{ ncode: string; genre?: number; noveltype?: number }[]>(
      '/v1/rankings/weekly/hydrated?of=n-g-nt',
    );
    await page.getByRole('link', { name: /^Fantasy/ }).click();
    await page.getByRole('link', { name: /^short/ }).click();
    await page.waitForURL(/state=short/);
    const wanted = all.filter(
      ({ genre, noveltype }) => Math.floor((genre ?? 0) / 100) === 2 && noveltype === 2,
    );
    await expect.poll(() => page.locator('.board .place').count()).toBe(wanted.length);
    // Another length than that of the form is named as it is.
    await page.goto('/?ranking=weekly&genre=2&minlen=5&istt=0');
    await waitForStillness(page);
    expect(await page.title()).toBe('Fantasy – Length in characters from 5 – Weekly ranking – mokuroku');
    for (const order of ['', '&sort=rise']) {
      await page.goto(`/?ranking=weekly${order}`);
      await waitForStillness(page);
      await page.getByRole('button', { name: 'From rank 201' }).click();
      const focusedRank = 'document.activeElement.closest(".place")?.id';
      await expect.poll(() => page.evaluate<string>(focusedRank)).toMatch(/^rank-20\d$/);
    }
  });

  it('costs two requests for each step back: its own ranks and the previous ones', async () => {
    const { page, calls } = await open('/?ranking=daily&date=2026-03-09', { language: 'en' });
    await page.locator('.movement .hidden').first().waitFor({ state: 'attached' });
    const before = calls.length;
    await page.getByRole('button', { name: 'Earlier ranking' }).click();
    await page.waitForURL(/2026-03-08/);
    await page.locator('.movement .hidden').first().waitFor({ state: 'attached' });
    await expect
      .poll(() => calls.slice(before))
      .toEqual([
        expect.stringMatching(/^\/v1\/rankings\/daily\/hydrated\?date=2026-03-08/),
        '/v1/rankings/daily?date=2026-03-07',
      ]);
  });

  it.each(['daily', 'weekly', 'monthly', 'quarterly'])('%s offers valid dates only', async (type) => {
    const { page } = await open(`/?ranking=${type}`);
    const newest = await page.evaluate<string>(
      `fetch('/v1/rankings/${type}').then((answer) => answer.json()).then(({ meta }) => meta.date)`,
    );
    const values = (index: number) =>
      attributes(page.locator('.board-date select').nth(index).locator('option'), 'value');
    expect(await values(0)).toEqual(
      Array.from({ length: Number(newest.slice(0, 4)) - 2012 }, (_, back) =>
        String(Number(newest.slice(0, 4)) - back),
      ),
    );
    const months = await values(1);
    expect(months.every((month) => month <= newest.slice(0, 7))).toBe(true);
    const dates =
      type === 'daily' || type === 'weekly' ? await values(2) : months.map((month) => `${month}-01`);
    for (const date of dates) {
      const answer = await fetch(`${explored.services.catalogue}/v1/rankings/${type}?date=${date}`);
      expect([date, answer.status]).toEqual([date, 200]);
    }
    await page.locator('.board-date select').first().selectOption('2013');
    await page.waitForURL(/date=2013/);
    await waitForStillness(page);
    expect((await values(1))[0]).toBe('2013-05');
    expect(await page.locator('.board .place').count()).toBeGreaterThan(100);
  });

  it('shows how each novel has moved since the previous ranking', async () => {
    const { page } = await open('/?ranking=weekly&date=2026-03-09', { language: 'en' });
    const [board, before] = await Promise.all(
      ['2026-03-09', '2026-03-02'].map((date) =>
        query<{ ncode: string; rank: number }[]>(`/v1/rankings/weekly?date=${date}`),
      ),
    );
    const earlier = new Map(before!.map(({ ncode, rank }) => [ncode, rank]));
    const moved = board!.map(({ ncode, rank }) => {
      const was = earlier.get(ncode);
      if (was === undefined) return 'not ranked before';
      return was === rank ? 'unchanged' : was > rank ? `up ${was - rank}` : `down ${rank - was}`;
    });
    await expect.poll(() => page.locator('.movement .hidden').allTextContents()).toEqual(moved);
  });

  it('names the valid dates if a date has no ranking, and links to the nearest', async () => {
    const { page } = await open('/?ranking=weekly&date=2024-01-02&genre=2', { language: 'en', width: 360 });
    await page.getByText('There is a weekly ranking for each Monday.').waitFor();
    // No date that the view does not show.
    expect([await page.locator('h1').textContent(), await page.title()]).toEqual([
      'Weekly ranking',
      'Fantasy – Weekly ranking – mokuroku',
    ]);
    expect(await page.locator('.faults a').allTextContents()).toEqual(['2024-01-01', '2024-01-08']);
    expect(await findWithAxe(page)).toEqual([]);
    await page.locator('.faults a').first().click();
    await page.locator('.board').waitFor();
    expect(queryOf(page)).toEqual({ ranking: 'weekly', date: '2024-01-01', genre: '2' });
    expect(await page.title()).toBe('Fantasy – Weekly ranking, week of Mon, 1 Jan 2024 – mokuroku');
  });

  it('begins on the first screen of a phone', async () => {
    const { page } = await open('/?ranking=daily', { language: 'ja', width: 360 });
    const top = await page.evaluate<number>(
      "document.querySelector('.board .place').getBoundingClientRect().top",
    );
    expect(top).toBeLessThan(500);
  });

  it('steps by its buttons, never past the newest', async () => {
    const { page } = await open('/?ranking=monthly', { language: 'en' });
    const later = page.getByRole('button', { name: 'Later ranking' });
    expect(await later.isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Earlier ranking' }).click();
    await page.waitForURL(/date=/);
    await waitForStillness(page);
    await expect.poll(() => later.isDisabled()).toBe(false);
    await page.getByRole('link', { name: 'Weekly' }).click();
    await page.getByRole('heading', { name: /Weekly ranking, week of/ }).waitFor();
  });
});
