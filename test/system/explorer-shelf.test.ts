import path from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { publishChanges } from '../../packages/local-catalogue/test/index-under-test.ts';
import { systemClock } from '@mokuroku/kit/process';
import { japanDateTime } from '@mokuroku/narou';
import { createEmbeddedCatalogue } from '@mokuroku/narou/sample';
import { fillLocalFolder } from '../../packages/mokuroku/test/catalogue/local-folder.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { findWithAxe, layoutShift, ofThePage, readCalendar } from './explorer-page.ts';
import { savedFile, starsOf, waitForStillness } from './explorer-page.ts';
import { explore } from './explorer-service.ts';

const explored = explore();

const open = (service: 'catalogue' | 'registration') => explored.open(undefined, { language: 'en' }, service);

async function go(page: Page, address: string) {
  await page.goto(address);
  await waitForStillness(page);
}
const labelsOf = (page: Page) => page.locator('.shelf-rows').last().locator('a.main').allTextContents();
/** The last seen figure of each followed item differs from the current one. */
const AGE = `{
  const shelf = JSON.parse(localStorage.getItem('mokuroku-shelf'));
  for (const one of shelf.followed)
    for (const name of Object.keys(one.seen ?? {}))
      one.seen[name] = typeof one.seen[name] === 'number' ? one.seen[name] + 1 : 'other';
  localStorage.setItem('mokuroku-shelf', JSON.stringify(shelf));
}`;

it('novels and authors are followed from any list, and their changes are shown until confirmed', async () => {
  const { page, context, calls, faults } = await open('catalogue');
  await go(page, '/');
  await starsOf(page).first().click();
  const title = await page.locator('.rows a.main').first().textContent();
  await go(page, '/?authors=');
  await starsOf(page).first().click();
  const writer = await page.locator('.authors a.main').first().textContent();
  const before = calls.length;
  await go(page, '/?shelf=1');
  await page.getByText('No changes.').waitFor();
  await waitForStillness(page);
  expect(calls.slice(before)).toHaveLength(4);
  expect(await layoutShift(page)).toBeLessThan(0.02);
  expect(await labelsOf(page)).toEqual([title, writer]);
  expect(await findWithAxe(page)).toEqual([]);
  // What the menu saves: both halves of the shelf, by the words that it has for them.
  const forms = await page.locator('.save-menu li', { has: page.locator('.fine') }).all();
  const texts = await Promise.all(forms.map(async (form) => (await form.textContent())?.trim()));
  const hrefs = await Promise.all(forms.map((form) => form.locator('a').getAttribute('href')));
  expect(texts).toEqual([
    'CSV changes in two weeks',
    'Feed (Atom) changes in two weeks',
    'JSON lines changes in two weeks',
    expect.stringMatching(/^CSV works of authors · all \d+$/),
    expect.stringMatching(/^Feed \(Atom\) works of authors · all \d+$/),
  ]);
  const addresses = hrefs.map((href) => new URL(href ?? '', page.url()));
  const paths = [...Array<string>(3).fill('/v1/changes'), '/v1/novels', '/v1/novels'];
  expect(addresses.map(({ pathname }) => pathname)).toEqual(paths);
  for (const address of addresses) expect((await fetch(address)).status).toBe(200);
  await page.evaluate(AGE);
  await go(page, '/?shelf=1');
  await expect.poll(() => page.locator('.moves').count()).toBe(2);
  expect(await page.locator('.moves').first().textContent()).toMatch(/episodes: \d+ → \d+/);
  await page.getByRole('button', { name: 'Mark as seen' }).click();
  await page.getByText('No changes.').waitFor();
  await go(page, '/');
  expect(await starsOf(page).first().getAttribute('aria-pressed')).toBe('true');

  // Without a network the last seen data are shown.
  await page.route('**/v1/**', (route) => route.abort('internetdisconnected'));
  await context.setOffline(true);
  await page.locator('.places a', { hasText: 'Shelf' }).click();
  await expect.poll(() => labelsOf(page)).toEqual([title, writer]);
  await page.getByText(/Latest data unavailable \(Service unreachable\)/).waitFor();
  // What did not load is not called unchanged.
  expect(await page.getByText('No changes.').count()).toBe(0);
  expect(ofThePage(faults)).toEqual([]);
});

it('the shelf is exported as JSON for another browser', async () => {
  const { page } = await open('catalogue');
  await go(page, '/');
  await starsOf(page).first().click();
  await starsOf(page).nth(1).click();
  await go(page, '/?authors=');
  await starsOf(page).first().click();
  await go(page, '/?shelf=1');
  const { text } = await savedFile(page, 'Save as JSON');
  const other = await open('catalogue');
  await go(other.page, '/?shelf=1');
  await other.page.getByText('Nothing here yet').waitFor();
  const file = { name: 'shelf.json', mimeType: 'application/json', buffer: Buffer.from(text) };
  await other.page.locator('input[type=file]').setInputFiles(file);
  await other.page.getByText('3 added.').waitFor();
  const followed = await labelsOf(page);
  expect(followed).toHaveLength(3);
  await expect.poll(() => labelsOf(other.page)).toEqual(followed);
});

it('followed novels are marked in a comparison', async () => {
  const { page } = await open('catalogue');
  const board = '/v1/rankings/weekly?date=2026-03-09&lim=2';
  const [first, second] = await explored.query<{ ncode: string }[]>(board);
  await go(page, `/?compare=${first!.ncode},${second!.ncode}`);
  const pressed = () =>
    page.locator('.compare .follow-button[aria-pressed=true]').evaluateAll((all) => all.length);
  expect(await pressed()).toBe(0);
  await page.locator('.compare .follow-button').nth(1).click();
  await expect.poll(pressed).toBe(1);
});

it('the shelf is shared by two tabs', async () => {
  const { page, context } = await open('catalogue');
  await go(page, '/');
  const other = await context.newPage();
  await go(other, '/');
  await starsOf(other).first().click();
  await expect.poll(() => starsOf(page).first().getAttribute('aria-pressed')).toBe('true');
});

it('five domains are in one calendar after three clicks, those known before too', async () => {
  const { page } = await open('registration');
  const names = ['example.com', 'example.org', 'example.jp', 'example.de', 'mokuroku-sample.com'];
  await go(page, '/?domain=example.com');
  await page.locator('textarea').fill(names.join(' '));
  await page.locator('button[type=submit]').click();
  await page.getByText('5 of 5 done').waitFor();
  const text = await readCalendar(page, 'calendar');
  for (const name of names) expect(text).toContain(name);
});

it('domains on the shelf are looked up in one request and exported as one calendar', async () => {
  const { page, calls } = await open('registration');
  for (const name of ['example.com', 'nobody-holds-this.com', 'example.de']) {
    await go(page, `/?domain=${name}`);
    await starsOf(page).first().click();
  }
  const before = calls.length;
  await go(page, '/');
  await page.getByText('No changes.').waitFor();
  await waitForStillness(page);
  expect(calls.slice(before)).toEqual(['/-/look-ups?names=example.com%2Cnobody-holds-this.com%2Cexample.de']);
  await page.evaluate(AGE);
  await go(page, '/');
  expect(await page.locator('.moves').first().textContent()).toMatch(/Registrar: other → /);
  const unpublished = 'not published by this registry';
  expect(await page.locator('.moves').last().textContent()).toContain(`Registrar: other → ${unpublished}`);
  expect(await page.locator('.shelf-rows').last().textContent()).toContain(`Expires ${unpublished}`);
  expect((await readCalendar(page)).match(/BEGIN:VEVENT/g)).toHaveLength(2);
  expect(await findWithAxe(page)).toEqual([]);
  // One that is removed costs no look-up of the others.
  const loaded = calls.length;
  await starsOf(page).last().click();
  await expect.poll(async () => (await labelsOf(page)).length).toBe(2);
  await waitForStillness(page);
  expect(calls.slice(loaded)).toEqual([]);
});

const sample = createEmbeddedCatalogue({ clock: systemClock });
const [first, second, third, fourth] = sample
  .novels()
  .filter(({ end, noveltype, isstop }) => noveltype === 1 && end === 1 && isstop === 0);

it('the shelf on a local catalogue requests only changes: episodes, titles, hiatus, withdrawals', async () => {
  const dir = temporaryFolder();
  const now = Date.now();
  const fetchedAt = Math.floor(now / 1_000) - 3_600;
  await fillLocalFolder(dir, sample, { fetchedAt, now, adult: false });
  const service = await explored.serve({ CATALOGUE_SOURCE: 'local', CATALOGUE_DIR: dir });
  const { page, calls, faults } = await explored.visit(service, { language: 'en' });
  /** The requests of the shelf until the page shows `shown`, which needs the last response. */
  const open = async (shown: string) => {
    const before = calls.length;
    const answered = page.waitForResponse(/\/v1\/rankings/);
    await page.goto('/?shelf=1');
    await answered;
    await page.locator('.results[aria-busy=false]').getByText(shown).first().waitFor();
    return calls.slice(before).map((call) => call.replace(/since=[\w-]+/, 'since=CURSOR'));
  };
  const moves = () => page.locator('.moves > li').allTextContents();
  const shown = (count: number) => count.toLocaleString('en');

  const followed = [first!, second!, third!, fourth!];
  for (const { ncode } of followed) {
    await go(page, `/?ncode=${ncode}`);
    await starsOf(page).first().click();
  }
  const ncodes = followed.map(({ ncode }) => ncode).join('%2C');
  const initial = await open('No changes.');
  expect(initial.toSorted()).toEqual([
    `/v1/changes?ncode=${ncodes}&lim=500`,
    expect.stringMatching(/^\/v1\/novels\?ncode=/),
    '/v1/rankings/daily',
  ]);

  // Without changes: two requests, none of them for a record.
  const changes = `/v1/changes?ncode=${ncodes}&lim=500&since=CURSOR`;
  expect((await open('No changes.')).toSorted()).toEqual([changes, '/v1/rankings/daily']);

  const grown = { general_all_no: first!.general_all_no + 2, general_lastup: japanDateTime(now) };
  const put = [
    { ...first!, ...grown, title: '改めた題名', fetched_at: fetchedAt },
    { ...second!, isstop: 1 as const, fetched_at: fetchedAt },
  ];
  await publishChanges(path.join(dir, 'novels'), { put, remove: [third!.ncode] }, { now: now / 1_000 });
  // The page's own question: both caches keep its last answer for two seconds.
  const asked = calls.findLast((call) => call.startsWith('/v1/changes')) ?? '';
  const read = async () => JSON.stringify(await (await fetch(`${service}${asked}`)).json());
  await expect.poll(read, { timeout: 15_000 }).toContain('"kind":"withdrawn"');

  const calledNow = await open('renamed, formerly');
  expect(calledNow.slice(0, 2).toSorted()).toEqual([changes, '/v1/rankings/daily']);
  // Requests only the records of changed novels.
  expect(calledNow.slice(2)).toEqual([expect.stringMatching(/^\/v1\/novels\?ncode=[^&]{27}&lim=3&/)]);
  expect(await moves()).toEqual(
    expect.arrayContaining([
      `episodes: ${shown(first!.general_all_no)} → ${shown(first!.general_all_no + 2)}`,
      `renamed, formerly “${first!.title}”`,
      'ongoing → on long hiatus',
      'ongoing → withdrawn',
    ]),
  );
  // A cursor of another catalogue restarts from the beginning and loses nothing.
  await page.evaluate(`{
    const shelf = JSON.parse(localStorage.getItem('mokuroku-shelf'));
    localStorage.setItem('mokuroku-shelf', JSON.stringify({ ...shelf, cursor: '00000000-1-1' }));
  }`);
  expect(await open('renamed, formerly')).toHaveLength(4);
  expect(await moves()).toContain('ongoing → withdrawn');
  expect(ofThePage(faults)).toEqual([]);
}, 120_000);

it('a name that another tab removes and follows again has its data, without a look-up', async () => {
  const { page, context, calls } = await open('registration');
  for (const name of ['example.com', 'example.de']) {
    await go(page, `/?domain=${name}`);
    await starsOf(page).first().click();
  }
  await go(page, '/');
  await page.getByText('No changes.').waitFor();
  const before = calls.length;
  const other = await context.newPage();
  await go(other, '/?domain=example.com');
  await starsOf(other).first().click();
  await expect.poll(() => labelsOf(page)).toEqual(['example.de']);
  await starsOf(other).first().click();
  await expect.poll(() => labelsOf(page)).toEqual(['example.de', 'example.com']);
  await expect.poll(() => page.locator('.facts').last().textContent()).toContain('Registered');
  expect(calls.slice(before)).toEqual([]);
});

it('a full shelf says so where an item is not added', async () => {
  const { page, context } = await open('registration');
  const item = (_: unknown, index: number) => ({ kind: 'domain', id: `name-${index}.com`, label: 'A name' });
  const shelf = JSON.stringify({ followed: Array.from({ length: 98 }, item) });
  await context.addInitScript(`localStorage.setItem('mokuroku-shelf', ${JSON.stringify(shelf)})`);
  await go(page, '/?names=example.com,example.jp,example.org,example.de');
  await page.getByRole('button', { name: 'Follow all' }).click();
  expect(await page.locator('.many [aria-pressed=true]').count()).toBe(2);
  await page.getByRole('button', { name: 'Follow example.de' }).click();
  await expect.poll(() => page.getByRole('button', { name: 'The shelf is full.' }).count()).toBe(2);

  // A file may have more than fit.
  const more = JSON.stringify({ followed: [{ ...item(0, 200) }, ...Array.from({ length: 98 }, item)] });
  await go(page, '/');
  const file = { name: 'shelf.json', mimeType: 'application/json', buffer: Buffer.from(more) };
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByText('1 added.').waitFor();
  await page
    .locator('input[type=file]')
    .setInputFiles({ ...file, buffer: Buffer.from(more.replace('200', '201')) });
  await page.getByText('1 added. The shelf is full.').waitFor();
});

it('an address without a user id has no star, and followed before it spoils no other item', async () => {
  const { page } = await open('catalogue');
  await go(page, '/?userid=abc');
  await page.getByText('one user id (digits)').waitFor();
  expect(await starsOf(page).count()).toBe(0);
  const [novel] =
    await explored.query<{ ncode: string; userid: number; title: string }[]>('/v1/novels?lim=1');
  const authors = ['abc', String(novel!.userid)].map((id) => ({ kind: 'author', id, label: id }));
  const followed = [...authors, { kind: 'novel', id: novel!.ncode, label: 'a novel' }];
  await page.evaluate(`localStorage.setItem('mokuroku-shelf', '${JSON.stringify({ followed })}')`);
  await go(page, '/?shelf=1');
  await page.getByText('No changes.').waitFor();
  expect(await labelsOf(page)).toEqual([novel!.title, 'abc', expect.not.stringMatching(/^\d/)]);
});
