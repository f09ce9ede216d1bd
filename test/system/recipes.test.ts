import fs from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { serveHttp } from '../http/serve-http.ts';
import { startProgram, startServe } from './running-service.ts';
import type { RunningCommand } from './running-service.ts';
import { blocksOf } from '../run-examples.ts';
import { temporaryFolder } from '../temporary-folder.ts';

// docs/recipes.md and examples/, with the tools that they name: a running bot, bash with jq and curl.

const root = path.resolve(import.meta.dirname, '../..');
const file = path.join(root, 'docs/recipes.md');
const page = fs.readFileSync(file, 'utf8');
const codesOf = (language: string) => blocksOf(file, language).map(({ code }) => code);
let services: RunningCommand;

beforeAll(async () => {
  services = await startServe({ RATE_LIMIT: '0', LOG_LEVEL: 'silent' });
  return () => services.end('SIGINT');
});

const addressed = (code: string) =>
  code
    .replaceAll('http://127.0.0.1:3000', services.catalogue)
    .replaceAll('http://127.0.0.1:3001', services.registration)
    .replaceAll('npx mokuroku', `node ${root}/packages/mokuroku/bin/mokuroku.mjs`)
    .replaceAll('examples/bot.mjs', `${root}/examples/bot.mjs`);

/** Runs a snippet that watches, until a receiver that refuses the first body has got three, and returns them. */
async function bodiesSentBy(code: string, files: Readonly<Record<string, string>>) {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), content);
  const bodies: string[] = [];
  const receiver = await serveHttp((request, response) => {
    void text(request).then((body) => {
      bodies.push(body);
      response.writeHead(bodies.length === 1 ? 500 : 204).end();
    });
  });
  const webhook = `${receiver}/hook`;
  const urls = {
    MOKUROKU_CATALOGUE_URL: services.catalogue,
    MOKUROKU_REGISTRATION_URL: services.registration,
  };
  const env = { ...process.env, ...urls, WEBHOOK_URL: webhook, DISCORD_URL: webhook };
  const posting = addressed(code).replaceAll(/https:\/\/(?:chat|discord|slack)\.example[^\s"']*/g, webhook);
  const watching = startProgram('bash', ['-c', posting], { cwd: folder, env, detached: true });
  try {
    await expect.poll(() => bodies.length, { timeout: 60_000 }).toBeGreaterThan(2);
  } finally {
    process.kill(-(watching.child.pid ?? 0), 'SIGINT');
    await watching.ended;
  }
  return { folder, bodies: bodies.slice(0, 3).map((body) => JSON.parse(body) as unknown) };
}

/** The cursor of the first new novel or episode of two weeks, so that others follow. */
async function earlierCursor(): Promise<string> {
  const response = await fetch(`${services.catalogue}/v1/changes?kind=new,episode&lim=500`);
  const { data } = (await response.json()) as { data: { cursor: string }[] };
  return data[0]?.cursor ?? '';
}

const snippets = codesOf('sh').filter((code) => /--(?:exec|post)/.test(code));

it.each(snippets.map((code) => [/npx mokuroku.*/.exec(code)?.[0] ?? code, code] as const))(
  'delivers events after a failed attempt: %s',
  async (_name, code) => {
    const { bodies } = await bodiesSentBy(
      code
        .replace('--since now', `--since ${await earlierCursor()}`)
        .replace('--expiring 30', '--expiring 3650'),
      { 'names.txt': 'example.com\nexample.jp\nexample.de\n' },
    );
    const [first, again, next] = bodies;
    expect(again).toEqual(first);
    expect(next).not.toEqual(first);
  },
);

it('the bot posts each episode, and stores the cursor only of what was accepted', async () => {
  const cursor = await earlierCursor();
  // The webhook refuses the first event, which the bot repeats.
  const code = 'exec node examples/bot.mjs';
  const { bodies, folder } = await bodiesSentBy(code, { 'bot.cursor': cursor });
  const [first, again] = bodies;
  expect(again).toEqual(first);
  expect(first).toMatchObject({ content: expect.stringMatching(/\S #\d+$/) as string });
  expect(fs.readFileSync(path.join(folder, 'bot.cursor'), 'utf8')).not.toBe(cursor);
});

interface Endpoint {
  url: string;
  conditions: string[];
}

/** A member of JSON by a path such as `data.general_all_no`. */
const memberOf = (body: unknown, names: string): unknown =>
  names
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], body);

it('the conditions for Gatus hold, and the templates for Home Assistant find their values', async () => {
  const [gatus = '', home = ''] = codesOf('yaml').map(addressed);
  for (const { url, conditions } of (parse(gatus) as { endpoints: Endpoint[] }).endpoints) {
    const response = await fetch(url);
    const body: unknown = await response.json();
    expect(conditions[0]).toBe(`[STATUS] == ${response.status}`);
    for (const condition of conditions.slice(1)) {
      const [, names = '', sign, expected = ''] = /^\[BODY\]\.(\S+) (==|>) (\S+)$/.exec(condition) ?? [];
      const value = memberOf(body, names);
      expect(sign === '==' ? String(value) === expected : Number(value) > Number(expected), condition).toBe(
        true,
      );
    }
  }
  interface Rest {
    resource: string;
    sensor: { value_template: string; json_attributes?: string[] }[];
  }
  for (const { resource, sensor } of (parse(home) as { rest: Rest[] }).rest) {
    const body: unknown = await (await fetch(resource)).json();
    for (const { value_template: template, json_attributes: attributes = [] } of sensor) {
      expect(memberOf(body, /value_json\.(\S+)/.exec(template)?.[1] ?? '')).toEqual(expect.any(Number));
      for (const name of attributes) expect(memberOf(body, `parsed.${name}`)).toEqual(expect.any(String));
    }
  }
});

it('the query for Uptime Kuma is a number above its expected value', async () => {
  const [, url = ''] = /URL: `(\S+)`/.exec(page) ?? [];
  const [, query = ''] = /Json Query: `(\S+)`/.exec(page) ?? [];
  const body: unknown = await (await fetch(addressed(url))).json();
  expect(memberOf(body, query)).toBeGreaterThan(30);
});

it('the addresses for spreadsheets and feed readers return rows', async () => {
  const addresses = codesOf('text').flatMap((code) => code.match(/https?:\/\/[^\s"]+/g) ?? []);
  expect(addresses.length).toBeGreaterThan(3);
  for (const address of addresses) {
    const url = addressed(address.replace('https://novels.example', 'http://127.0.0.1:3000'));
    const response = await fetch(url);
    expect([url, response.status]).toEqual([url, 200]);
    const rows = await response.text();
    expect(rows.match(/\n|<entry /g)?.length).toBeGreaterThan(2);
  }
});
