import { describe, expect, it } from 'vitest';
import { attributes, findWithAxe, queryOf } from './explorer-page.ts';
import { explore } from './explorer-service.ts';

const explored = explore();
const { open, query } = explored;

interface Entry {
  rtype: string;
  rank: number;
  pt: number;
}

interface Ranked {
  ncode: string;
  title?: string;
  general_firstup?: string;
  general_lastup?: string;
}

describe('a novel', () => {
  /** A novel that has entered and left the daily ranking, and had its first or latest episode in between. */
  async function rankedNovel(): Promise<{ ncode: string; daily: Entry[] }> {
    const board = await query<Ranked[]>('/v1/rankings/daily/hydrated?of=t-gf-gl');
    for (const { ncode, title, general_firstup: first = '', general_lastup: latest = '' } of board.slice(
      50,
    )) {
      const history = await query<Entry[]>(`/v1/novels/${ncode}/ranking-history`);
      const daily = history.filter(({ rtype }) => rtype.endsWith('-d'));
      if (title === undefined || daily.length <= 15 || daily.length >= 300) continue;
      const [from = '', to = ''] = [daily[0]!, daily.at(-1)!].map(({ rtype }) => rtype.slice(0, 8));
      const episodes = [first, latest].map((time) => time.slice(0, 10).replaceAll('-', ''));
      if (episodes.some((day) => day >= from && day <= to)) return { ncode, daily };
    }
    throw new Error('no such novel');
  }

  it('has its title in its card once somebody has opened it, and its code before', async () => {
    const [novel] = await query<Ranked[]>('/v1/novels?lim=1&of=t-n&order=old');
    const { ncode, title } = novel!;
    const card = async () => {
      const page = await (await fetch(`${explored.services.catalogue}/?ncode=${ncode.toLowerCase()}`)).text();
      return /<title>(.*?) – .*<meta property="og:title" content="(.*?) – /s.exec(page)?.slice(1);
    };
    expect(await card()).toEqual([`作品 ${ncode}`, `作品 ${ncode}`]);
    await query(`/v1/novels/${ncode}`);
    expect(await card()).toEqual([title, title]);
  });

  it('has a chart for keyboard and pointer, broken at gaps, with a table of the same data', async () => {
    const { ncode, daily } = await rankedNovel();
    const { page, faults } = await open(`/?ncode=${ncode}&span=0`, { language: 'en' });
    const chart = page.getByRole('slider', { name: 'Daily rank over time' });
    const reading = () => chart.getAttribute('aria-valuetext');
    const text = ({ rank, pt }: Entry) => `rank ${rank}, ${pt.toLocaleString('en-GB')} pt`;
    expect(await reading()).toContain(text(daily.at(-1)!));
    await chart.focus();
    await page.keyboard.press('Home');
    expect(await reading()).toContain(text(daily[0]!));
    await page.keyboard.press('ArrowRight');
    expect(await reading()).toContain(text(daily[1]!));
    await page.keyboard.press('End');
    expect(await reading()).toContain(text(daily.at(-1)!));

    const box = (await chart.boundingBox())!;
    await page.mouse.move(box.x + 30, box.y + 60);
    await expect.poll(() => page.locator('.plot .reading').textContent()).toContain(text(daily[0]!));

    const days = daily.map(
      ({ rtype }) => Date.parse(rtype.replace(/^(....)(..)(..).*/, '$1-$2-$3')) / 86_400_000,
    );
    const runs = days.filter((day, index) => day !== (days[index - 1] ?? 0) + 1).length;
    expect(await page.locator('.plot path.line').count()).toBe(runs);
    const figure = page.locator('figure', { has: chart });
    await figure.locator('summary').click();
    await expect.poll(() => figure.locator('tbody tr:not(.gap)').count()).toBe(daily.length);
    await expect.poll(() => figure.locator('tbody tr.gap').count()).toBe(runs - 1);
    expect(faults).toEqual([]);
  });

  it('is compared and shown as ranked, whatever the clock of the reader says', async () => {
    const [one, other] = await query<Ranked[]>('/v1/rankings/daily');
    const { page } = await open('/', { language: 'en' });
    await page.clock.setFixedTime(Date.now() + 500 * 24 * 60 * 60 * 1_000);
    await page.goto(`/?ncode=${one!.ncode}`);
    await page.locator('.history', { hasText: 'in the top 300' }).waitFor();
    await page.goto(`/?compare=${one!.ncode},${other!.ncode}`);
    await page.locator('.compare-notes', { hasText: /(in the top 300.*){2}/ }).waitFor();
  });

  it('shows better ranks higher: the axis is inverted', async () => {
    const { ncode } = await rankedNovel();
    const { page } = await open(`/?ncode=${ncode}&span=0`);
    const ticks = page.locator('.plot svg > g:first-child > g > .tick');
    await ticks.first().waitFor();
    const heights = (await attributes(ticks, 'y')).map(Number);
    const marks = (await ticks.allTextContents()).map(
      (rank, index) => [Number(rank), heights[index]!] as const,
    );
    expect(marks.length).toBeGreaterThan(1);
    expect(marks).toEqual([...marks].sort(([a], [b]) => a - b));
    expect(marks).toEqual([...marks].sort(([, a], [, b]) => a - b));
  });

  it('links to its author, and the author links back', async () => {
    const { ncode } = await rankedNovel();
    const { page } = await open(`/?ncode=${ncode}`);
    const title = await page.locator('h1').textContent();
    await page.locator('.novel-writer a').click();
    await page.locator('.author-head h1').waitFor();
    await page.locator('.rows a.main', { hasText: title! }).first().click();
    await page.locator('.novel h1').waitFor();
    expect(queryOf(page)).toEqual({ ncode });
  });

  it('shows points below ranks and a tick for each known episode', async () => {
    const { ncode, daily } = await rankedNovel();
    const { page, faults } = await open(`/?ncode=${ncode}&span=0`, { language: 'en' });
    await page.locator('.columns-of-points').waitFor();
    const columns = (await page.locator('.columns-of-points').getAttribute('d')) ?? '';
    expect(columns.match(/M/g)).toHaveLength(daily.length);
    await page.locator('.episode').first().waitFor({ state: 'attached' });
    expect(await page.locator('.band + .tick').allTextContents()).toEqual(['Rank', 'Points | Episode']);
    expect(faults).toEqual([]);
  });

  it.each([1_280, 1_920])('has a chart that ends level with its facts, %i px wide', async (width) => {
    const { ncode } = await rankedNovel();
    const { page } = await open(`/?ncode=${ncode}&span=0`);
    await page.setViewportSize({ width, height: 900 });
    await page.locator('.plot-area svg').waitFor();
    const ends = () =>
      page.evaluate<number[]>(
        `[...document.querySelectorAll('.novel-columns > *')].map((column) => column.lastElementChild.getBoundingClientRect().bottom)`,
      );
    await expect.poll(async () => Math.abs((await ends())[0]! - (await ends())[1]!)).toBeLessThan(2);
  });

  it('is printed with its facts below its chart', async () => {
    const { ncode } = await rankedNovel();
    const { page } = await open();
    // Nothing is drawn again for paper.
    await page.addInitScript('ResizeObserver.prototype.observe = () => undefined');
    await page.goto(`/?ncode=${ncode}&span=0`);
    await page.locator('.plot-area svg').waitFor();
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 700, height: 1000 });
    const [chart, facts] = await Promise.all(
      ['.plot-area svg', '.novel-columns > aside'].map((part) => page.locator(part).boundingBox()),
    );
    expect(chart!.y + chart!.height).toBeLessThan(facts!.y);
  });

  it('is reported as missing, without labels that have no value, if it does not exist', async () => {
    const { page } = await open('/?ncode=N9999ZZ', { language: 'en', width: 360 });
    await page.locator('[data-problem=not_found]').waitFor();
    expect(await page.locator('.novel-head').textContent()).toBe('Novel N9999ZZ');
    expect(await findWithAxe(page)).toEqual([]);
  });
});
