import { describe, expect, it } from 'vitest';
import { words as catalogueEn } from '../catalogue/words-en.ts';
import { words as catalogueJa } from '../catalogue/words-ja.ts';
import { words as domainEn } from '../domain/words-en.ts';
import { words as domainJa } from '../domain/words-ja.ts';
import { words as referenceEn } from '../reference/words-en.ts';
import { words as referenceJa } from '../reference/words-ja.ts';
import { GENRES } from '@mokuroku/narou';

/** Paths to every text; functions are called with a placeholder. */
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

const JAPANESE = /[\u3001\u3040-\u30ff\u4e00-\u9fff]/;
const TABLES = {
  shell: { ja: catalogueJa.shell, en: catalogueEn.shell },
  catalogue: { ja: catalogueJa.catalogue, en: catalogueEn.catalogue },
  domain: { ja: domainJa.domain, en: domainEn.domain },
  reference: { ja: referenceJa.reference, en: referenceEn.reference },
};

describe.each(Object.entries(TABLES))('the words of the %s', (_, { ja, en }) => {
  const japanese = flatten(ja);
  const english = flatten(en);

  it('exist in both languages', () => {
    const names = (words: Map<string, string>) =>
      [...words.keys()].filter((name) => !name.startsWith('/genres/')).sort();
    expect(names(english)).toEqual(names(japanese));
  });
  it('are never empty', () => {
    expect([...japanese, ...english].filter(([, text]) => text.trim() === '')).toEqual([]);
  });
  it('are English in English, but for names that are Japanese', () => {
    const names = new Set([
      '/creditName',
      '/placeholder',
      '/services/catalogue/lead',
      '/services/catalogue/terms',
    ]);
    expect([...english].filter(([name, text]) => !names.has(name) && JAPANESE.test(text))).toEqual([]);
  });
  it('are Japanese in Japanese, but for what is the same everywhere', () => {
    const same = /^(1|1:? 1 → 1|1 → 1|mokuroku|API|OpenAPI|18\+|pt|R15|1〜1|meta|ja)$/;
    expect([...japanese].filter(([, text]) => !same.test(text) && !JAPANESE.test(text))).toEqual([]);
  });
});

describe('the texts of what the services return', () => {
  it('have an English name for every genre', () => {
    expect(GENRES.filter(({ code }) => catalogueEn.catalogue.genres[code] === undefined)).toEqual([]);
  });
});
