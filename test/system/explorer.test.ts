import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { daysUntil } from '../../packages/mokuroku/src/words/relative-days.ts';
import { NOTHING_STATED } from '../../packages/whois/src/record/registration-record.ts';
import { createFormat } from '../../packages/mokuroku/src/explorer/shell/format.ts';
import { attributes, findWithAxe, holdBack, queryOf, savedFile, waitForStillness } from './explorer-page.ts';
import type { WatchedPage } from './explorer-page.ts';
import { explore } from './explorer-service.ts';
import { startServe } from './running-service.ts';
import { freePort } from '../free-port.ts';

const explored = explore();
const { open, query } = explored;

const titles = (page: Page) => page.locator('.rows a.main').allTextContents();
const focused = (page: Page) => page.evaluate<string>('document.activeElement.textContent');

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
    const result = await titles(page);
    expect(result.length).toBeGreaterThan(2);
    await page.locator('.rows a.main').first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    expect(await focused(page)).toBe(result[1]);
    await page.keyboard.press('Enter');
    await page.locator('.novel h1').waitFor();
    await expect.poll(() => focused(page)).toBe(result[1]);
    expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');
    await page.goBack();
    await page.locator('.rows').waitFor();
    expect(queryOf(page)).toEqual({ word: '迷宮' });
    expect(await titles(page)).toEqual(result);
    expect(faults).toEqual([]);
  });

  it.each([360, 1440] as const)(
    'applies every filter and writes it into the URL, %i px wide',
    async (width) => {
      const { page, calls } = await open('/', { width, language: 'en' });
      if (width === 360) await page.getByRole('button', { name: 'Filters' }).click();
      await page.getByLabel('Genre', { exact: true }).selectOption('201');
      await page.getByText(/^Complete/).click();
      await page.getByRole('button', { name: '10–100k' }).click();
      await page.getByLabel('Order').selectOption('lengthdesc');
      await page.getByLabel('Exclude', { exact: true }).fill('追放');
      await page.getByLabel('Exclude', { exact: true }).press('Enter');
      await page.waitForURL(/notword/);
      await waitForStillness(page);
      const filters = { notword: '追放', genre: '201', type: 'er', length: '10000-100000' };
      expectFilters({ page, calls }, { ...filters, order: 'lengthdesc' });
      const shown = await titles(page);
      await page.reload();
      await waitForStillness(page);
      expect(await titles(page)).toEqual(shown);
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
    const composed = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 229 };
    await keyboard.send('Input.dispatchKeyEvent', { type: 'keyDown', ...composed });
    await keyboard.send('Input.dispatchKeyEvent', { type: 'keyUp', ...composed });
    await page.evaluate('document.querySelector("form.search").requestSubmit()');
    expect([new URL(page.url()).search, calls.length]).toEqual(['', before]);
    await keyboard.send('Input.insertText', { text: '魔法' });
    expect(await page.locator('input[name=word]').inputValue()).toBe('魔法');
    await page.keyboard.press('Enter');
    await page.waitForURL(/word=/);
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

  it('pages forwards and backwards', async () => {
    const { page } = await open('/?order=ncodeasc');
    const first = await titles(page);
    await page.locator('.pages [rel=next]').press('Enter');
    await page.waitForURL(/st=31/);
    await waitForStillness(page);
    expect(await titles(page)).not.toEqual(first);
    await page.locator('.pages [rel=prev]').press('Enter');
    await waitForStillness(page);
    expect(await titles(page)).toEqual(first);
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
    await expect.poll(() => focused(page)).toBe('Filters 1');
    await expect.poll(() => page.evaluate('scrollY')).toBe(0);
  });

  it('offers a comparison of novels side by side, with its own URL', async () => {
    const { page, faults } = await open('/', { language: 'en' });
    const result = await titles(page);
    for (const index of [0, 2]) await page.locator('.rows .compare-button').nth(index).click();
    expect(await page.locator('.tray-novels bdi').allTextContents()).toEqual([result[0], result[2]]);
    await page.getByRole('link', { name: 'Compare 2 novels' }).click();
    await page.locator('.compare').waitFor();
    await page.locator('.tray').waitFor({ state: 'detached' });
    await expect
      .poll(() => page.locator('.compare thead .main').allTextContents())
      .toEqual([result[0], result[2]]);
    await page.reload();
    await page.locator('.compare').waitFor();
    await page.getByRole('link', { name: 'remove' }).first().click();
    await expect.poll(() => page.locator('.compare thead .main').allTextContents()).toEqual([result[2]]);
    await page.goto(`${page.url()},N9999ZZ`);
    await page.getByText('Not found: N9999ZZ.').waitFor();
    expect(await page.locator('.compare thead .main').allTextContents()).toEqual([result[2]]);
    expect(faults).toEqual([]);
  });

  it.each([
    ['en', 'At most 5 novels can be compared at once. Not shown: '],
    ['ja', '一度に比べられるのは5作品までです。'],
  ] as const)('names the novels beyond the five that it compares (%s)', async (language, sentence) => {
    const found = await query<{ ncode: string }[]>('/v1/novels?of=n&lim=7');
    const ncodes = found.map(({ ncode }) => ncode);
    const { page } = await open(`/?compare=${ncodes.join(',')}`, { language });
    expect(await page.locator('.compare thead .main').count()).toBe(5);
    const note = page.locator('main .note', { hasText: sentence });
    expect(await note.textContent()).toContain(ncodes.slice(5).join(', '));
    await page.locator('.compare .take-out').first().click();
    await expect.poll(() => note.textContent()).not.toContain(ncodes[5]);
    expect(await page.locator('.compare thead .main').count()).toBe(5);
  });
});

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
    await page.goto('/?ranking=weekly');
    await waitForStillness(page);
    await page.getByRole('button', { name: 'From rank 201' }).click();
    const focusedRank = 'document.activeElement.closest(".place")?.id';
    await expect.poll(() => page.evaluate<string>(focusedRank)).toMatch(/^rank-20\d$/);
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

describe('works for adults', () => {
  it('are requested only after the age confirmation, and the confirmation is not stored', async () => {
    const { page, calls, context } = await open('/?r18=1&word=%E5%A4%9C', { language: 'en' });
    expect(calls).toEqual([]);
    await page.getByRole('button', { name: 'I am 18 or older: continue' }).press('Enter');
    await waitForStillness(page);
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatch(/^\/v1\/r18\/novels\?/);
    expect(
      await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])'),
    ).toBe('[{},{},""]');
    expect(await context.cookies()).toEqual([]);
    await page.getByRole('link', { name: 'Rankings' }).click();
    await page.locator('.board').waitFor();
    await page.goBack();
    await page.locator('.gate').waitFor();
    await page.reload();
    await page.locator('.gate').waitFor();
  });
});

describe('a service with ADULT=off', () => {
  const adultOff = explore({ RATE_LIMIT: '0', ADULT: 'off' });

  it('has no view of adult novels and no link to one', async () => {
    const { page, calls } = await adultOff.open('/?r18=1&word=%E5%A4%9C', { language: 'en' });
    expect(await page.locator('.gate, a[href*="r18"]').count()).toBe(0);
    expect(calls.filter((call) => call.startsWith('/v1/'))).toEqual([
      expect.stringMatching(/^\/v1\/novels\?/),
    ]);
  });
});

describe('a domain', () => {
  it('shows its fields, its statuses with explanations, the text and the queried servers', async () => {
    const { page, faults } = await open('/', { language: 'en' }, 'registration');
    await page.getByLabel('Domain name').fill('https://mokuroku-sample.com/path');
    await page.keyboard.press('Enter');
    await page.locator('article.registration').waitFor();
    const look = (await (await fetch(`${explored.services.registration}/mokuroku-sample.com`)).json()) as {
      raw: string;
      parsed: { registrar: string; nameServers: string[]; expirationDate: string };
      hops: { server: string }[];
    };
    const days = daysUntil(look.parsed.expirationDate, Date.now()) ?? Number.NaN;
    const facts = await page.locator('dl.registration-facts').textContent();
    expect(facts).toContain(look.parsed.registrar);
    expect(facts).toContain(createFormat('en').relativeDays(days));
    expect(await page.locator('.name-servers code').allTextContents()).toEqual(look.parsed.nameServers);
    expect(await page.locator('.hops code').allTextContents()).toEqual(look.hops.map(({ server }) => server));
    const text = (raw: string) => raw.replace(/\s+/g, ' ').trim();
    expect(text((await page.locator('.raw pre').textContent())!)).toBe(text(look.raw));
    const holdStatus = page.locator('.statuses > div', { hasText: 'serverHold' });
    expect(await holdStatus.locator('a').getAttribute('href')).toBe('https://icann.org/epp#serverHold');
    expect(await holdStatus.locator('dd').textContent()).toContain('does not resolve');
    expect(faults).toEqual([]);
  });

  it('in Unicode is looked up as typed and shown with its other spelling', async () => {
    const address = `/?domain=${encodeURIComponent('見本.jp')}`;
    const { page } = await open(address, { language: 'ja' }, 'registration');
    expect(await page.locator('.registration > header').textContent()).toMatch(/見本\.jp.*xn--8pvz87e\.jp/);
  });

  it('has a calendar of its expiry and its further details', async () => {
    const { page } = await open('/?domain=example.com', { language: 'en' }, 'registration');
    await page.getByText('Save or follow').click();
    const calendar = page.locator('.save-menu').getByRole('link', { name: 'Add to a calendar' });
    const address = (await calendar.getAttribute('href')) ?? '';
    expect(await (await fetch(address.replace('webcal:', 'http:'))).text()).toContain('BEGIN:VEVENT');
    const details = await page.locator('.details').textContent();
    expect(details).toMatch(/Registrar IANA ID9999/);
    expect(details).toMatch(/DNSSECnot signed/);
  });

  it('with others is pasted as lines, shown in a table and saved as CSV', async () => {
    const { page, calls, faults } = await open('/', { language: 'en' }, 'registration');
    await page.evaluate('navigator.clipboard.writeText("example.com\\nnobody-holds-this.com\\nexample.jp")');
    await page.getByLabel('Domain name').focus();
    await page.keyboard.press('Control+V');
    await page.keyboard.press('Enter');
    await page.getByText('3 of 3 done').waitFor();
    expect(queryOf(page)).toEqual({ names: 'example.com,nobody-holds-this.com,example.jp' });
    const states = await page.locator('.many tbody td:nth-of-type(1)').allTextContents();
    expect(states).toEqual(['Registered', 'Free to register', 'Registered']);
    const names = page.locator('.many tbody th a');
    await page.getByRole('button', { name: 'Expires' }).click();
    await expect.poll(async () => (await names.allTextContents()).at(-1)).toBe('nobody-holds-this.com');
    expect(queryOf(page)).toMatchObject({ order: 'soonest' });
    await page.getByRole('button', { name: 'Expires' }).click();
    await expect
      .poll(() => names.allTextContents())
      .toEqual(['example.com', 'nobody-holds-this.com', 'example.jp']);
    await page.getByText('Save or follow').click();
    const lines = (await savedFile(page, 'CSV')).text.split('\r\n');
    expect(lines.slice(0, 3).map((line) => line.split(',').slice(0, 2).join())).toEqual([
      '\ufeffdomain,state',
      'example.com,registered',
      'nobody-holds-this.com,not_registered',
    ]);
    await page.getByRole('link', { name: 'example.jp' }).click();
    await page.locator('article.registration').waitFor();
    expect(queryOf(page)).toEqual({ domain: 'example.jp' });
    await page.goBack();
    await page.getByText('3 of 3 done').waitFor();
    // "Not registered" is not cached; the other two and the single look-up are.
    expect(calls.map((call) => decodeURIComponent(call))).toEqual([
      '/-/look-ups?names=example.com,nobody-holds-this.com,example.jp',
      '/-/look-ups?names=nobody-holds-this.com',
    ]);
    expect(faults).toEqual([]);
  });

  it('that is typed stays when the registrar is selected', async () => {
    const { page, calls } = await open('/?domain=example.com', { language: 'en' }, 'registration');
    await page.getByLabel('Domain name').fill('example.org');
    await page.getByRole('checkbox').check();
    await page.keyboard.press('Tab');
    expect(await page.getByLabel('Domain name').inputValue()).toBe('example.org');
    await page.getByLabel('Domain name').press('Enter');
    await page.getByRole('heading', { name: 'example.org' }).waitFor();
    expect(calls).toEqual(['/example.com', '/example.org?follow=registrar']);
  });

  it('with too many others is not looked up, and none is lost', async () => {
    const { page, calls } = await open('/', { language: 'en' }, 'registration');
    const names = Array.from({ length: 101 }, (_, index) => `name-${index}.com`).join('\n');
    await page.getByLabel('Domain name').fill(names);
    await page.getByLabel('Domain name').press('Enter');
    await page.getByText('101 names, but at most 100 can be looked up at once.').waitFor();
    expect([await page.getByLabel('Domain name').inputValue(), calls]).toEqual([names, []]);
  });

  it('without a registration is shown as free, with the registry’s own text', async () => {
    const { page } = await open('/?domain=nobody-holds-this.com', { language: 'en' }, 'registration');
    await page.getByRole('heading', { name: 'nobody-holds-this.com is free to register' }).waitFor();
    expect(await page.locator('.raw pre').textContent()).toContain('No match');
    expect(await page.locator('.hops li').count()).toBeGreaterThan(0);
  });

  it('of a registry that throttles is not shown as free; the wait counts down', async () => {
    const { page } = await open('/?domain=any.busy', { language: 'en' }, 'registration');
    const notice = page.locator('[data-problem=registry_rate_limited]');
    expect(await notice.textContent()).toContain('not known yet');
    const left = async () => Number(/in (\d+) s/.exec((await notice.textContent()) ?? '')?.[1]);
    const first = await left();
    await expect.poll(left).toBeLessThan(first);
  });
});

describe('recent names', () => {
  it('are stored in this browser until they are cleared', async () => {
    const { page } = await open('/?domain=example.com', { language: 'en' }, 'registration');
    const stored = () => page.evaluate('localStorage.getItem("mokuroku-recent-domains")');
    await expect.poll(stored).toBe('["example.com"]');
    await page.goto('/?domain=example.org');
    await waitForStillness(page);
    await expect.poll(stored).toBe('["example.org","example.com"]');
    expect(await page.locator('.recent .chip').allTextContents()).toEqual(['example.com']);
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.reload();
    await waitForStillness(page);
    await expect.poll(stored).toBe('["example.org"]');
    expect(await page.locator('.recent').count()).toBe(0);
  });
});

describe('foreign text', () => {
  async function lookUpOf(change: Record<string, unknown>, registrar = 'Kamome') {
    const parsed = {
      ...NOTHING_STATED,
      domainName: 'a.com',
      registrar,
      nameServers: ['ns1.\u202egpj.exe.com'],
    };
    const answer = { domain: 'a.com', whoisServer: 'w', raw: 'r', protocol: 'whois', hops: [] };
    const body = { ...answer, parsed, state: 'registered' };
    const watched = await open(undefined, { language: 'en' }, 'registration');
    await watched.page.route('**/a.com', (route) => route.fulfill({ json: { ...body, ...change } }));
    await watched.page.goto('/?domain=a.com');
    await waitForStillness(watched.page);
    return watched;
  }
  it('shows bidirectional control characters as codes', async () => {
    const { page } = await lookUpOf({});
    expect(await page.locator('.name-servers code').textContent()).toBe('ns1.U+202Egpj.exe.com');
  });
  it('is truncated if it is too long, and shown completely after a click', async () => {
    const { page } = await lookUpOf({}, 'x'.repeat(250_000));
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThan(3_000);
    await page.getByRole('button', { name: 'show 249,880 more characters' }).click();
    expect((await page.locator('.registration-facts bdi').first().textContent())!.length).toBe(250_000);
  });
  it('in an unexpected form is reported', async () => {
    const { page } = await lookUpOf({ parsed: null });
    await page.locator('[data-problem=not_json]').waitFor();
    const catalogue = await open(undefined, { language: 'ja' });
    const json = { data: [{ title: { not: 'a text' } }], meta: {} };
    await catalogue.page.route('**/v1/novels?*', (route) => route.fulfill({ json }));
    await catalogue.page.goto('/');
    await catalogue.page.locator('[data-problem=not_json]').waitFor();
    await catalogue.page.unroute('**/v1/novels?*');
    await catalogue.page.locator('.places a').nth(1).click();
    await catalogue.page.locator('.board').waitFor();
  });
});

describe('both pages', () => {
  it('save what is shown: every form has its filters, and as many rows as the menu says', async () => {
    const { page } = await open('/?type=er&st=31', { language: 'en' });
    await page.getByText('Save or follow').click();
    const all = Number((await page.locator('.count').textContent())?.replace(/\D+/g, ''));
    const rowsOf = (text: string, separator: string) => text.split(separator).length - 2;
    for (const [kind, separator, rows] of [
      ['CSV', '\r\n', 500],
      ['Feed (Atom)', '</entry>', 30],
    ] as const) {
      const form = page.locator('.save-menu li', { hasText: kind });
      const href = (await form.getByRole('link').getAttribute('href')) ?? '';
      const text = await (await fetch(new URL(href, page.url()))).text();
      const number = createFormat('en').number;
      expect([href, rowsOf(text, separator) + Number(kind === 'Feed (Atom)')]).toEqual([href, rows]);
      expect(await form.locator('.fine').textContent()).toBe(`first ${number(rows)} of ${number(all)}`);
    }
    await page.locator('.count').click();
    expect(await page.locator('.save-menu').getAttribute('open')).toBeNull();
  });

  it('name the feed of a view for feed readers, and none for an error', async () => {
    const [first] = await query<{ ncode: string; userid: number }[]>('/v1/novels?of=n-u&lim=1');
    const { page } = await open('/', { language: 'en' });
    const feeds = [
      ['/', '/v1/novels?'],
      ['/?ranking=daily', '/v1/rankings/daily/hydrated?'],
      [`/?userid=${first!.userid}`, `/v1/novels?userid=${first!.userid}&`],
      [`/?ncode=${first!.ncode}`, `/v1/novels?ncode=${first!.ncode}&feed=episodes&`],
      ['/?order=best', null],
    ] as const;
    for (const [address, feed] of feeds) {
      const html = await (await fetch(explored.services.catalogue + address)).text();
      const served = /<link rel="alternate"[^>]* href="([^"]*)"/.exec(html)?.[1] ?? null;
      expect(served).toEqual(feed === null ? null : expect.stringContaining(feed.replaceAll('&', '&amp;')));
      await page.goto(address);
      await waitForStillness(page);
      const links = await page.locator('head link[rel=alternate]').all();
      const hrefs = await Promise.all(links.map((link) => link.getAttribute('href')));
      expect([address, hrefs]).toEqual([address, feed === null ? [] : [expect.stringContaining(feed)]]);
      for (const link of links) expect(await link.getAttribute('title')).toBe(await page.title());
    }
  });

  it('name in their title, and so in that of their feed, what they show', async () => {
    const { page } = await open('/?ranking=daily&genre=201&sort=rise', { language: 'en' });
    const titleOfFeed = () => page.locator('head link[rel=alternate]').getAttribute('title');
    const filtered = 'High fantasy – Risen most – Daily ranking – mokuroku';
    await expect.poll(titleOfFeed).toBe(filtered);
    await page.locator('.board-filter .chip', { hasText: 'Ongoing' }).click();
    await expect.poll(titleOfFeed).toBe(filtered.replace('Risen', 'ongoing – Risen'));
    await page.getByRole('button', { name: '日本語' }).click();
    await expect.poll(titleOfFeed).toBe('ハイファンタジー – 連載中 – 上昇順 – 日間ランキング – 目録');
    await page.goto('/?word=%E7%8C%AB&type=er&notbl=1&order=new');
    await expect
      .poll(titleOfFeed)
      .toBe('猫 – 完結済 – ボーイズラブを除く – 新着更新順 – 小説をさがす – 目録');
  });

  it('have the call of what they show in the menu, also of a denial and a reservation', async () => {
    const views = [
      ['registration', '/?domain=nobody-holds-this.com', '/nobody-holds-this.com'],
      ['registration', '/?domain=reserved-sample.org', '/reserved-sample.org'],
      ['registration', '/?domain=example.de', '/example.de'],
      ['catalogue', '/?ranking=weekly&flow=1', '/v1/rankings/weekly/hydrated'],
      ['catalogue', '/?word=qqqqqq', '/v1/novels'],
      ['catalogue', '/?shelf=1', null],
      ['registration', '/', null],
    ] as const;
    for (const [service, address, path] of views) {
      const { page } = await open(address, { language: 'en' }, service);
      const menu = page.locator('.save-menu');
      expect([address, await menu.count()]).toEqual([address, path === null ? 0 : 1]);
      if (path === null) continue;
      await menu.locator('summary').click();
      const json = (await menu.getByRole('link', { name: 'Open JSON' }).getAttribute('href')) ?? '';
      expect([address, new URL(json).pathname]).toEqual([address, path]);
      await menu.getByRole('button', { name: 'Copy as curl' }).click();
      expect(await page.evaluate('navigator.clipboard.readText()')).toContain(`curl --compressed '${json}'`);
    }
  });

  it('say what is wrong with a text in the words of the form', async () => {
    const { page } = await open('/?minlen=x', { language: 'ja' });
    await page.locator('.faults', { hasText: '文字数' }).waitFor();
    const { page: domain } = await open('/?domain=bad..name', { language: 'ja' }, 'registration');
    const fault = await domain.locator('.faults').textContent();
    expect(fault).toContain('ドメイン名');
    expect(fault).toContain('点が続いているか、点で始まっています。');
    await domain.goto('/?names=name.broken,example.com');
    await domain.getByText('レジストリの応答を読み取れません').waitFor();
  });

  it('change their language and theme at once, and remember both', async () => {
    const { page } = await open('/', { language: 'ja' });
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByRole('button', { name: 'Search' }).waitFor();
    await page.getByLabel('Appearance').selectOption('dark');
    const paper = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    await expect.poll(paper).not.toBe('rgb(250, 248, 243)');
    const dark = await paper();
    await page.reload();
    await waitForStillness(page);
    expect([await page.locator('html').getAttribute('lang'), await paper()]).toEqual(['en', dark]);
  });

  it('show the language that was selected last, even if the texts of another arrive later', async () => {
    const { page } = await open('/', { language: 'ja' });
    const deliver = await holdBack(page, /words-en/);
    const texts = page.waitForResponse(/words-en/);
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByRole('button', { name: '日本語' }).click();
    deliver();
    await (await texts).finished();
    // Now the module is loaded for the page, too.
    await page.evaluate(
      'import(performance.getEntriesByType("resource").find(({ name }) => /words-en/.test(name)).name)',
    );
    expect(await page.locator('html').getAttribute('lang')).toBe('ja');
  });

  it('link to each other on the sample, and have no such link if the address is unknown', async () => {
    for (const service of ['catalogue', 'registration'] as const) {
      const { page } = await open('/', { language: 'en' }, service);
      expect(await page.locator('.bottom-links a').allTextContents()).toEqual([
        'API documentation',
        'OpenAPI',
      ]);
    }
    const ports = { CATALOGUE_PORT: String(await freePort()), REGISTRATION_PORT: String(await freePort()) };
    const both = await startServe({ ...ports, RATE_LIMIT: '0', LOG_LEVEL: 'silent' });
    const { page } = await explored.visit(both.catalogue, { language: 'en' });
    try {
      await page.goto('/');
      await page.getByRole('link', { name: 'Domain registrations' }).click();
      await page.getByRole('heading', { name: 'Look up a domain registration' }).waitFor();
      await page.getByRole('link', { name: 'Web novels' }).click();
      await page.getByRole('heading', { name: 'Find a novel' }).waitFor({ state: 'attached' });
    } finally {
      await both.end('SIGINT');
    }
  });

  it('begin with a link that skips the navigation', async () => {
    const { page } = await open('/?ranking=daily', { language: 'en' });
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Skip to content');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main');
    expect(queryOf(page)).toEqual({ ranking: 'daily' });
  });
});
