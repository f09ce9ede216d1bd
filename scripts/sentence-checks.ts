import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readAnswerLines } from '../packages/whois/src/whois/parsers/answer-lines.ts';
import { TextLines } from '../packages/whois/src/whois/parsers/lines.ts';
import { parseWhoisText } from '../packages/whois/src/whois/parsers/parse-whois-text.ts';
import { plainTextOf } from '../packages/whois/src/whois/parsers/plain-text.ts';
import {
  folded,
  knownSentences,
  maskLine,
  nameFormsOf,
  patternOfRow,
  SENTENCE_STATES,
  SentenceReader,
} from '../packages/whois/src/whois/parsers/sentence-table.ts';
import type { KnownSentence } from '../packages/whois/src/whois/parsers/sentence-table.ts';
import { fixtureOf, fixturePaths, textOf } from '../packages/whois/test/whois-fixtures.ts';

/** A real or invented answer for a registered name. */
export interface RegisteredAnswer {
  id: string;
  text: string;
  server: string | null;
  domain: string | null;
}

/** A sentence as a server sends it, for the name `kamome` in the zone: a one-line fixture. */
export interface SentSentence {
  state: string;
  server: string | null;
  domain: string;
  text: string;
}

const SENT = new URL('../packages/whois/fixtures/sentences/known.txt', import.meta.url);

/** packages/whois/fixtures/sentences/known.txt: `state | server or - | name | sentence`. */
export function sentSentences(): SentSentence[] {
  const lines = readFileSync(SENT, 'utf8').trimEnd().split('\n');
  return lines.map((line) => {
    const [state = '', server = '', domain = '', ...text] = line.split(' | ');
    return { state, server: server === '-' ? null : server, domain, text: text.join(' | ') };
  });
}

/** A sentence in the form of the table. */
export const maskedForm = (text: string, domain: string): string =>
  maskLine(folded(text), nameFormsOf(domain));

/** Faults in the form of a row. */
export function faultsOfRow({ state, sentence, only, source }: KnownSentence): string[] {
  return [
    ...(SENTENCE_STATES.includes(state) ? [] : [`unknown state ${state}`]),
    ...(sentence === sentence.toLowerCase().trim() && !/ {2}|[.,:;!?"']/.test(sentence)
      ? []
      : ['not masked']),
    ...((only?.every((each) => /^\.?[a-z\d.-]+$/.test(each)) ?? true)
      ? []
      : ['servers are hosts and .zones']),
    ...(/\S.*, \d{4}-\d\d$/.test(source) ? [] : ['source and month are missing']),
  ];
}

const TERMS = [
  'TERMS OF USE: By submitting this query you agree that you will use these data only for lawful purposes.',
  'Access to this service may be restricted or blocked if too many queries are received. Reserved names',
  'are not available for registration. The registry cannot be held liable for any failure.',
].join('\n');
const REMARKS = [
  '% This service is provided for information purposes only.',
  '% The registry reserves the right to limit the number of queries.',
].join('\n');
const CLOCK = '>>> Last update of WHOIS database: 2030-01-02T03:04:05Z <<<';

/** Answers as registries send them: a sentence in any case of letters, among lines that state nothing of the name. */
const ANSWERS: Readonly<Record<string, (sentence: string) => string>> = {
  alone: (sentence) => sentence,
  'in capitals': (sentence) => sentence.toUpperCase(),
  'in small letters': (sentence) => sentence.toLowerCase(),
  'below remarks': (sentence) => `${REMARKS}\n%\n\n${sentence}`,
  'right below remarks': (sentence) => `${REMARKS}\n${sentence}`,
  'right above remarks': (sentence) => `${sentence}\n${REMARKS}`,
  'above terms': (sentence) => `${sentence}\n\n${TERMS}`,
  'right above terms': (sentence) => `${sentence}\n${TERMS}`,
  'above the clock': (sentence) => `${sentence}\n${CLOCK}\n\n${TERMS}`,
  'below empty lines': (sentence) => `\n\n${sentence}\n\n\n`,
};

const STATE_OF: Readonly<Record<string, string>> = { no: 'not_registered', neutral: 'broken' };

/** Answers with a sentence that are read as another state than its row's. */
export function misreadAnswers(): string[] {
  return sentSentences().flatMap(({ state, server, domain, text }) =>
    Object.entries(ANSWERS).flatMap(([name, answer]) => {
      // `kamomeNOT FOUND` is the form of a whole answer.
      if (name !== 'alone' && /\SNOT FOUND/.test(text)) return [];
      const read = parseWhoisText(`${answer(text)}\n`.replaceAll('\n', '\r\n'), { server, domain }).state;
      return read === (STATE_OF[state] ?? state) ? [] : [`${name}: ${state} | ${text}: ${read}`];
    }),
  );
}

/** Rows without a sentence in packages/whois/fixtures/sentences/known.txt that masks into them. */
export function rowsWithoutFixture(): string[] {
  const sent = sentSentences().map(({ text, domain }) => maskedForm(text, domain));
  const hasNone = (pattern: RegExp) => !sent.some((masked) => pattern.test(`${masked} `));
  return knownSentences().flatMap(({ sentence }) => (hasNone(patternOfRow(sentence)) ? [sentence] : []));
}

/** Lines of registered answers that match a row of the table. */
export function misreadLines(answers: readonly RegisteredAnswer[]): string[] {
  return answers.flatMap(({ id, text, server, domain }) => {
    const zone = domain === null ? null : domain.slice(domain.indexOf('.') + 1);
    return readAnswerLines(new TextLines(plainTextOf(text)), new SentenceReader(domain, { server, zone }))
      .filter(({ sentenceState: known, isProse }) => !isProse && known !== undefined && known !== 'neutral')
      .map(({ sentenceState: state = '', text: line }) => `${id}: ${state}: ${line}`);
  });
}

/** The project's own fixtures of registered names. */
export function registeredFixtures(): RegisteredAnswer[] {
  return fixturePaths().flatMap((id) => {
    const { server, domain, expected } = fixtureOf(id);
    return expected.state === 'registered' ? [{ id, text: textOf(id), server, domain }] : [];
  });
}

/**
 * `<name>/corpus.jsonl` below a folder: one JSON object per line, with `id`, `raw_base64`, `charset`, `host`,
 * `domain`, `status`.
 */
export function registeredInFolder(folder: string): RegisteredAnswer[] {
  return readdirSync(folder).flatMap((name) =>
    readFileSync(join(folder, name, 'corpus.jsonl'), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, string | null>)
      .filter(({ status }) => status === 'registered')
      .map((row) => ({
        id: row['id'] ?? '',
        text: new TextDecoder(row['charset'] ?? 'utf-8').decode(
          Buffer.from(row['raw_base64'] ?? '', 'base64'),
        ),
        server: row['host'] ?? null,
        domain: row['domain'] ?? null,
      })),
  );
}
