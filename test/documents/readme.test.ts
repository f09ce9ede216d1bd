import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startCatalogue } from '../../packages/mokuroku/src/catalogue/main.ts';
import { systemClock } from '@mokuroku/kit/process';
import { startRegistration } from '../../packages/mokuroku/src/registration/main.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
/** `$ curl ...` with the response below; `...` marks omissions. */
const questions = [...readme.matchAll(/```console\n\$ (curl .*)\n([\s\S]*?)\n```/g)].map(
  ([, command = '', answer = '']) => ({ command, answer }),
);

let catalogue: Awaited<ReturnType<typeof startCatalogue>>;
let registration: Awaited<ReturnType<typeof startRegistration>>;

beforeAll(async () => {
  const settings = { LOG_LEVEL: 'silent', CATALOGUE_PORT: '0', REGISTRATION_PORT: '0' };
  // The sample follows the calendar; the README was written on this day.
  const clock = { ...systemClock, now: () => Date.parse('2026-11-21T03:00:00Z') };
  catalogue = await startCatalogue(settings, clock);
  registration = await startRegistration(settings);
});
afterAll(async () => {
  await Promise.all([catalogue.close(), registration.close()]);
});

/** The options of curl that the README uses: a URL, `-G` with `-d` and `--data-urlencode`. */
function urlOf(command: string): string {
  const words = command.match(/'[^']*'|\S+/g) ?? [];
  const url = new URL(words.find((word) => /^'?http:/.test(word))?.replaceAll("'", '') ?? '');
  for (const [i, word] of words.entries()) {
    if (word !== '-d' && word !== '--data-urlencode') continue;
    const [name = '', value = ''] = (words[i + 1] ?? '').split('=');
    url.searchParams.set(name, value);
  }
  const address = url.port === '3000' ? catalogue.address : registration.address;
  return address + url.pathname + url.search;
}

const LEFT_OUT = /,?\s*(?<!")\.\.\.(?!")/g;
/** Milliseconds differ each time. */
const parse = (text: string): unknown =>
  JSON.parse(text, (name, value: unknown) => (name === 'ms' || name === 'tookMs' ? 0 : value));

/** The printed part of a real response: members by name, lists and texts from their start. */
function shownOf(real: unknown, shown: unknown): unknown {
  if (typeof shown === 'string' && shown.endsWith('...') && typeof real === 'string') {
    return `${real.slice(0, shown.length - 3)}...`;
  }
  if (Array.isArray(shown) && Array.isArray(real)) return shown.map((item, i) => shownOf(real[i], item));
  if (typeof shown !== 'object' || shown === null || typeof real !== 'object' || real === null) return real;
  const members = new Map(Object.entries(real));
  return Object.fromEntries(
    Object.entries(shown).map(([name, value]) => [name, shownOf(members.get(name), value)]),
  );
}

it('the README shows three requests', () => {
  expect(questions).toHaveLength(3);
});

it.each(questions)('$command returns the response in the README', async ({ command, answer }) => {
  const real = parse(await (await fetch(urlOf(command))).text());
  const shown = parse(answer.replaceAll(LEFT_OUT, ''));
  expect(JSON.stringify(shown).length).toBeGreaterThan(100);
  expect(shownOf(real, shown)).toEqual(shown);
});
