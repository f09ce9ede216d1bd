import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordingTerminal } from '../../test/cli/recording-terminal.ts';
import { startCatalogue } from '../catalogue/main.ts';
import { startRegistration } from '../registration/main.ts';
import { runCommandLine } from './run-command-line.ts';
import type { Terminal } from './terminal.ts';
import { displayWidth } from './text-width.ts';

let catalogue: Awaited<ReturnType<typeof startCatalogue>>;
let registration: Awaited<ReturnType<typeof startRegistration>>;

beforeAll(async () => {
  const settings = { LOG_LEVEL: 'silent', RATE_LIMIT: '0', CATALOGUE_PORT: '0', REGISTRATION_PORT: '0' };
  catalogue = await startCatalogue(settings);
  registration = await startRegistration(settings);
});
afterAll(async () => {
  await Promise.all([catalogue.close(), registration.close()]);
});

async function run(line: string | string[], of: Partial<Terminal> = {}) {
  const terminal = recordingTerminal({
    environment: {
      MOKUROKU_CATALOGUE_URL: catalogue.address,
      MOKUROKU_REGISTRATION_URL: registration.address,
    },
    ...of,
  });
  const code = await runCommandLine(typeof line === 'string' ? line.split(' ') : line, terminal);
  return { code, ...terminal.written() };
}

async function someNcode(): Promise<string> {
  const { out } = await run('ranking daily --top 1 --raw --csv');
  return out.split('\r\n')[1]?.split(',')[2] ?? '';
}

describe('novels', () => {
  it('fit the terminal', async () => {
    for (const columns of [60, 80, 120]) {
      const { out } = await run('novels --lim 20', { columns });
      const lines = out.trimEnd().split('\n');
      expect(lines).toHaveLength(21);
      expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(columns);
    }
  });

  it('are searched by words and options, and say where the rest is', async () => {
    const { code, out, err } = await run('novels 異世界 --order hyoka --lim 3 --of n-gp');
    expect(code).toBe(0);
    expect(out).toMatch(/^ *ncode +global_point\n( *N\d{4}[A-Z]{1,2} +\d+\n){3}$/);
    expect(err).toMatch(/found, 1 to 3 shown; more with --st 4/);
    expect(err).toContain('sample data');
  });

  it('as JSON are the answer of the service, as CSV have a header', async () => {
    const json = JSON.parse((await run('novels --lim 2 --of t-n --json')).out) as {
      data: object[];
      meta: object;
    };
    expect(json.data.map((novel) => Object.keys(novel))).toEqual([
      ['title', 'ncode'],
      ['title', 'ncode'],
    ]);
    expect(json.meta).toMatchObject({ source: 'novelapi' });
    expect((await run('novels --lim 1 --of t-n --csv')).out).toMatch(/^title,ncode\r\n.+\r\n$/);
  });

  it('for adults are another search, which tells what has no effect there', async () => {
    const { out, err } = await run('novels --adult --genre 101 --nocgenre 2 --lim 1');
    expect(out).toContain('ムーンライトノベルズ(女性向け)');
    expect(err).toContain('without effect here: genre');
  });
});

describe('one thing at a time', () => {
  it('a novel shows its facts', async () => {
    const ncode = await someNcode();
    const { out } = await run(`novel ${ncode.toLowerCase()}`, { columns: 60 });
    expect(out).toMatch(/^Title +\S/);
    expect(out).toContain(`Ncode        ${ncode}\n`);
    expect(Math.max(...out.split('\n').map(displayWidth))).toBeLessThanOrEqual(60);
  });

  it('a ranking shows its first, and keeps novels that are gone', async () => {
    const { out, err } = await run('ranking weekly --date 2026-01-05');
    expect(out.split('\n')[0]).toMatch(/^RANK +POINTS +NCODE +TITLE +AUTHOR +GENRE$/);
    expect(out.trimEnd().split('\n')).toHaveLength(21);
    expect(err).toContain('weekly ranking of 2026-01-05: 20 of 300; all with --top 300');
  });

  it('a history is drawn as lines of blocks that fit the terminal', async () => {
    const { code, out } = await run(`history ${await someNcode()}`, { columns: 50 });
    expect(code).toBe(0);
    expect(out).toMatch(/^daily +\d+ times; best \d+ \(\d{4}-\d\d-\d\d\)/);
    const drawn = out.split('\n').filter((line) => /[▁-█]/.test(line));
    expect(drawn.length).toBeGreaterThan(0);
    expect(Math.max(...drawn.map(displayWidth))).toBeLessThanOrEqual(50);
  });

  it('users and one user', async () => {
    const { out } = await run('users --lim 1 --csv');
    const [userid = '', name = ''] = out.split('\r\n')[1]?.split(',') ?? [];
    expect((await run(`user ${userid}`)).out).toContain(name);
  });
});

describe('whois', () => {
  it('shows one name with its dates in days', async () => {
    const { code, out } = await run('whois Example.com');
    expect(code).toBe(0);
    expect(out).toContain('Expires       2031-04-09T01:30:00Z  (in 1,600 days)\n');
    expect(out).toContain('clientTransferProhibited');
  });

  it('shows several in the order given, free and unanswered ones told apart, with progress on a terminal', async () => {
    const { code, out, err } = await run('whois example.jp free-name.org example.de', {
      errIsTerminal: true,
    });
    const states = out
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.split(/ {2,}/).slice(0, 2));
    expect(states).toEqual([
      ['example.jp', 'registered'],
      ['free-name.org', 'not registered'],
      ['example.de', 'registered'],
    ]);
    expect(code).toBe(3);
    expect(err).toContain('2/3 free-name.org');
  });

  it('writes one JSON line a name, also for what failed', async () => {
    const { out } = await run('whois example.jp free-name.org --json');
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { domain: string; error?: { code: string } });
    expect(lines.map(({ domain, error }) => [domain, error?.code])).toEqual([
      ['example.jp', undefined],
      ['free-name.org', 'not_registered'],
    ]);
  });

  it('prints the raw text, also of a name that is free', async () => {
    expect((await run('whois example.de --raw')).out).toContain('Domain: example.de');
    expect((await run('whois free-name.org --raw')).out).not.toBe('');
  });
});

describe('a wrong command line', () => {
  it.each([
    ['novl', 'There is no command novl. Did you mean novel?'],
    ['novels --ordr hyoka', 'novels has no option --ordr. Did you mean --order?'],
    ['novels --order', '--order needs a value'],
    ['novels --order --json', '--order needs a value'],
    ['novels --json=yes', '--json takes no value.'],
    ['novels --json --csv', '--json and --csv cannot both be had.'],
    ['novel', 'novel needs <ncode>'],
    ['novel N0001A N0002A', 'novel takes one word beside its options, not 2.'],
    ['history N0001A --type dayly', 'Did you mean daily?'],
    ['completion bsh', 'Did you mean bash?'],
    ['whois a.com b.com --raw', '--raw shows one name only.'],
    ['--json novels', 'Options stand behind the command'],
    ['novels --base-url http://', 'is no address of a service'],
    ['narou-server --switch neverRankd=error', 'Did you mean neverRanked?'],
  ])('%s: exit code 2 and what would be right', async (line, message) => {
    const { code, out, err } = await run(line);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(message);
  });

  it.each([
    ['novels --order hyokka', 'Did you mean hyoka?'],
    ['novels --of t-nn', 'Did you mean n?'],
    ['ranking weekly --date 2026-01-06', 'Did you mean 2026-01-05 or 2026-01-12?'],
    ['ranking wekly', 'Did you mean weekly?'],
    ['novel nonsense', 'an Ncode: N, four digits, one or two letters'],
  ])('%s: the service finds the fault, the nearest right spelling is told', async (line, message) => {
    const { code, err } = await run(line);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});

describe('the exit code tells a script', () => {
  it('3: there is nothing', async () => {
    expect((await run('novel N9999ZZ')).code).toBe(3);
    expect((await run('ranking daily --date 2040-01-01')).code).toBe(3);
  });

  it('4: nobody answers, and how to help that', async () => {
    const server = http.createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const { code, err } = await run(`novels --base-url 127.0.0.1:${port}`);
    expect([code, err]).toEqual([4, expect.stringContaining('mokuroku serve')]);
    expect((await run('whois a.busy')).code).toBe(4);
  });

  it('5: too many requests, and when to come again', async () => {
    const server = http.createServer((_request, response) => {
      response.writeHead(429, { 'Retry-After': '9' });
      response.end('{"error":{"code":"rate_limited","message":"Too many requests."}}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { code, err } = await run(`novels --base-url http://127.0.0.1:${port}`);
    server.close();
    expect([code, err]).toEqual([5, expect.stringContaining('Try again in 9 s.')]);
  });

  it('130: interrupted', async () => {
    const interrupted = AbortSignal.abort(new Error('interrupted'));
    expect((await run('novels', { interrupted })).code).toBe(130);
  });
});

describe('colours', () => {
  it('are there on a terminal only', async () => {
    expect((await run('novels --lim 1', { outHasColour: true })).out).toContain('\u001b[');
    const { out, err } = await run('novels --lim 1');
    expect(out + err).not.toContain('\u001b');
  });
});

describe('help', () => {
  it('lists every command, and every option of a command with what it means', async () => {
    const { code, out } = await run('--help');
    expect(code).toBe(0);
    for (const name of ['novels', 'whois', 'serve', 'completion']) expect(out).toContain(`  ${name} `);
    const novels = await run('help novels', { columns: 80 });
    expect(novels.out).toContain('--notgenre <notgenre>');
    expect(Math.max(...novels.out.split('\n').map(displayWidth))).toBeLessThanOrEqual(80);
  });

  it('without a command goes to standard error', async () => {
    expect(await run([])).toMatchObject({ code: 2, out: '' });
  });
});
