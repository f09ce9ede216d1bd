import { describe, expect, it } from 'vitest';
import { createFormat } from '../../packages/mokuroku/src/explorer/shell/format.ts';
import { daysLeft } from '../../packages/whois/src/record/ending.ts';
import { NOTHING_STATED } from '../../packages/whois/src/record/registration-record.ts';
import {
  openSaveMenu,
  queryOf,
  readCalendar,
  savedFile,
  sidewaysScroll,
  starsOf,
  waitForStillness,
} from './explorer-page.ts';
import { explore } from './explorer-service.ts';

const explored = explore();
const { open } = explored;

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
    const days = daysLeft(look.parsed.expirationDate, Date.now()) ?? Number.NaN;
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

  it('ends as the service says, whatever the clock of the reader says', async () => {
    const { page } = await open('/?domain=example.com', { language: 'en' }, 'registration');
    const texts = async () => {
      const one = await page.locator('.registration-facts').textContent();
      await page.goto('/?names=example.com,example.jp');
      await page.locator('td .dated').nth(1).waitFor();
      return [one, await page.locator('td .dated').allTextContents()];
    };
    const expected = await texts();
    await page.clock.setFixedTime(Date.now() + 9 * 365 * 24 * 60 * 60 * 1_000);
    await page.goto('/?domain=example.com');
    expect(await texts()).toEqual(expected);
  });

  it('in Unicode is looked up as typed and shown with its other spelling', async () => {
    const address = `/?domain=${encodeURIComponent('見本.jp')}`;
    const { page } = await open(address, { language: 'ja' }, 'registration');
    expect(await page.locator('.registration > header').textContent()).toMatch(/見本\.jp.*xn--8pvz87e\.jp/);
  });

  it('has a calendar of its expiry and its further details', async () => {
    const { page } = await open('/?domain=example.com', { language: 'en' }, 'registration');
    expect(await readCalendar(page)).toContain('BEGIN:VEVENT');
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
    const states = await page.locator('.many .state').allTextContents();
    expect(states).toEqual(['Registered', 'Not registered', 'Registered']);
    const names = page.locator('.many tbody th a');
    await page.getByRole('button', { name: 'Expires' }).click();
    await expect.poll(async () => (await names.allTextContents()).at(-1)).toBe('nobody-holds-this.com');
    expect(queryOf(page)).toMatchObject({ order: 'soonest' });
    await page.getByRole('button', { name: 'Expires' }).click();
    await expect
      .poll(() => names.allTextContents())
      .toEqual(['example.com', 'nobody-holds-this.com', 'example.jp']);
    // On paper it heads its column.
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('button', { name: 'Expires' }).isVisible()).toBe(true);
    await page.emulateMedia({ media: 'screen' });
    await openSaveMenu(page);
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
    // The table and each of its names are remembered, "not registered" too: all count against the reader's limit.
    await page.getByRole('link', { name: 'nobody-holds-this.com' }).click();
    await page.getByRole('heading', { name: 'nobody-holds-this.com is not registered' }).waitFor();
    expect(calls.map((call) => decodeURIComponent(call))).toEqual([
      '/-/look-ups?names=example.com,nobody-holds-this.com,example.jp',
    ]);
    expect(faults).toEqual([]);
  });

  it('of a long list leads back to its row, although it is then among the recent names too', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `name-${index}.com`);
    const { page } = await open(`/?names=${names.join()}`, { language: 'en' }, 'registration');
    const row = page.getByRole('row').getByRole('link', { name: 'name-50.com' });
    await row.scrollIntoViewIfNeeded();
    const before = (await row.boundingBox())!.y;
    await row.click();
    await page.getByText('name-50.com is not registered').waitFor();
    await page.goBack();
    await page.getByText('60 of 60 done').waitFor();
    await page.locator('.recent').waitFor();
    await expect.poll(async () => Math.abs((await row.boundingBox())!.y - before)).toBeLessThan(5);
  });

  it('of the longest label fits a small phone beside others', async () => {
    const address = `/?names=example.com,${'a'.repeat(63)}.com`;
    const { page } = await open(address, { language: 'en', width: 320 }, 'registration');
    expect(await sidewaysScroll(page)).toBe(0);
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

  it('that is typed while the view of another is being rendered stays', async () => {
    const { page } = await open('/', { language: 'en' }, 'registration');
    await page.evaluate(`(async () => {
      const field = document.querySelector('textarea');
      const type = (text) => {
        field.value = text;
        field.dispatchEvent(new InputEvent('input', { bubbles: true }));
      };
      type('example.com');
      await Promise.resolve();
      field.form.requestSubmit();
      while (location.search === '') await Promise.resolve();
      await Promise.resolve();
      type('example.org');
    })()`);
    await page.getByRole('heading', { name: 'example.com' }).waitFor();
    expect(await page.getByLabel('Domain name').inputValue()).toBe('example.org');
  });

  it('with too many others is not looked up, and none is lost', async () => {
    const { page, calls } = await open('/', { language: 'en' }, 'registration');
    const names = Array.from({ length: 101 }, (_, index) => `name-${index}.com`).join('\n');
    await page.getByLabel('Domain name').fill(names);
    await page.getByLabel('Domain name').press('Enter');
    await page.getByText('101 names, but at most 100 can be looked up at once.').waitFor();
    expect([await page.getByLabel('Domain name').inputValue(), calls]).toEqual([names, []]);
    // A link to them shows the first hundred, and says so.
    await page.goto(`/?names=${names.replaceAll('\n', ',')}`);
    await page.getByText('100 of 100 done').waitFor();
    await page.getByText('101 names, but at most 100 can be looked up at once.').waitFor();
    expect(await page.getByLabel('Domain name').inputValue()).toBe(names);
  });

  it('without a registration is shown as not registered, with the registry’s own text', async () => {
    const { page } = await open('/?domain=nobody-holds-this.com', { language: 'en' }, 'registration');
    await page.getByRole('heading', { name: 'nobody-holds-this.com is not registered' }).waitFor();
    expect(await page.locator('.raw pre').textContent()).toContain('No match');
    expect(await page.locator('.hops li').count()).toBeGreaterThan(0);
    // Not the host of a pasted address, which nobody registers.
    await page.goto(`/?domain=https://www.${encodeURIComponent('例え.jp')}/`);
    await page.getByRole('heading', { name: '例え.jp is not registered', exact: true }).waitFor();
  });

  it('of a registry that throttles is not shown as not registered; the wait counts down', async () => {
    const { page } = await open('/?domain=any.busy', { language: 'en' }, 'registration');
    const notice = page.locator('[data-problem=registry_rate_limited]');
    expect(await notice.textContent()).toContain('not known yet');
    const left = async () => Number(/in (\d+) s/.exec((await notice.textContent()) ?? '')?.[1]);
    const first = await left();
    await expect.poll(left).toBeLessThan(first);
    expect(await starsOf(page).count()).toBe(1);
  });
});

describe('recent names', () => {
  it('are stored in this browser, ten at most, each once, until they are cleared', async () => {
    const { page } = await open('/?domain=example.com', { language: 'en' }, 'registration');
    const stored = () => page.evaluate('localStorage.getItem("mokuroku-recent")');
    await expect.poll(stored).toBe('example.com');
    const others = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => `example.com.${number}.jp`);
    await page.evaluate(
      `localStorage.setItem("mokuroku-recent", "${['example.com', ...others, 'last.jp'].join(' ')}")`,
    );
    await page.goto('/?domain=example.org');
    await waitForStillness(page);
    await expect.poll(stored).toBe(['example.org', 'example.com', ...others].join(' '));
    expect(await page.locator('.recent .chip').allTextContents()).toEqual(['example.com', ...others]);
    await page.goto('/?domain=example.com');
    await waitForStillness(page);
    await expect.poll(stored).toBe(['example.com', 'example.org', ...others].join(' '));
    // Another tab has looked up one more.
    await page.evaluate('localStorage.setItem("mokuroku-recent", "example.jp")');
    await page.getByLabel('Domain name').fill('example.org');
    await page.getByLabel('Domain name').press('Enter');
    await expect.poll(stored).toBe('example.org example.jp');
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.reload();
    await waitForStillness(page);
    await expect.poll(stored).toBe('example.org');
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
  it('is truncated between characters if it is too long, and shown completely after a click', async () => {
    // Within the emoji are the 120 units of the first text.
    const registrar = `${'x'.repeat(119)}🐈${'x'.repeat(249_879)}`;
    const { page } = await lookUpOf({}, registrar);
    const shown = page.locator('.registration-facts bdi').first();
    expect(await shown.textContent()).toBe('x'.repeat(119));
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThan(3_000);
    await page.getByRole('button', { name: 'show 249,880 more characters' }).click();
    expect(await shown.textContent()).toBe(registrar);
  });
  it('shows its control characters as codes on the shelf, too', async () => {
    const { page } = await open(undefined, { language: 'en' }, 'registration');
    const [seen, latest] = ['Kamome', 'K\u202eemoma'].map((registrar) => ({
      state: 'registered',
      registrar,
    }));
    const item = { kind: 'domain', id: 'a.com', label: 'a.com', seen, latest };
    const shelf = JSON.stringify(JSON.stringify({ followed: [item] }));
    await page.addInitScript(`localStorage.setItem('mokuroku-shelf', ${shelf})`);
    await page.route('**/-/look-ups?*', (route) => route.abort());
    await page.goto('/');
    await page.locator('.moves').waitFor();
    expect(await page.locator('.moves').textContent()).toBe('Registrar: Kamome → KU+202Eemoma');
    expect(await page.locator('.facts').textContent()).toBe('RegisteredKU+202Eemoma');
  });
  it('shows those of a link that a fault repeats as codes', async () => {
    const { page } = await open(undefined, { language: 'en' }, 'registration');
    await page.goto(`/?domain=${encodeURIComponent('a\u202eb.com/c')}`);
    await page.locator('.faults').waitFor();
    expect(await page.locator('.faults').textContent()).toContain('aU+202Eb.com');
  });
  it('in an unexpected form is reported', async () => {
    const { page } = await lookUpOf({ parsed: null });
    await page.locator('[data-problem=not_json]').waitFor();
  });
});
