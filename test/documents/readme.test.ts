import { readdirSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { startSampleServices } from '../sample-services.ts';
import { ROOT, found, read } from './documents.ts';

const english = read('README.md');
const japanese = read('README.ja.md');

/** `$ curl ...` with the response below; `...` marks omissions. */
const questions = [...english.matchAll(/```console\n\$ (curl .*)\n([\s\S]*?)\n```/g)].map(
  ([, command = '', answer = '']) => ({ command, answer }),
);

let services: Awaited<ReturnType<typeof startSampleServices>>;
beforeAll(async () => {
  services = await startSampleServices();
  return services.close;
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
  const address = services[url.port === '3000' ? 'catalogue' : 'registration'].address;
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

it('the README shows one request', () => {
  expect(questions).toHaveLength(1);
});

it.each(questions)('$command returns the response in the README', async ({ command, answer }) => {
  const real = parse(await (await fetch(urlOf(command))).text());
  const shown = parse(answer.replaceAll(LEFT_OUT, ''));
  expect(JSON.stringify(shown).length).toBeGreaterThan(100);
  expect(shownOf(real, shown)).toEqual(shown);
});

const withoutCode = (text: string) => text.replaceAll(/```[\s\S]*?```/g, '');
const headings = (text: string) => found(withoutCode(text), /^(#+) /gm);

/** All lines of code blocks without comments. */
const commands = (text: string) =>
  found(text, /```\w+\n([\s\S]*?)```/g).flatMap((block) =>
    block
      .split('\n')
      .map((line) => line.replace(/\s+(#|\/\/) .*$/, '').trim())
      .filter((line) => line !== ''),
  );

const links = (text: string) =>
  [...text.matchAll(/\]\(([^)]+)\)|<(https?:[^>]+)>/g)]
    .map(([, target, address]) => target ?? address ?? '')
    .map((target) => target.replace(/-(?:en|ja)\.webp$/, '.webp'))
    .filter((target) => !/^README(\.ja)?\.md$|^#/.test(target));

it.each([
  ['headings', headings],
  ['commands and answers', commands],
  ['links', (text: string) => new Set(links(text))],
])('README.ja.md has the %s of README.md', (_what, partOf) => {
  expect(partOf(japanese)).toEqual(partOf(english));
});

it('the READMEs link to each other', () => {
  expect(english).toContain('](README.ja.md)');
  expect(japanese).toContain('](README.md)');
});

it('the READMEs show every picture that the nightly run draws', () => {
  const shown = found(english + japanese, /docs\/pictures\/([\w.-]+)/g);
  expect(readdirSync(path.join(ROOT, 'docs/pictures')).sort()).toEqual(shown.sort());
});
