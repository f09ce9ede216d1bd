import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { findWithAxe, layoutShift, ofThePage, savedFile, waitForStillness } from './explorer-page.ts';
import { explore } from './explorer-service.ts';

const explored = explore();

const open = (service: 'catalogue' | 'registration') => explored.open(undefined, { language: 'en' }, service);

async function go(page: Page, address: string) {
  await page.goto(address);
  await waitForStillness(page);
}
const stars = (page: Page) => page.locator('.follow-button');
const titlesOf = (page: Page) => page.locator('.shelf-rows').last().locator('a.main').allTextContents();
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
  await stars(page).first().click();
  const title = await page.locator('.rows a.main').first().textContent();
  await go(page, '/?authors=');
  await stars(page).first().click();
  const writer = await page.locator('.authors a.main').first().textContent();
  const before = calls.length;
  await go(page, '/?shelf=1');
  await page.getByText('No changes.').waitFor();
  await waitForStillness(page);
  expect(calls.slice(before)).toHaveLength(4);
  expect(await layoutShift(page)).toBeLessThan(0.02);
  expect(await titlesOf(page)).toEqual([title, writer]);
  expect(await findWithAxe(page)).toEqual([]);
  // What the menu saves: both halves of the shelf, by the words that it has for them.
  const forms = await page.locator('.save-menu li', { has: page.locator('.fine') }).all();
  const texts = await Promise.all(forms.map(async (form) => (await form.textContent())?.trim()));
  const hrefs = await Promise.all(forms.map((form) => form.locator('a').getAttribute('href')));
  expect(texts).toEqual([
    'CSV changes in two weeks',
    'Feed (Atom) changes in two weeks',
    expect.stringMatching(/^CSV works of authors · all \d+$/),
    expect.stringMatching(/^Feed \(Atom\) works of authors · all \d+$/),
  ]);
  const addresses = hrefs.map((href) => new URL(href ?? '', page.url()));
  const paths = ['/v1/changes', '/v1/changes', '/v1/novels', '/v1/novels'];
  expect(addresses.map(({ pathname }) => pathname)).toEqual(paths);
  for (const address of addresses) expect((await fetch(address)).status).toBe(200);
  await page.evaluate(AGE);
  await go(page, '/?shelf=1');
  await expect.poll(() => page.locator('.moves').count()).toBe(2);
  expect(await page.locator('.moves').first().textContent()).toMatch(/episodes: \d+ → \d+/);
  await page.getByRole('button', { name: 'Mark as seen' }).click();
  await page.getByText('No changes.').waitFor();
  await go(page, '/');
  expect(await stars(page).first().getAttribute('aria-pressed')).toBe('true');

  // Without a network the last seen data are shown.
  await page.route('**/v1/**', (route) => route.abort('internetdisconnected'));
  await context.setOffline(true);
  await page.locator('.places a', { hasText: 'Shelf' }).click();
  await expect.poll(() => titlesOf(page)).toEqual([title, writer]);
  await page.getByText(/Latest data unavailable \(Service unreachable\)/).waitFor();
  expect(ofThePage(faults)).toEqual([]);
});

it('the shelf is exported as JSON for another browser', async () => {
  const { page } = await open('catalogue');
  await go(page, '/');
  await stars(page).first().click();
  await stars(page).nth(1).click();
  await go(page, '/?authors=');
  await stars(page).first().click();
  await go(page, '/?shelf=1');
  const { text } = await savedFile(page, 'Save as JSON');
  const other = await open('catalogue');
  await go(other.page, '/?shelf=1');
  await other.page.getByText('Nothing here yet').waitFor();
  const file = { name: 'shelf.json', mimeType: 'application/json', buffer: Buffer.from(text) };
  await other.page.locator('input[type=file]').setInputFiles(file);
  await other.page.getByText('3 added.').waitFor();
  const followed = await titlesOf(page);
  expect(followed).toHaveLength(3);
  await expect.poll(() => titlesOf(other.page)).toEqual(followed);
});

it('followed novels are marked in a comparison and in a flow', async () => {
  const { page } = await open('catalogue');
  const board = '/v1/rankings/weekly?date=2026-03-09&lim=2';
  const [first, second] = await explored.query<{ ncode: string }[]>(board);
  await go(page, `/?compare=${first!.ncode},${second!.ncode}`);
  const pressed = () =>
    page.locator('.compare .follow-button[aria-pressed=true]').evaluateAll((all) => all.length);
  expect(await pressed()).toBe(0);
  await page.locator('.compare .follow-button').nth(1).click();
  await expect.poll(pressed).toBe(1);
  await go(page, '/?ranking=weekly&date=2026-03-09&flow=1');
  const marked = page.locator('.flow-names:not(.flow-names-start) li', {
    has: page.locator('.follow-mark'),
  });
  await expect.poll(() => marked.locator('b').allTextContents()).toEqual(['2']);
  await go(page, `/?compare=${first!.ncode},${second!.ncode}`);
  expect(await pressed()).toBe(1);
});

it('the shelf is shared by two tabs', async () => {
  const { page, context } = await open('catalogue');
  await go(page, '/');
  const other = await context.newPage();
  await go(other, '/');
  await stars(other).first().click();
  await expect.poll(() => stars(page).first().getAttribute('aria-pressed')).toBe('true');
});

it('five domains are in one calendar after three clicks, those known before too', async () => {
  const { page } = await open('registration');
  const names = ['example.com', 'example.org', 'example.jp', 'example.de', 'mokuroku-sample.com'];
  await go(page, '/?domain=example.com');
  await page.locator('textarea').fill(names.join(' '));
  await page.locator('button[type=submit]').click();
  await page.getByText('5 of 5 done').waitFor();
  await page.getByText('Save or follow').click();
  const calendar = await page.getByRole('link', { name: 'calendar' }).getAttribute('href');
  const text = await (await fetch(calendar!.replace('webcal:', 'http:'))).text();
  for (const name of names) expect(text).toContain(name);
});

it('domains on the shelf are looked up in one request and exported as one calendar', async () => {
  const { page, calls } = await open('registration');
  for (const name of ['example.com', 'nobody-holds-this.com', 'example.de']) {
    await go(page, `/?domain=${name}`);
    await stars(page).first().click();
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
  await page.getByText('Save or follow').click();
  const calendar = await page.getByRole('link', { name: 'Add to a calendar' }).getAttribute('href');
  const response = await fetch(calendar!.replace('webcal:', 'http:'));
  expect((await response.text()).match(/BEGIN:VEVENT/g)).toHaveLength(2);
  expect(await findWithAxe(page)).toEqual([]);
});
