import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { findWithAxe, focusedText, waitForStillness } from './explorer-page.ts';
import { explore } from './explorer-service.ts';

// The reference at /docs in a browser. (axe, widths and layout shift: explorer-views.test.ts.)

const explored = explore();
const open = (path: string, service: 'catalogue' | 'registration' = 'catalogue') =>
  explored.open(path, { language: 'en' }, service);

describe('the reference', () => {
  it.each(['catalogue', 'registration'] as const)('of the %s transfers less than 100 kB', async (service) => {
    const { page } = await explored.open(undefined, { width: 360 }, service);
    const sizes: Promise<number>[] = [];
    page.on('response', (response) => {
      sizes.push(
        response
          .request()
          .sizes()
          .then(({ responseBodySize }) => responseBodySize),
      );
    });
    await page.goto('/docs');
    await waitForStillness(page);
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThan(100_000);
  });

  it('runs a changed call, and shows its response until the call is changed again', async () => {
    const { page, calls, faults } = await open('/docs#findByWords');
    const view = page.locator('.call-view', { has: page.locator('#findByWords') });
    await view.locator('.call-form > summary').click();
    await view.getByLabel('lim', { exact: true }).fill('1');
    expect(await view.locator('.sample pre').textContent()).toContain('-d lim=1');
    await view.getByLabel('Add a parameter').selectOption('genre');
    await view.getByLabel('genre', { exact: true }).fill('302');
    await view.getByLabel('Remove order').click();
    await view.getByRole('button', { name: 'Run' }).click();
    await view.getByText(/^200 · \d+ ms/).waitFor();
    // The tree shows one record, which its own line folds and unfolds.
    const data = view.locator('.answer .tree details', { hasText: 'data: ' }).nth(1);
    expect(await data.locator('> ul > li').count()).toBe(1);
    await data.locator('> summary').click();
    expect(await data.locator('> ul').isVisible()).toBe(false);
    const word = encodeURIComponent('図書館');
    expect(calls.at(-1)).toBe(`/v1/novels?word=${word}&lim=1&of=t-n-w-g-gp&genre=302`);
    // The response is not that of another request.
    await view.getByLabel('lim', { exact: true }).fill('2');
    await view.getByText(/^200 · \d+ ms/).waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
  });

  it('can run a call again after a response that never came', async () => {
    const { page } = await open('/docs#oneNovel');
    await page.clock.install();
    await page.route('**/v1/novels/*', () => undefined);
    const view = page.locator('.call-view', { has: page.locator('#oneNovel') });
    await view.locator('.call-form > summary').click();
    const run = view.locator('button[type=submit]');
    await run.press('Enter');
    expect(await run.isDisabled()).toBe(true);
    await page.clock.runFor(120_000);
    await view.getByText('Service unreachable').waitFor();
    expect(await run.isEnabled()).toBe(true);
    expect(await focusedText(page)).toBe('Run');
  });

  it('shows a response as it came, and says of one that is too large that it is unreadable', async () => {
    const { page } = await open('/docs#oneNovel');
    const view = page.locator('.call-view', { has: page.locator('#oneNovel') });
    await view.locator('.call-form > summary').click();
    const runWith = async (body: string, type: string) => {
      await page.evaluate(
        `globalThis.fetch = async () => new Response(${body}, { headers: { 'Content-Type': '${type}' } })`,
      );
      await view.locator('button[type=submit]').press('Enter');
    };
    await runWith('\'{"one": 1}\\n\'', 'application/x-ndjson');
    await expect.poll(() => view.locator('.answer pre').textContent()).toBe('{"one": 1}\n');
    await runWith("'a'.repeat(200_000)", 'text/csv');
    await expect.poll(async () => (await view.locator('.answer code').textContent())?.length).toBe(100_000);
    await runWith('new Uint8Array(33_000_000)', 'application/json');
    await view.getByText('Unreadable response').waitFor();
  });

  it('keeps a changed call while other places and the other language are read', async () => {
    const { page } = await open('/docs#findByConditions');
    const view = page.locator('.call-view', { has: page.locator('#findByConditions') });
    await view.locator('.call-form > summary').click();
    await view.getByLabel('lim', { exact: true }).fill('7');
    await page.evaluate("location.hash = 'errors'");
    await page.getByRole('button', { name: '日本語' }).click();
    await page.getByRole('heading', { name: 'エラー', exact: true }).waitFor();
    await page.goBack();
    expect(await view.getByLabel('lim', { exact: true }).inputValue()).toBe('7');
  });

  it('shows the error of the service for an invalid call', async () => {
    const { page } = await open('/docs#oneNovel');
    const view = page.locator('.call-view', { has: page.locator('#oneNovel') });
    await view.locator('.call-form > summary').click();
    await view.getByLabel('ncode', { exact: true }).fill('nothing');
    await view.getByLabel('ncode', { exact: true }).press('Enter');
    await view.getByText(/^400 · \d+ ms/).waitFor();
    expect(await view.locator('.answer .tree').textContent()).toContain('"invalid_parameter"');
  });

  it('links a task to its call, and remembers the language of the samples', async () => {
    const { page } = await open('/docs');
    await page.getByRole('link', { name: 'List the novels of an author' }).first().click();
    await page.locator('#novelsOfAuthor').waitFor();
    await page.getByRole('button', { name: 'Python' }).first().click();
    await page.reload();
    await waitForStillness(page);
    expect(await page.locator('.sample pre').first().textContent()).toContain('import requests');
  });

  it.each(['catalogue', 'registration'] as const)(
    'of the %s shows every endpoint of its document, in the order of its contents, then the fields and errors',
    async (service) => {
      const { page } = await open('/docs', service);
      const document = (await (await fetch(`${explored.services[service]}/openapi.json`)).json()) as {
        paths: object;
      };
      const shown = await page.evaluate<string[]>(
        "[...document.querySelectorAll('#tasks, .endpoint, .field-table > summary, #errors')].map(({ id }) => '#' + id)",
      );
      const named = await page.evaluate<string[]>(
        "[...document.querySelectorAll('.contents a')].map((link) => link.getAttribute('href'))",
      );
      expect(shown.length).toBeGreaterThan(Object.keys(document.paths).length + 5);
      expect(named).toEqual(shown);
      const broken = await page.evaluate<string[]>(
        "[...document.querySelectorAll('.endpoint > p a, .field-table a, .endpoint > details a')].map((link) => link.getAttribute('href')).filter((href) => !document.getElementById(href.slice(1)))",
      );
      expect(broken).toEqual([]);
    },
  );

  it.each([
    ['catalogue', 'ja'],
    ['catalogue', 'en'],
    ['registration', 'ja'],
    ['registration', 'en'],
  ] as const)('of the %s in %s is lower than 12,000 px at a width of 1440', async (service, language) => {
    const { page } = await explored.open('/docs', { language, width: 1440 }, service);
    await page.locator('#errors').waitFor();
    await waitForStillness(page);
    const height = await page.evaluate<number>('document.documentElement.scrollHeight');
    expect(height).toBeGreaterThan(3000);
    expect(height).toBeLessThan(12_000);
  });

  it('shows the errors of a status in its tab, and links a type to its fields', async () => {
    const { page } = await open('/docs#oneNovel');
    const view = page.locator('.call-view', { has: page.locator('#oneNovel') });
    await view.getByRole('button', { name: '404', exact: true }).press('Enter');
    expect(await view.locator('.answer .tree').textContent()).toContain('"not_found"');
    expect(await findWithAxe(page)).toEqual([]);
    await page.locator('#getNovel').getByRole('link', { name: 'Novel', exact: true }).click();
    await expect
      .poll(() => page.evaluate<number>("document.getElementById('Novel').getBoundingClientRect().top"))
      .toBeLessThan(60);
  });

  it('finds its parts by Ctrl-K, and expands collapsed ones', async () => {
    const { page } = await open('/docs');
    const find = async (typed: string) => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type(typed);
      await page.locator('.finder li').first().waitFor();
      await page.keyboard.press('Enter');
      return new URL(page.url()).hash;
    };
    await page.evaluate('scrollTo(0, 100)');
    expect(await find('cors')).toBe('#about-address');
    await page.goBack();
    await expect.poll(() => page.evaluate<number>('scrollY')).toBe(100);
    expect(await find('notword')).toBe('#parameter-searchNovels-notword');
    await page.locator('#parameter-searchNovels-notword').waitFor();
    await page.evaluate('scrollTo(0, 0)');
    expect(await find('notword')).toBe('#parameter-searchNovels-notword');
    await expect.poll(() => page.evaluate<number>('scrollY')).toBeGreaterThan(500);
    expect(await find('cors')).toBe('#about-address');
    expect(await find('etag')).toBe('#field-headers-ETag');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('etag');
    const second = await page.locator('.finder li:nth-child(2) a').getAttribute('href');
    // An input method has the arrow keys for its own list, and the system for others.
    await page.evaluate(`document.activeElement.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, isComposing: true }))`);
    await page.keyboard.press('Alt+ArrowDown');
    for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    expect(new URL(page.url()).hash).toBe(second);
    expect(await findWithAxe(page)).toEqual([]);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('qqqq');
    await page.getByText('Nothing found').waitFor();
    expect(await findWithAxe(page, undefined, '.finder')).toEqual([]);
  });

  it('goes back to where a place was left', async () => {
    const { page } = await open('/docs#oneNovel');
    await page.evaluate('scrollBy(0, 150)');
    const top = await page.evaluate<number>('scrollY');
    await page.locator('#getNovel').getByRole('link', { name: 'Novel', exact: true }).click();
    await expect.poll(() => page.evaluate<number>('scrollY')).toBeGreaterThan(top + 1_000);
    await page.goBack();
    await expect.poll(() => page.evaluate('scrollY')).toBe(top);
  });

  it('shows the key of the finder only where there is a keyboard', async () => {
    for (const width of [360, 1440] as const) {
      const { page } = await explored.open('/docs', { width });
      await page.locator('.finder-open').waitFor();
      expect(await page.locator('.finder-open kbd').isVisible()).toBe(width === 1440);
    }
  });

  it('uses the language and theme that were selected on the page', async () => {
    const { page } = await open('/', 'registration');
    await page.getByRole('button', { name: '日本語' }).click();
    await page.locator('footer select').selectOption('dark');
    await page.getByRole('link', { name: 'API リファレンス' }).click();
    await waitForStillness(page);
    expect(await page.locator('main h1').textContent()).toBe('ドメイン登録照会 API');
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
    await page.getByRole('link', { name: '画面で調べる' }).click();
    await page.getByRole('textbox').waitFor();
  });

  it('shows an error if the document does not load, and can retry', async () => {
    const { page } = await explored.open(undefined, { language: 'en' });
    await page.route('**/openapi.json', (route) => route.fulfill({ status: 503, body: Buffer.from('busy') }));
    await page.goto('/docs');
    expect(await page.getByRole('alert').textContent()).toContain('Unreadable');
    await page.unroute('**/openapi.json');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.reference').waitFor();
  });
});
