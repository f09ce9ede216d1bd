import fs from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { serveHttp } from '../../../../test/http/serve-http.ts';
import { commandOnSample } from '../../test/cli/command-on-sample.ts';
import { interruptedAtPause, runRecorded } from '../../test/cli/recording-terminal.ts';
import type { LookUp, NameOutcome } from 'mokuroku-client/source';
import { EXIT } from './exit-codes.ts';
import { compareName, oneSpelling } from './watch-names.ts';
import type { NameEvent, WatchedName } from './watch-names.ts';

const NOW = Date.parse('2026-11-21T00:00:00Z');
const CHOICE = { now: NOW, expiringDays: 30 };

const registered = (parsed: Partial<LookUp['parsed']>, more: Partial<LookUp> = {}) =>
  ({
    name: 'a.example',
    data: {
      state: 'registered',
      ...more,
      parsed: {
        registrar: 'Kamome Names',
        nameServers: ['ns1.a.example', 'ns2.a.example'],
        status: ['clientHold', 'ok'],
        expirationDate: '2027-11-21T00:00:00Z',
        ...parsed,
      },
    } as unknown as LookUp,
    response: undefined,
  }) as unknown as NameOutcome;

const failed = (code: string) =>
  ({ name: 'a.example', error: { code }, response: undefined }) as unknown as NameOutcome;

function compared(outcome: NameOutcome, before?: WatchedName, now = NOW) {
  const result = compareName(outcome, before, { ...CHOICE, now });
  if (result === undefined) throw new Error('nothing was compared');
  return result;
}

const { watched } = compared(registered({}));

describe('the events of a watched name', () => {
  it('are none at the first look-up and while nothing changes, in whatever order lists come', () => {
    expect(compared(registered({})).events).toEqual([]);
    const reordered = { nameServers: ['ns2.a.example', 'ns1.a.example'], status: ['ok', 'clientHold'] };
    expect(compared(registered(reordered), watched).events).toEqual([]);
    expect(compared(registered(reordered), watched, NOW + 5_000).watched).toEqual(watched);
  });

  it('name each changed fact with its values before and after', () => {
    const moved = registered({ registrar: 'Umineko', nameServers: ['ns3.a.example'], status: ['ok'] });
    const { events } = compared(moved, watched);
    expect(events.map(({ kind, before, after }) => [kind, before, after])).toEqual([
      ['registrar', 'Kamome Names', 'Umineko'],
      ['nameServers', ['ns1.a.example', 'ns2.a.example'], ['ns3.a.example']],
      ['status', ['clientHold', 'ok'], ['ok']],
    ]);
  });

  it('are one for a name that is no longer registered', () => {
    const { events, watched: gone } = compared(failed('not_registered'), watched);
    expect(events.map(({ kind, before, after }) => [kind, before, after])).toEqual([
      ['state', 'registered', 'not_registered'],
    ]);
    expect(compared(registered({}), gone).events.map(({ after }) => after)).toEqual(['registered']);
  });

  it('have the same id in a repeated delivery, and another when the same change happens again', () => {
    const moved = registered({ registrar: 'Umineko' });
    const [first] = compared(moved, watched, NOW + 1000).events;
    const [repeated] = compared(moved, watched, NOW + 9000).events;
    expect(repeated?.id).toBe(first?.id);
    const { watched: away } = compared(moved, watched, NOW + 1000);
    const { watched: back } = compared(registered({}), away, NOW + 2000);
    expect(compared(moved, back, NOW + 3000).events[0]?.id).not.toBe(first?.id);
  });

  it('are none for a failed look-up, or for what a response could not read', () => {
    for (const code of ['registry_timeout', 'rate_limited', 'registry_unavailable', 'unreachable'])
      expect(compareName(failed(code), watched, CHOICE)).toBeUndefined();
    const unread = { registrar: null, nameServers: [], status: [] };
    const partial = { incomplete: ['registrar', 'nameServers', 'status'] } as Partial<LookUp>;
    for (const more of [partial, { truncated: true } as const]) {
      const { events, watched: after } = compared(registered(unread, more), watched);
      expect(events).toEqual([]);
      expect(after).toEqual(watched);
    }
    const half = registered({ nameServers: ['ns1.other.example'] }, { incomplete: ['nameServers'] });
    expect(compared(half, watched).events).toEqual([]);
    // Stated as absent.
    expect(compared(registered(unread), watched).events).toHaveLength(3);
  });

  it('warn of each near expiry once', () => {
    const near = registered({ expirationDate: '2026-12-20T00:00:00Z' });
    const { events, watched: warned } = compared(near, watched);
    expect(events).toMatchObject([{ kind: 'expiring', after: '2026-12-20T00:00:00Z', daysLeft: 29 }]);
    expect(compared(near, warned).events).toEqual([]);
    // A response without the date in between is no renewal.
    const { watched: without } = compared(registered({ expirationDate: null }), warned);
    expect(compared(near, without).events).toEqual([]);
    expect(
      compared(registered({ expirationDate: '2026-12-20T00:00:00Z' }, { state: 'reserved' })).events,
    ).toEqual([]);
    const { watched: renewed } = compared(registered({}), warned);
    const next = registered({ expirationDate: '2027-12-20T00:00:00Z' });
    expect(compared(next, renewed, Date.parse('2027-12-01T00:00:00Z')).events).toHaveLength(1);
  });
});

it('a name has one spelling; an invalid one is unchanged', () => {
  for (const [given, spelling] of [
    ['BÜCHER.example.', 'xn--bcher-kva.example'],
    ['a%b.example', 'a%b.example'],
  ] as const)
    expect(oneSpelling(given)).toBe(spelling);
});

describe('mokuroku whois --watch', () => {
  const sample = commandOnSample();
  beforeAll(() => sample.open());
  afterAll(() => sample.close());
  const folder = temporaryFolder();

  /** Interrupted at the pause after a round. */
  const run = (line: string[], rounds = 1) => sample.run(['whois', ...line], interruptedAtPause(rounds));

  it('delivers each event after a restart too, once accepted never again', async () => {
    const received: NameEvent[] = [];
    let accepts = false;
    const post = await serveHttp((request, response) => {
      void text(request).then((body) => {
        if (accepts) received.push(JSON.parse(body) as NameEvent);
        response.writeHead(accepts ? 204 : 500).end();
      });
    });
    const file = path.join(folder, 'names.txt');
    fs.writeFileSync(file, 'example.com # ours\nexample.jp\n');
    const state = path.join(folder, 'state.json');
    const line = ['--watch', file, '--state', state, '--post', post, '--expiring', '3650'];
    const { code } = await run(line);
    expect(code).toBe(EXIT.interrupted);
    expect(received).toEqual([]);
    accepts = true;
    await run(line, 2);
    expect(received.map(({ domain, kind }) => `${domain} ${kind}`).sort()).toEqual([
      'example.com expiring',
      'example.jp expiring',
    ]);
    const written = fs.statSync(state).ino;
    await run(line, 2);
    expect([received.length, fs.statSync(state).ino]).toEqual([2, written]);
    // Another registrar was seen before.
    const names = JSON.parse(fs.readFileSync(state, 'utf8')) as Record<string, WatchedName>;
    names['example.com']!.registrar = 'Another';
    fs.writeFileSync(state, JSON.stringify(names));
    const { out } = await run(['--watch', file, '--state', state, '--json']);
    expect(JSON.parse(out)).toMatchObject({ domain: 'example.com', kind: 'registrar', before: 'Another' });
  });

  it('rejects a file of another form, a missing one, and a value out of bounds', async () => {
    const file = path.join(folder, 'given.txt');
    fs.writeFileSync(file, 'example.com\n');
    const other = path.join(folder, 'other.json');
    fs.writeFileSync(other, '{"example.com": {"state": 1}}');
    const { code, err } = await run(['--watch', file, '--state', other]);
    expect(code).toBe(EXIT.usage);
    expect(err).toContain('is not a file of this command');
    expect(fs.readFileSync(other, 'utf8')).toContain('"state": 1');
    expect((await run(['--watch', path.join(folder, 'none.txt')])).err).toContain('--watch');
    expect((await run(['--watch', file, '--every', '0'])).err).toContain('--every 0');
  });

  it('has one event for two spellings of a name', async () => {
    const file = path.join(folder, 'spellings.txt');
    fs.writeFileSync(file, 'example.com Example.com. 見本.jp xn--8pvz87e.jp\n');
    const { out } = await run(['--watch', file, '--expiring', '3650', '--json'], 2);
    const domains = out
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as NameEvent).domain);
    expect(domains.sort()).toEqual(['example.com', 'xn--8pvz87e.jp']);
  });

  it.each(['none/state.json', '.'])('says at the start that --state %s cannot be used', async (state) => {
    const file = path.join(folder, 'watched.txt');
    fs.writeFileSync(file, 'example.com\n');
    const { code, err } = await run(['--watch', file, '--state', path.join(folder, state)]);
    expect([code, err]).toEqual([EXIT.usage, expect.stringMatching(/--state .* cannot be used/)]);
  });

  it('says that --state can no longer be written, as at a full disk', async () => {
    const file = path.join(folder, 'unwritten.txt');
    fs.writeFileSync(file, 'example.com\n');
    const state = path.join(folder, 'unwritten.json');
    // Where its new content would be written first.
    fs.mkdirSync(`${state}.part`);
    const { code, err } = await run(['--watch', file, '--state', state]);
    expect([code, err]).toEqual([EXIT.usage, expect.stringMatching(/--state .* cannot be used/)]);
  });

  it.each([{ registrar: {} }, { expirationDate: 5 }])(
    'never writes a --state that the next run would refuse: %j',
    async (changed) => {
      const parsed = { registrar: null, nameServers: [], status: [], expirationDate: null, ...changed };
      const line = { domain: 'a.example', state: 'registered', raw: '', parsed, hops: [] };
      const address = await serveHttp((_request, response) => {
        response.writeHead(200, { 'Content-Type': 'application/x-ndjson' }).end(`${JSON.stringify(line)}\n`);
      });
      const file = path.join(folder, 'hostile.txt');
      fs.writeFileSync(file, 'a.example\n');
      const state = path.join(folder, 'hostile.json');
      const { code, err } = await run(['--watch', file, '--state', state, '--base-url', address]);
      expect([code, err]).toEqual([1, expect.stringContaining(`(${Object.keys(changed).join()}: `)]);
      expect(fs.existsSync(state)).toBe(false);
    },
  );

  it('names the look-ups that failed', async () => {
    const file = path.join(folder, 'failing.txt');
    fs.writeFileSync(file, 'no-such-tld.invalidtld\n');
    expect((await run(['--watch', file])).err).toMatch(/No look-up \(\w+\).*no-such-tld\.invalidtld/);
  });

  it('says that the file has no names, as after a failed script that writes it', async () => {
    const file = path.join(folder, 'empty.txt');
    fs.writeFileSync(file, '# none\n');
    expect((await run(['--watch', file])).err).toContain('There is no name to watch.');
  });
});

it('a change, also after the limit, sends no control sequences of a response to the terminal', async () => {
  const registrars = ['Kamome Names', 'x\u001b[31m\u202e'];
  let requests = 0;
  const address = await serveHttp((_request, response) => {
    if (requests++ === 0) return response.writeHead(429).end('{"error":{"code":"rate_limited"}}');
    const registrar = registrars.length > 1 ? registrars.shift() : registrars[0];
    const parsed = { registrar, nameServers: [], status: [], expirationDate: null };
    response.setHeader('Content-Type', 'application/json');
    return response.end(JSON.stringify({ domain: 'a.example', state: 'registered', raw: '', parsed }));
  });
  const file = path.join(temporaryFolder(), 'names.txt');
  fs.writeFileSync(file, 'a.example\na.EXAMPLE.\n');
  const line = ['whois', '--watch', file, '--base-url', address];
  const { out, err } = await runRecorded(line, interruptedAtPause(3));
  expect(err).not.toContain('No look-up');
  expect(out).toContain('Kamome Names -> x');
  expect(out).not.toMatch(/[\u001b\u202e]/);
});
