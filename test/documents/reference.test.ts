import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCatalogue } from '../../src/catalogue/main.ts';
import { runCommandLine } from '../../src/cli/run-command-line.ts';
import { createCatalogueClient, createRegistrationClient } from '../../src/client/index.ts';
import { toJapanese } from '../../src/words/published-ja.ts';
import type { Reference } from '../../src/explorer/reference/openapi.ts';
import { sampleOf, urlOf } from '../../src/explorer/reference/samples.ts';
import type { SampleLanguage } from '../../src/explorer/reference/samples.ts';
import { startRegistration } from '../../src/registration/main.ts';
import { recordingTerminal } from '../cli/recording-terminal.ts';
import { printedSamples, readReferences } from './printed-samples.ts';

// Runs the samples of /docs in each language, and checks their requests.

let close: () => Promise<unknown>;
let references: ReadonlyMap<string, Reference>;

beforeAll(async () => {
  const settings = { LOG_LEVEL: 'silent', RATE_LIMIT: '0', CATALOGUE_PORT: '0', REGISTRATION_PORT: '0' };
  const [catalogue, registration] = await Promise.all([
    startCatalogue(settings),
    startRegistration(settings),
  ]);
  close = () => Promise.all([catalogue.close(), registration.close()]);
  references = await readReferences([catalogue.address, registration.address]);
});
afterAll(() => close());

const printed = (language: SampleLanguage) => printedSamples(references, language);

/** The words of a POSIX shell line with single quotes. */
const wordsOf = (line: string): string[] =>
  [...line.replaceAll('\\\n', ' ').matchAll(/(?:'[^']*'|\\'|[^\s'])+/g)].map(([word]) =>
    word.replace(/'([^']*)'|\\'/g, (_whole, quoted: string | undefined) => quoted ?? "'"),
  );

describe('the samples', () => {
  it('in curl request the URL of the call', () => {
    for (const { endpoint, call, base, code } of printed('curl')) {
      const words = wordsOf(code);
      const url = new URL(words.find((word) => word.startsWith('http')) ?? '');
      for (const [i, word] of words.entries()) {
        if (word !== '-d' && word !== '--data-urlencode') continue;
        const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(words[i + 1] ?? '') ?? [];
        url.searchParams.append(name, value);
      }
      expect(url.href).toBe(new URL(urlOf(base, endpoint, call)).href);
    }
  });

  it('in TypeScript run and return data', async () => {
    for (const { code, endpoint } of printed('typescript')) {
      // Not on the sample.
      if (endpoint.name === 'listChanges') continue;
      const written: unknown[] = [];
      const body = code.replace(/^import .*\n/m, '').replaceAll('console.log', 'write');
      // eslint-disable-next-line @typescript-eslint/no-implied-eval -- our own code, run as a reader would run it
      const run = new Function(
        'write',
        'createCatalogueClient',
        'createRegistrationClient',
        `return (async () => {${body}})()`,
      ) as (...parts: unknown[]) => Promise<void>;
      await run(
        (...said: unknown[]) => written.push(...said),
        createCatalogueClient,
        createRegistrationClient,
      );
      expect(JSON.stringify(written).length, code).toBeGreaterThan(20);
    }
  });

  it('in TypeScript use the typed client (METHODS of samples.ts), except where it has another form', () => {
    const samples = printed('typescript');
    const usesClient = ({ code }: { code: string }) => code.includes('mokuroku-client');
    const byClient = new Set(samples.filter(usesClient).map(({ endpoint }) => endpoint.name));
    const byFetch = samples.map(({ endpoint }) => endpoint.name).filter((name) => !byClient.has(name));
    expect(new Set(byFetch)).toEqual(
      new Set([
        // Methods with a list of names instead of parameters.
        ...['listRankingHistories', 'lookUpMany', 'getPortfolioCalendar'],
        // No methods.
        ...['getAvailability', 'getExpiryCalendar', 'probeExpiry', 'getAbout'],
      ]),
    );
  });

  it('on the command line run and return data', async () => {
    for (const { code } of printed('cli')) {
      const terminal = recordingTerminal();
      const [program, ...words] = wordsOf(code);
      const exitCode = await runCommandLine(words, terminal);
      const { out } = terminal.written();
      expect(program).toBe('mokuroku');
      // One of the names is unregistered on purpose.
      expect(code.includes('free-name') ? 0 : exitCode, code).toBe(0);
      expect(out.split('\n').length, code).toBeGreaterThan(1);
    }
  });

  it('in Python request the path of the call with its parameters', () => {
    for (const { endpoint, call, base, code } of printed('python')) {
      const [, address = ''] = /requests\.get\('([^']*)'/.exec(code) ?? [];
      const query = [...code.matchAll(/^ {4}'(\w+)': '(.*)',$/gm)].map(([, name = '', value = '']) => [
        name,
        value,
      ]);
      expect(Object.fromEntries(query)).toEqual(call.query);
      expect(address).toBe(urlOf(base, endpoint, { ...call, query: {} }));
    }
  });

  it('escape quotes in values', () => {
    const [{ endpoint, base } = expect.fail('nothing printed')] = printed('curl');
    const request = { path: {}, query: { word: `it's "$(x)"\\` }, mediaType: 'application/json' };
    expect(wordsOf(sampleOf('curl', base, endpoint, request) ?? '')).toContain(`word=${request.query.word}`);
    expect(sampleOf('python', base, endpoint, request)).toContain(String.raw`'it\'s "$(x)"\\'`);
  });
});

describe('the Japanese reference', () => {
  it('translates every published text (src/words/published-ja.ts)', () => {
    const texts = [...references.values()].flatMap(({ groups, endpoints, meta }) => [
      ...groups.flatMap(({ name, description }) => [name, description]),
      ...endpoints.flatMap(({ summary, description, parameters, fields }) => [
        summary,
        description,
        ...parameters.map((each) => each.description),
        ...fields.map((each) => each.description),
      ]),
      ...meta.map((each) => each.description),
    ]);
    const untranslated = [...new Set(texts)].filter((text) => text !== '' && !toJapanese(text));
    expect(untranslated).toEqual([]);
    expect([...new Set(texts)].filter((text) => toJapanese(text)?.includes('?'))).toEqual([]);
    expect([...new Set(texts)].filter((text) => /単位: \w/.test(toJapanese(text) ?? ''))).toEqual([]);
  });

  it('has a title for every call', () => {
    for (const { call } of printed('curl')) expect(call.titleJa).toMatch(/[ぁ-ん]/);
  });
});
