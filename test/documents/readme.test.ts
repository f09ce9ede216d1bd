import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startCatalogue } from '../../src/catalogue/main.ts';
import { systemClock } from '../../src/process/clock.ts';
import { startRegistration } from '../../src/registration/main.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
/** `$ curl ...` and the answer under it; one that ends with ` ...` is the beginning of an answer. */
const questions = [...readme.matchAll(/```console\n\$ (curl .*)\n([\s\S]*?)\n```/g)].map(
  ([, command = '', answer = '']) => ({ command, answer }),
);

let catalogue: Awaited<ReturnType<typeof startCatalogue>>;
let registration: Awaited<ReturnType<typeof startRegistration>>;

beforeAll(async () => {
  const settings = { LOG_LEVEL: 'silent', CATALOGUE_PORT: '0', REGISTRATION_PORT: '0' };
  // The sample goes with the calendar; the README was written on this day.
  const clock = { ...systemClock, now: () => Date.parse('2026-11-21T03:00:00Z') };
  catalogue = await startCatalogue(settings, clock);
  registration = await startRegistration(settings);
});
afterAll(async () => {
  await Promise.all([catalogue.close(), registration.close()]);
});

/** As far as curl's options are used there: a URL, `-G` with `-d` and `--data-urlencode`. */
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

const withoutTimes = (text: string): string => text.replaceAll(/"(ms|tookMs)":[\d.]+/g, '"$1":0');

it('the README shows three questions', () => {
  expect(questions).toHaveLength(3);
});

it.each(questions)('$command is answered as the README shows', async ({ command, answer }) => {
  const real = withoutTimes(await (await fetch(urlOf(command))).text());
  const shown = withoutTimes(answer);
  if (shown.endsWith(' ...')) expect(real.startsWith(shown.slice(0, -4))).toBe(true);
  else expect(real).toBe(shown);
});
