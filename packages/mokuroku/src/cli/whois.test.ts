import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { serveHttp } from '../../../../test/http/serve-http.ts';
import { commandOnSample } from '../../test/cli/command-on-sample.ts';
import { recordingTerminal } from '../../test/cli/recording-terminal.ts';
import { record, rootObject } from '../../../whois/test/loopback-world.ts';
import { startRegistration } from '../registration/main.ts';
import { startWhoisServer } from '../registration/sample/loopback-server.ts';
import { runCommandLine } from './run-command-line.ts';
import type { Terminal } from './terminal.ts';

const linesOf = (out: string): string[] => out.trimEnd().split(/\r?\n/);
const jsonIn = (out: string) =>
  linesOf(out).map((line) => JSON.parse(line) as { domain: string; error?: { code: string } });

const { run, open, close } = commandOnSample();
beforeAll(open);
afterAll(close);

describe('whois', () => {
  it('shows one name with its dates in days', async () => {
    const { code, out } = await run('whois Example.com');
    expect(code).toBe(0);
    expect(out).toContain('Expires       2031-04-09T01:30:00Z  (in 4 years)\n');
    expect(out).toContain('clientTransferProhibited');
  });

  it('shows several in the given order, distinguishes unregistered and failed ones, with progress on a terminal', async () => {
    const { code, out, err } = await run('whois example.jp free-name.org example.de', {
      errColumns: 80,
    });
    const rows = linesOf(out).slice(1);
    expect(rows.map((line) => line.split(/ {2,}/).slice(0, 2))).toEqual([
      ['example.jp', 'registered'],
      ['free-name.org', 'not registered'],
      ['example.de', 'registered'],
    ]);
    expect(code).toBe(3);
    expect(err).toContain('2/3 free-name.org');
  });

  it('writes one JSON line per name, also for failed ones', async () => {
    const { out } = await run('whois example.jp free-name.org --json');
    expect(jsonIn(out).map(({ domain, error }) => [domain, error?.code])).toEqual([
      ['example.jp', undefined],
      ['free-name.org', 'not_registered'],
    ]);
  });

  it('reads names from standard input or a file, without comments, each once in one spelling', async () => {
    const text = '# ours\nexample.jp  # sold?\n\n free-name.org,Example.JP #x y\n';
    const folder = temporaryFolder();
    const file = path.join(folder, 'names.txt');
    await writeFile(file, text);
    const fromInput = await run('whois - --csv', { readInput: () => Promise.resolve(text) });
    const fromFile = await run(['whois', '--from', file, '--csv']);
    const missing = await run(['whois', '--from', path.join(folder, 'none.txt')]);
    for (const { out } of [fromInput, fromFile]) {
      expect(linesOf(out).map((line) => line.split(',')[0])).toEqual(['name', 'example.jp', 'free-name.org']);
    }
    expect([missing.code, missing.err]).toEqual([2, expect.stringContaining('--from')]);
  });

  it('shows availability, registrar and DNSSEC', async () => {
    const { out } = await run('whois example.com');
    expect(out).toMatch(/^Available +no$/m);
    expect(out).toMatch(/^Registrar +Kamome Names \(sample\) \(IANA 9999\)$/m);
    expect(out).toMatch(/^DNSSEC +unsigned$/m);
    const free = await run('whois free-name.org');
    expect([free.code, free.out]).toEqual([3, expect.stringMatching(/^Available +yes$/m)]);
    const rows = linesOf((await run('whois example.com free-name.org a.nosuchtld --csv')).out);
    const column = rows[0]?.split(',').indexOf('available') ?? 0;
    expect(rows.slice(1).map((row) => row.split(',')[column])).toEqual(['no', 'yes', 'no']);
  });

  it('continues after the limit without a second request per name, and reports the wait', async () => {
    const limited = await startRegistration({ LOG_LEVEL: 'silent', RATE_LIMIT: '3', REGISTRATION_PORT: '0' });
    const names = ['a1.com', 'a2.com', 'a3.com', 'a4.com', 'example.com'];
    // The clock stands still, so the limit never refills: waiting ends after two minutes.
    const { code, out, err } = await run(['whois', ...names, '--json', '--base-url', limited.address], {
      errColumns: 80,
    });
    await limited.close();
    const rejected = jsonIn(out).filter(({ error }) => error?.code === 'rate_limited');
    expect([code, rejected.length]).toEqual([5, 2]);
    expect(err).toMatch(/█{12}░{8} 3\/5 waiting \d+ s/);
  });

  it('prints the results so far when it is interrupted', async () => {
    const abort = new AbortController();
    const address = await serveHttp((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
      const parsed = { nameServers: [], status: [] };
      response.write(`${JSON.stringify({ domain: 'b.example', raw: '', state: 'registered', parsed })}\n`);
    });
    const terminal = recordingTerminal({
      errColumns: 80,
      interrupted: abort.signal,
      environment: { MOKUROKU_REGISTRATION_URL: address },
    });
    const err = (text: string) => {
      if (text.includes('1/2')) abort.abort(new Error('interrupted'));
    };
    const code = await runCommandLine(['whois', 'a.example', 'b.example', '--json'], { ...terminal, err });
    expect([code, terminal.written().out]).toEqual([130, expect.stringContaining('"domain":"b.example"')]);
  });

  it('distinguishes an unreadable answer from an unreachable registry, in one name and in several', async () => {
    expect((await run('whois name.broken example.com')).out).toMatch(/^name\.broken +registry unreadable/m);
    expect((await run('whois name.broken')).err).toContain('unreadable answer');
  });

  it('says of a missing field that the registry never publishes it', async () => {
    const { out } = await run('whois example.de');
    expect(out).toMatch(/^Expires +not published by this registry$/m);
    expect(out).toMatch(/^Registrar +not published by this registry$/m);
    const japanese = await run('whois example.de', { language: 'ja' });
    expect(japanese.out).toMatch(/^有効期限 +このレジストリは公開していません$/m);
  });

  it('prints the raw text, also of a name that is not registered', async () => {
    expect((await run('whois example.de --raw')).out).toContain('Domain: example.de');
    expect((await run('whois free-name.org --raw')).out).not.toBe('');
  });
});

it('whois names the fields that a registrar without an answer may state', async () => {
  const { out } = await run('whois dead-registrar-sample.com --registrar');
  expect(out).toMatch(/^Unknown +To be deleted, Registrar expiry, Registrant, Reseller$/m);
  const japanese = await run('whois dead-registrar-sample.com --registrar', { language: 'ja' });
  expect(japanese.out).toMatch(/^不明な項目 +削除予定, レジストラの期限, 登録者, リセラー$/m);
  expect((await run('whois example.com')).out).not.toContain('Unknown');
});

it('whois shows the lines of an unreadable answer, and states that the registry has responded', async () => {
  const { code, out, err } = await run('whois sample.broken');
  expect([code, out]).toEqual([4, 'Evidence  Doma (sentence)\n']);
  expect(err).toContain('The registry sent an unreadable answer.');
  const japanese = await run('whois sample.broken', { language: 'ja' });
  expect(japanese.err).toContain('レジストリの応答を読み取れません');
});

describe('whois --direct', () => {
  /** Servers until the test ends; the first is the root, which names whois.nic.test. Resolves to their addresses. */
  async function serve(...handlers: Parameters<typeof startWhoisServer>[0][]): Promise<string[]> {
    const root: (typeof handlers)[0] = (tld, socket) => socket.end(rootObject(tld, 'whois.nic.test'));
    const servers = await Promise.all([root, ...handlers].map((handler) => startWhoisServer(handler)));
    onTestFinished(async () => void (await Promise.all(servers.map((server) => server.close()))));
    return servers.map(({ port }) => `127.0.0.1:${port}`);
  }

  async function direct(line: string, root = '', of: Partial<Terminal> = {}) {
    const environment = { WHOIS_ROOT: root, ALLOWED_CIDRS: '127.0.0.1/32', ...of.environment };
    return run(`whois --direct ${line}`, { ...of, environment });
  }

  it('aborts a running fetch of the RDAP bootstrap when it is interrupted', async () => {
    const abort = new AbortController();
    const [root] = await serve();
    const fetching = new Set<unknown>();
    const bootstrap = await serveHttp(({ socket }) => {
      fetching.add(socket);
      socket.once('close', () => fetching.delete(socket));
      abort.abort(new Error('interrupted'));
    });
    const environment = { RDAP_BOOTSTRAP: `${bootstrap}/dns.json` };
    expect(await direct('a.test', root, { environment, interrupted: abort.signal })).toMatchObject({
      code: 130,
    });
    // Its own timeout is ten seconds.
    await expect.poll(() => fetching.size, { timeout: 5_000 }).toBe(0);
  });

  it('shows the control of a denial by a server that only a list names', async () => {
    const [root, listed = ''] = await serve((name, socket) =>
      socket.end(name === 'nic.uk.com' ? record(name) : 'No match!!\r\n'),
    );
    const environment = { HOST_MAP: `whois.centralnic.com=${listed}` };
    for (const [language, line] of [
      ['en', 'No match!! (sentence; nic.uk.com: registered)'],
      ['ja', 'レジストリの文面: No match!!（nic.uk.com: 登録あり）'],
    ] as const) {
      const { code, out } = await direct('free.uk.com', root, { environment, language });
      expect([code, out]).toEqual([3, expect.stringContaining(line)]);
    }
  });

  it('queries the registries, or the registrar, by the settings, and is suggested if no service responds', async () => {
    const details = ['Registrar WHOIS Server: whois.registrar.test'];
    const [root, registry = ''] = await serve((name, socket) =>
      socket.end(name === 'free.test' ? 'No match!!\r\n' : record(name, details)),
    );
    const settings = {
      HOST_MAP: `whois.nic.test=${registry},whois.registrar.test=${registry}`,
      RDAP_BOOTSTRAP: 'http://127.0.0.1:9/dns.json',
    };
    const query = (line: string, more: Record<string, string> = {}) =>
      direct(line, root, { environment: { ...settings, ...more } });
    expect((await query('a.test')).out).toMatch(
      /^Queried +127\.0\.0\.1:.*\n.*whois\.nic\.test: [a-z ]+, \d+ ms$/m,
    );
    const csv = await query('a.test free.test --csv');
    expect(csv.code).toBe(3);
    expect(csv.err).toContain('Querying the registries directly, without a service.\n');
    const [header = '', ...rows] = linesOf(csv.out);
    expect(header.endsWith(',daysLeft,reason')).toBe(true);
    expect(rows.map((row) => [row.split(',')[1], row.split(',').at(-1)])).toEqual([
      ['registered', ''],
      ['not_registered', 'free.test is not registered.'],
    ]);
    expect(rows[0]?.split(',').at(-2)).toMatch(/^-?\d+$/);
    expect((await query('a.test')).out).toContain('Registrar     Sample Registrar\n');
    expect((await query('a.test')).out).toContain('Source        whois.nic.test (whois)\n');
    expect((await query('a.test --registrar')).out).toMatch(
      /^Registrar expiry +2031-02-03T04:05:06Z .*^Source +whois\.registrar\.test \(whois\)$/ms,
    );
    const unset = await query('a.test', { RDAP_BOOTSTRAP: '/nowhere/dns.json' });
    expect([unset.code, unset.err]).toEqual([2, expect.stringContaining('RDAP_BOOTSTRAP="/nowhere')]);
    const noService = { environment: { MOKUROKU_REGISTRATION_URL: 'http://127.0.0.1:9' } };
    expect((await run('whois a.test', noService)).err).toContain('mokuroku whois --direct NAME');
  });
});
