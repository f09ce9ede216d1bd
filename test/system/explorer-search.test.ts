import { describe, expect, it } from 'vitest';
import {
  attributes,
  findWithAxe,
  focusedText,
  queryOf,
  titlesOf,
  waitForStillness,
} from './explorer-page.ts';
import type { WatchedPage } from './explorer-page.ts';
import { explore } from './explorer-service.ts';

const explored = explore();
const { open, query } = explored;

/** The URL has these filters and no others, the last call has them too. */
function expectFilters({ page, calls }: Pick<WatchedPage, 'page' | 'calls'>, filters: object): void {
  expect(queryOf(page)).toEqual(filters);
  const { pathname, searchParams } = new URL(calls.at(-1)!, page.url());
  expect([pathname, Object.fromEntries(searchParams)]).toMatchObject(['/v1/novels', filters]);
}

describe('the search', () => {
  it('works by keyboard alone: to the field, to the novels, into one, and back to the same place', async () => {
    const { page, faults } = await open('/');
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.press('/');
    await page.keyboard.type('迷宮');
    await page.keyboard.press('Enter');
    await page.waitForURL(/word=/);
    await waitForStillness(page);
    const result = await titlesOf(page);
    expect(result.length).toBeGreaterThan(2);
    await page.locator('.row-actions button').nth(1).focus();
    await page.keyboard.press('Tab');
    expect(await focusedText(page)).toBe(result[1]);
    await page.keyboard.press('Enter');
    await page.locator('.novel h1').waitFor();
    await expect.poll(() => focusedText(page)).toBe(result[1]);
    expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');
    await page.goBack();
    await page.locator('.rows').waitFor();
    expect(queryOf(page)).toEqual({ word: '迷宮' });
    expect(await titlesOf(page)).toEqual(result);
    expect(faults).toEqual([]);
  });

  it.each([360, 1440] as const)(
    'applies every filter and writes it into the URL, %i px wide',
    async (width) => {
      const { page, calls } = await open('/', { width, language: 'en' });
      if (width === 360) await page.getByRole('button', { name: 'Filters' }).click();
      await page.getByLabel('Genre', { exact: true }).selectOption('201');
      await page.getByText(/^Complete/).click();
      await page.getByLabel('Length in characters from').fill('10,000');
      await page.getByLabel('Length in characters to').fill('100,000');
      await page.getByLabel('Order').selectOption('lengthdesc');
      await page.getByLabel('Exclude', { exact: true }).fill('追放');
      await page.getByLabel('Exclude', { exact: true }).press('Enter');
      await page.waitForURL(/notword/);
      await waitForStillness(page);
      const filters = { notword: '追放', genre: '201', type: 'er', length: '10000-100000' };
      expectFilters({ page, calls }, { ...filters, order: 'lengthdesc' });
      const shown = await titlesOf(page);
      await page.reload();
      await waitForStillness(page);
      expect(await titlesOf(page)).toEqual(shown);
      expect(await query<{ title: string }[]>(calls.at(-1)!)).toMatchObject(
        shown.map((title) => ({ title })),
      );
    },
  );

  it('by episodes, points and keywords are those of the API', async () => {
    const { page, calls } = await open('/', { language: 'en' });
    await page.getByLabel('Episodes from').fill('１0');
    await page.getByLabel('Episodes to').fill('5');
    await page.getByLabel('Overall points from').fill('100');
    await page.getByText('the minimum must not exceed').waitFor();
    await page.getByLabel('Episodes to').fill('400');
    await page.getByLabel('Any of these keywords').fill('和風 魔法');
    await page.getByLabel('None of these keywords').fill('残酷な描写あり');
    await page.getByLabel('None of these keywords').press('Enter');
    await page.waitForURL(/notkeyword/);
    await waitForStillness(page);
    const keywords = { anykeyword: '和風 魔法', notkeyword: '残酷な描写あり' };
    expectFilters({ page, calls }, { ...keywords, episodes: '10-400', points: '100-' });
    const chips = await page.getByLabel('Filters').locator('a').allTextContents();
    expect(chips.map((chip) => chip.replace(/ ×$/, ''))).toEqual([
      'Any of these keywords 和風 魔法',
      'not keywords 残酷な描写あり',
      'Episodes 10–400',
      'Overall points 100–',
    ]);
  });

  it('neither requests nor navigates while an input method is composing', async () => {
    const { page, calls, context } = await open('/');
    const before = calls.length;
    await page.locator('input[name=word]').focus();
    const keyboard = await context.newCDPSession(page);
    await keyboard.send('Input.imeSetComposition', { text: 'まほう', selectionStart: 3, selectionEnd: 3 });
    const enter = async (code: number) => {
      const key = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: code };
      await keyboard.send('Input.dispatchKeyEvent', { type: 'keyDown', ...key });
      await keyboard.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key });
    };
    await page.evaluate(`globalThis.arePrevented = [];
      addEventListener('keydown', ({ defaultPrevented }) => arePrevented.push(defaultPrevented))`);
    await enter(13);
    await page.evaluate('document.querySelector("form.search").requestSubmit()');
    expect([new URL(page.url()).search, calls.length]).toEqual(['', before]);
    await keyboard.send('Input.insertText', { text: '魔法' });
    // Safari ends the composition before the Enter that ended it, which has the code of handled keys.
    await enter(229);
    expect(await page.locator('input[name=word]').inputValue()).toBe('魔法');
    await page.keyboard.press('Enter');
    await page.waitForURL(/word=/);
    expect(await page.evaluate('arePrevented')).toEqual([true, true, false]);
    await waitForStillness(page);
    // Suggestions may be requested in between.
    expect(calls.slice(before).filter((call) => !call.startsWith('/v1/suggest'))).toHaveLength(1);
  });

  it('shows its API call by one key, remembers that, and copies it as a curl command', async () => {
    const { page, calls } = await open('/?word=%E9%AD%94%E6%B3%95', { language: 'en' });
    await page.locator('h1').first().press('a');
    await page.reload();
    await expect
      .poll(() => page.locator('.api-calls code').textContent())
      .toContain('GET /v1/novels?word=魔法');
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toBe(`curl --compressed '${explored.services.catalogue}${calls[0]!}'`);
  });

  it.each([360, 1440] as const)('%i px wide, returns to the row that was clicked', async (width) => {
    const { page } = await open('/', { language: 'ja', width });
    const row = page.locator('.rows a.main').nth(24);
    await row.scrollIntoViewIfNeeded();
    const topOf = () => row.boundingBox().then((box) => box!.y);
    // Its position at the click: rows above may grow while the page scrolls.
    const noted = page.evaluate<number>(`new Promise((note) =>
      addEventListener('click', ({ target }) => note(target.closest('a').getBoundingClientRect().top), {
        capture: true,
        once: true,
      }))`);
    await row.click();
    const before = await noted;
    await page.locator('.novel').waitFor();
    await page.goBack();
    await page.locator('.rows').waitFor();
    await expect.poll(async () => Math.abs((await topOf()) - before)).toBeLessThan(3);
  });

  it('keeps the scroll position when going forward, on reloading and after another site', async () => {
    const { page } = await open('/?word=', { width: 360 });
    const scrollTo = async (top: number) => {
      await page.evaluate(`scrollTo(0, ${top})`);
      await expect.poll(() => page.evaluate('history.state?.top')).toBe(top);
    };
    const expectTop = (top: number) => expect.poll(() => page.evaluate('Math.round(scrollY)')).toBe(top);
    await page.locator('.rows a.main').first().click();
    await page.locator('.novel').waitFor();
    await scrollTo(400);
    await page.goBack();
    await page.locator('.rows').waitFor();
    await page.goForward();
    await page.locator('.novel').waitFor();
    await expectTop(400);
    await page.reload();
    await expectTop(400);
    await page.goto('about:blank');
    await page.goBack();
    await expectTop(400);
  });

  it('offers to remove one filter if nothing was found', async () => {
    const { page } = await open('/?word=qqqqqq&type=t', { language: 'en' });
    await page.getByText('Try removing a filter').waitFor();
    expect(await attributes(page.locator('.chips .chip'), 'aria-label')).toEqual([
      'remove “qqqqqq”',
      'remove “Short”',
    ]);
    await page.getByRole('link', { name: 'remove “qqqqqq”' }).click();
    await page.locator('.rows').waitFor();
    expect(queryOf(page)).toEqual({ type: 't' });
  });

  it('starts in its field where there are a mouse and space, and nowhere else', async () => {
    for (const [address, width, isFocused] of [
      ['/', 1440, true],
      ['/?word=%E7%8C%AB', 1440, false],
      ['/', 360, false],
    ] as const) {
      const { page } = await open(address, { width });
      expect(await page.evaluate('document.activeElement.name === "word"')).toBe(isFocused);
      expect(await page.evaluate('scrollY')).toBe(0);
    }
  });

  it('marks its words where the novels have them, and says that a further genre would be added', async () => {
    const { page } = await open('/?word=%E8%BF%B7%E5%AE%AE&genre=201', { language: 'en' });
    const marked = await page.locator('.rows mark').allTextContents();
    expect(new Set(marked)).toEqual(new Set(['迷宮']));
    const genres = page.getByLabel('Genre', { exact: true });
    expect(await genres.locator('option').first().textContent()).toBe('Add a genre …');
    // The closed list would add the first genre at once.
    await genres.press('ArrowDown');
    for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    await expect.poll(() => queryOf(page)['genre']).toBe('201,101');
    expect(queryOf(page)['biggenre']).toBeUndefined();
  });

  it('pages forwards and backwards', async () => {
    const { page } = await open('/?order=ncodeasc');
    const first = await titlesOf(page);
    await page.locator('.pages [rel=next]').press('Enter');
    await page.waitForURL(/st=31/);
    await waitForStillness(page);
    expect(await titlesOf(page)).not.toEqual(first);
    await page.locator('.pages [rel=prev]').press('Enter');
    await waitForStillness(page);
    expect(await titlesOf(page)).toEqual(first);
  });
});

describe('a list', () => {
  it.each([
    ['hyoka', 'global_point'],
    ['reviewcnt', 'review_cnt'],
    ['yearlypoint', 'yearly_point'],
    ['lengthasc', 'length'],
  ])('by %s shows the value by which it is sorted', async (order, field) => {
    const { page } = await open(`/?order=${order}`, { language: 'en' });
    const served = await query<Record<string, number>[]>(`/v1/novels?order=${order}&lim=30`);
    const shown = await page.locator('.stat-first dd').allTextContents();
    expect(shown).toEqual(served.map((novel) => novel[field]!.toLocaleString('en-GB')));
  });

  it('shows each filter as a chip that one click removes', async () => {
    const { page } = await open('/?genre=201,301&notbl=1&word=%E9%AD%94', { language: 'en' });
    expect(await page.locator('.chips .chip bdi').allTextContents()).toEqual([
      '魔',
      'High fantasy',
      'Literary fiction',
      'not boys’ love',
    ]);
    await page.getByRole('link', { name: 'remove “High fantasy' }).click();
    await page.waitForURL(/genre=301/);
    expect(queryOf(page)).toEqual({ word: '魔', genre: '301', notbl: '1' });
    await page.goto(`/?word=${'x'.repeat(100)}`);
    await waitForStillness(page);
    expect(await findWithAxe(page, undefined, '.chips')).toEqual([]);
  });

  it('on a phone shows the number of novels beside the filters, one tap away from the novels', async () => {
    const { page } = await open('/', { language: 'en', width: 360 });
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.locator('.conditions label', { hasText: 'Complete' }).click();
    await page.waitForURL(/type=er/);
    await waitForStillness(page);
    const all = (await page.locator('.count b').textContent()) ?? '';
    const done = page.getByRole('button', { name: `Show ${all}` });
    expect(await done.isVisible()).toBe(true);
    await done.click();
    expect(await page.locator('.conditions').isVisible()).toBe(false);
    await expect.poll(() => focusedText(page)).toBe('Filters 1');
    await expect.poll(() => page.evaluate('scrollY')).toBe(0);
  });

  it('on a phone keeps an invalid range visible, and sends no search', async () => {
    const { page } = await open('/', { language: 'en', width: 360 });
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByLabel('Length in characters from').fill('10');
    const max = page.getByLabel('Length in characters to');
    await max.fill('5');
    // Nothing covers the other fields.
    expect(await findWithAxe(page, undefined, '.conditions')).toEqual([]);
    for (const act of [() => page.locator('.conditions-done').click(), () => page.keyboard.press('Enter')]) {
      await act();
      expect(await page.locator('.fault').isVisible()).toBe(true);
      expect(await page.locator('[aria-invalid=true]:focus').count()).toBe(1);
    }
    // They stay while the range is corrected, to its last digit.
    await max.fill('50');
    await page.locator('.fault').waitFor({ state: 'detached' });
    await page.keyboard.type('0');
    await page.keyboard.press('Enter');
    await expect.poll(() => queryOf(page)).toEqual({ length: '10-500' });
    expect(await max.isVisible()).toBe(false);
  });
});
