import { describe, expect, it } from 'vitest';
import { createFormat } from '../../packages/mokuroku/src/explorer/shell/format.ts';
import { openSaveMenu, waitForStillness } from './explorer-page.ts';
import { explore } from './explorer-service.ts';

const explored = explore();
const { open, query } = explored;

describe('both pages', () => {
  it('save what is shown: every form has its filters, and as many rows as the menu says', async () => {
    const { page } = await open('/?type=er&st=31', { language: 'en' });
    await openSaveMenu(page);
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

  it('open the novel of a view, not its ranking history, when both are remembered too', async () => {
    const [first] = await query<{ ncode: string }[]>('/v1/novels?order=weeklypoint&of=n&lim=1');
    const { page } = await open(`/?ncode=${first!.ncode}`, { language: 'en' });
    await page.locator('.plot').waitFor();
    await page.locator('.brand').click();
    await page.locator('.rows').waitFor();
    await page.goBack();
    await page.locator('.plot').waitFor();
    await openSaveMenu(page);
    const json = page.locator('.save-menu').getByRole('link', { name: 'Open JSON' });
    expect(new URL((await json.getAttribute('href')) ?? '').pathname).toBe(`/v1/novels/${first!.ncode}`);
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
    await expect
      .poll(titleOfFeed)
      .toBe('ハイファンタジー – 連載中 – 順位の上昇が大きい順 – 日間ランキング – 目録');
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
      ['catalogue', '/?ranking=weekly', '/v1/rankings/weekly/hydrated'],
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
      const copied = () => page.evaluate('navigator.clipboard.readText()');
      expect(await copied()).toContain(`curl --compressed '${json}'`);
      // Over plain HTTP there is no clipboard interface.
      await page.evaluate(`navigator.clipboard.writeText('').then(() => {
        navigator.clipboard.writeText = undefined;
      })`);
      await menu.locator('button', { hasText: 'Copied' }).press('Enter');
      await expect.poll(copied).toContain(`curl --compressed '${json}'`);
      expect(await menu.getByRole('button', { name: 'Copied' }).isVisible()).toBe(true);
      expect(await page.evaluate('document.activeElement.closest(".save-menu") !== null')).toBe(true);
    }
  });
});
