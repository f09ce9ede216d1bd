import { describe, expect, it } from 'vitest';
import { freePort } from '../free-port.ts';
import { focusedText, holdBack, queryOf, waitForStillness } from './explorer-page.ts';
import { explore } from './explorer-service.ts';
import { startServe } from './running-service.ts';

const explored = explore();
const { open } = explored;

describe('both pages', () => {
  it('say what is wrong with a text in the words of the form', async () => {
    const { page } = await open('/?minlen=x', { language: 'ja' });
    const range = await page.locator('.faults', { hasText: '文字数' }).textContent();
    expect(range).toContain('数でも範囲でもありません。使える値: 数（n）か範囲（a-b、a-、-b）、数字で。');
    // The remedy alone would be what was given.
    await page.goto('/?time=5-6&length=5-6');
    await page.locator('.faults', { hasText: 'length とは併用できません' }).waitFor();
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
    expect(await focusedText(page)).toBe('Skip to content');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main');
    expect(queryOf(page)).toEqual({ ranking: 'daily' });
  });
});
