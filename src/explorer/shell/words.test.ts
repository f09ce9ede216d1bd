import { describe, expect, it } from 'vitest';
import { CATALOGUE_WORDS } from '../catalogue/words.ts';
import { REFERENCE_WORDS } from '../reference/words.ts';
import { DOMAIN_WORDS } from '../domain/words.ts';
import { EPP_STATUSES } from '../domain/epp-statuses.ts';
import { NOVELAPI_ORDERS } from '../../catalogue/novels/orders.ts';
import { GENRES } from '../../catalogue/novels/genres.ts';
import { ERROR_TABLE } from '../../errors.ts';
import { SHELL_WORDS } from './words.ts';

/** Paths to every word, functions called with a placeholder. */
function flatten(words: unknown, path = ''): Map<string, string> {
  if (typeof words === 'string') return new Map([[path, words]]);
  if (typeof words === 'function') {
    const write = words as (...given: string[]) => string;
    return new Map([[path, write('1', '1', '1')]]);
  }
  return new Map(
    Object.entries(words as object).flatMap(([name, value]) => [...flatten(value, `${path}/${name}`)]),
  );
}

const JAPANESE = /[\u3040-\u30ff\u4e00-\u9fff]/;
const TABLES = {
  shell: SHELL_WORDS,
  catalogue: CATALOGUE_WORDS,
  domain: DOMAIN_WORDS,
  reference: REFERENCE_WORDS,
  epp: swap(EPP_STATUSES),
};

function swap(statuses: typeof EPP_STATUSES) {
  const pick = (language: 'ja' | 'en') =>
    Object.fromEntries(Object.entries(statuses).map(([code, text]) => [code, text[language]]));
  return { ja: pick('ja'), en: pick('en') };
}

describe.each(Object.entries(TABLES))('the words of the %s', (_, { ja, en }) => {
  const japanese = flatten(ja);
  const english = flatten(en);

  it('are there in both languages', () => {
    const names = (words: Map<string, string>) =>
      [...words.keys()].filter((name) => !name.startsWith('/genres/'));
    expect(names(english)).toEqual(names(japanese));
  });
  it('are never empty', () => {
    expect([...japanese, ...english].filter(([, text]) => text.trim() === '')).toEqual([]);
  });
  it('are English in English, but for names that are Japanese', () => {
    const names = new Set([
      ...['/creditName', '/placeholder'],
      ...['/services/catalogue/lead', '/services/catalogue/terms'],
    ]);
    expect([...english].filter(([name, text]) => !names.has(name) && JAPANESE.test(text))).toEqual([]);
  });
  it('are Japanese in Japanese, but for what is the same everywhere', () => {
    const same = /^(1|mokuroku|API|OpenAPI|18\+|pt|R15|1–1|meta)$/;
    expect([...japanese].filter(([, text]) => !same.test(text) && !JAPANESE.test(text))).toEqual([]);
  });
});

describe('what the services can say', () => {
  it('has words for every error code that a page can meet', () => {
    const never = new Set([
      'internal',
      'method_not_allowed',
      'expectation_failed',
      'headers_too_large',
      'uri_too_long',
    ]);
    const wanted = Object.keys(ERROR_TABLE).filter((code) => !never.has(code));
    expect(wanted.filter((code) => !(code in SHELL_WORDS.ja.problems))).toEqual([]);
  });
  it('has words for every order of the upstream', () => {
    expect(Object.keys(CATALOGUE_WORDS.en.orders).sort()).toEqual(Object.keys(NOVELAPI_ORDERS).sort());
  });
  it('has an English name for every genre', () => {
    expect(GENRES.filter(({ code }) => CATALOGUE_WORDS.en.genres[code] === undefined)).toEqual([]);
  });
});
