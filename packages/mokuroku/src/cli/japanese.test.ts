import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandOnSample } from '../../test/cli/command-on-sample.ts';
import { languageOf } from './terminal.ts';

const { run, someNcode, open, close } = commandOnSample();
beforeAll(open);
afterAll(close);

describe('in Japanese', () => {
  it('facts, notes, headings and errors use the texts of the page', async () => {
    const ncode = await someNcode();
    const { out, err } = await run(`novel ${ncode}`, { language: 'ja' });
    expect(out).toMatch(/^題名 +\S/);
    expect(out).toMatch(new RegExp(`^Nコード +${ncode}$`, 'm'));
    expect(err).toContain('架空のもの');
    expect((await run('novels --lim 3', { language: 'ja' })).out).toMatch(/^Nコード +題名 +作者/);
    const look = await run('whois example.com', { language: 'ja' });
    for (const words of ['(4年後)', '署名なし']) expect(look.out).toContain(words);
    expect((await run('novel N9999ZZ', { language: 'ja' })).err).toMatch(
      /^見つかりません。コードが違うか.*\n$/,
    );
    const many = await run('whois xx.notld reserved-sample.org', { language: 'ja' });
    for (const words of ['存在しない TLD', '予約']) expect(many.out).toContain(words);
    expect((await run('novels --lim 501', { language: 'ja' })).err).toContain(
      '  lim 501: 500 以下にしてください。',
    );
    expect((await run('novels --lmi 3', { language: 'ja' })).err).toContain('もしかして: --lim');
    expect((await run('novels --help', { language: 'ja' })).out).toContain('使い方: mokuroku novels');
  });

  it('JSON and CSV are the same in every language', async () => {
    for (const format of ['--json', '--csv']) {
      const line = `ranking weekly --date 2026-01-05 --raw ${format}`;
      const withoutTimes = (text: string) => text.replace(/"(tookMs|cached)": .*/g, '');
      expect(withoutTimes((await run(line, { language: 'ja' })).out)).toBe(
        withoutTimes((await run(line)).out),
      );
    }
  });

  it.each([
    [{ LANG: 'ja_JP.UTF-8' }, 'ja'],
    [{ LANG: 'ja_JP.UTF-8', LC_ALL: 'C' }, 'en'],
    [{ LANG: 'en_GB.UTF-8', LC_MESSAGES: 'ja' }, 'ja'],
    [{ LANG: 'jam_JM' }, 'en'],
  ])('%j: %s', (environment, language) => {
    expect(languageOf(environment)).toBe(language);
  });
});
