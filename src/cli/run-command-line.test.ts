import http from 'node:http';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordingTerminal } from '../../test/cli/recording-terminal.ts';
import { startCatalogue } from '../catalogue/main.ts';
import { startRegistration } from '../registration/main.ts';
import {
  ADULT_SEARCH_PARAMETERS,
  NOVEL_SEARCH_PARAMETERS,
  USER_SEARCH_PARAMETERS,
} from '../catalogue/novels/search-parameters.ts';
import { ERROR_TABLE } from '../errors.ts';
import { COMMANDS } from './commands.ts';
import { JAPANESE_ERRORS } from './japanese.ts';
import { runCommandLine } from './run-command-line.ts';
import { languageOf, translated } from './say.ts';
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
  return { code, ...terminal.written(), opened: terminal.opened };
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
    expect(out).toMatch(new RegExp(`^Ncode +${ncode}$`, 'm'));
    expect(Math.max(...out.split('\n').map(displayWidth))).toBeLessThanOrEqual(60);
  });

  it('a ranking shows its first, and keeps novels that are gone', async () => {
    const { out, err } = await run('ranking weekly --date 2026-01-05');
    expect(out.split('\n')[0]).toMatch(/^RANK +POINTS +NCODE +TITLE +AUTHOR +GENRE$/);
    expect(out.trimEnd().split('\n')).toHaveLength(21);
    expect(err).toContain('weekly ranking of 2026-01-05: 20 of 300; all with --top 300');
  });

  it('several rankings are listed by date, a year of them by as many requests as it takes', async () => {
    const few = await run('ranking weekly --from 2026-01-01 --to 2026-01-15 --top 2');
    expect(few.out.match(/2026-01-\d\d/g)).toEqual(['2026-01-05', '2026-01-05', '2026-01-12', '2026-01-12']);
    expect(few.err).toContain('2 weekly rankings');
    const year = await run('ranking monthly --from 2023-01-01 --to 2026-10-31 --top 1 --csv');
    expect(year.out.split('\r\n')[0]).toBe('date,rank,pt,ncode');
    expect(new Set(year.out.match(/^\d{4}-\d\d-01/gm)).size).toBe(46);
    const open = await run('ranking daily --from 2026-11-01 --json --top 1');
    expect((JSON.parse(open.out) as { data: { entries: unknown[] }[] }).data[0]?.entries).toHaveLength(1);
  });

  it('several histories come in one go, and what does not exist is named', async () => {
    const ncode = await someNcode();
    const csv = await run(`history ${ncode} N0003TA N9999ZZ --csv --type daily`);
    expect(csv.code).toBe(3);
    expect(csv.out.split('\r\n')[0]).toBe('ncode,type,date,rank,pt');
    expect(csv.out).toMatch(new RegExp(`^${ncode},daily,`, 'm'));
    expect(csv.err).toContain('There is no novel N9999ZZ.');
    const drawn = await run(`history ${ncode} N0003TA`);
    expect([drawn.code, drawn.out.startsWith(ncode)]).toEqual([0, true]);
    expect(drawn.err).toContain('N0003TA never stood in any ranking.');
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
    expect(out).toContain('Expires       2031-04-09T01:30:00Z  (in 4 years)\n');
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

  it('reads names from standard input or a file, without comments, each once', async () => {
    const text = '# ours\nexample.jp  # sold?\n\n free-name.org,example.jp #x y\n';
    const folder = await mkdtemp(path.join(tmpdir(), 'mokuroku-cli-'));
    const file = path.join(folder, 'names.txt');
    await writeFile(file, text);
    const fromInput = await run('whois - --csv', { readInput: () => Promise.resolve(text) });
    const fromFile = await run(['whois', '--from', file, '--csv']);
    const missing = await run(['whois', '--from', path.join(folder, 'none.txt')]);
    await rm(folder, { recursive: true });
    for (const { out } of [fromInput, fromFile]) {
      const rows = out.trimEnd().split('\r\n');
      expect(rows.map((line) => line.split(',')[0])).toEqual(['name', 'example.jp', 'free-name.org']);
    }
    expect([missing.code, missing.err]).toEqual([2, expect.stringContaining('--from')]);
  });

  it('says whether a name could be had, who its registrar is and whether it is signed', async () => {
    const { out } = await run('whois example.com');
    expect(out).toMatch(/^Available +no$/m);
    expect(out).toMatch(/^Registrar +Kamome Names \(sample\) \(IANA 9999\)$/m);
    expect(out).toMatch(/^DNSSEC +unsigned$/m);
    const free = await run('whois free-name.org');
    expect([free.code, free.out]).toEqual([3, expect.stringMatching(/^Available +yes$/m)]);
    const rows = (await run('whois example.com free-name.org --csv')).out.split('\r\n');
    const column = rows[0]?.split(',').indexOf('available') ?? 0;
    expect([rows[1]?.split(',')[column], rows[2]?.split(',')[column]]).toEqual(['no', 'yes']);
  });

  it('goes on after the limit without asking twice, and says that it waits', async () => {
    const limited = await startRegistration({ LOG_LEVEL: 'silent', RATE_LIMIT: '3', REGISTRATION_PORT: '0' });
    const names = ['a1.com', 'a2.com', 'a3.com', 'a4.com', 'example.com'];
    // Nothing becomes free while no time passes: two minutes of waiting bring nothing, and end.
    const { code, out, err } = await run(['whois', ...names, '--json', '--base-url', limited.address], {
      errIsTerminal: true,
    });
    await limited.close();
    const codes = out
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { error?: { code: string } }).error?.code);
    expect([code, codes.filter((each) => each === 'rate_limited').length]).toEqual([5, 2]);
    expect(err).toMatch(/█{12}░{8} 3\/5 waiting \d+ s/);
  });

  it('writes what was answered when it is interrupted', async () => {
    const abort = new AbortController();
    const server = http.createServer((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
      const parsed = { nameServers: [], status: [] };
      response.write(`${JSON.stringify({ domain: 'b.example', raw: '', state: 'registered', parsed })}\n`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const terminal = recordingTerminal({
      errIsTerminal: true,
      interrupted: abort.signal,
      environment: { MOKUROKU_REGISTRATION_URL: `http://127.0.0.1:${port}` },
    });
    const err = (text: string) => {
      if (text.includes('1/2')) abort.abort(new Error('interrupted'));
    };
    const code = await runCommandLine(['whois', 'a.example', 'b.example', '--json'], { ...terminal, err });
    server.closeAllConnections();
    server.close();
    expect([code, terminal.written().out]).toEqual([130, expect.stringContaining('"domain":"b.example"')]);
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
    ['ranking --watch --date 2026-01-05', '--watch waits for the newest ranking'],
    ['ranking --to 2026-01-05', '--to needs --from'],
    ['ranking --from 2026-01-05 --date 2026-01-05', '--from asks for several rankings'],
    ['ranking --top 0', 'a whole number from 1 on is wanted'],
    ['novel -x', 'novel has no option -x.'],
    ['users し --web=1', '--web takes no value.'],
    ['serve now', 'serve takes no words beside its options, not 1.'],
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
    expect((await run('whois a.silent')).code).toBe(4);
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

  it('5: the registry throttles', async () => {
    expect((await run('whois a.busy')).code).toBe(5);
  });

  it('1, not 3, when something else stands at the address', async () => {
    const server = http.createServer((_request, response) => response.writeHead(404).end('<html>'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { code } = await run(`novel N0001A --base-url http://127.0.0.1:${port}`);
    server.close();
    expect(code).toBe(1);
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

describe('in Japanese', () => {
  it('facts, notes, headings and errors are said in the words of the page', async () => {
    const ncode = await someNcode();
    const { out, err } = await run(`novel ${ncode}`, { language: 'ja' });
    expect(out).toMatch(/^題名 +\S/);
    expect(out).toMatch(new RegExp(`^Nコード +${ncode}$`, 'm'));
    expect(err).toContain('架空のもの');
    expect((await run('novels --lim 3', { language: 'ja' })).out).toMatch(/^Nコード +題名 +作者/);
    expect((await run('whois example.com', { language: 'ja' })).out).toContain('(4 年後)');
    expect((await run('novel N9999ZZ', { language: 'ja' })).err).toContain('見つかりません。');
    expect((await run('novels --help', { language: 'ja' })).out).toContain('使い方: mokuroku novels');
  });

  it('JSON and CSV are the same in every language', async () => {
    for (const format of ['--json', '--csv']) {
      const line = `ranking weekly --date 2026-01-05 --raw ${format}`;
      const withoutTimes = (text: string) => text.replace(/"(tookMs|cached)": .*/g, '');
      expect(withoutTimes((await run(line, { language: 'ja' })).out)).toBe(
        withoutTimes((await run(line)).out),
      );
    }
  });

  it('every text of the help has its Japanese, but for the parameters of the API', async () => {
    const fromApi = { ...ADULT_SEARCH_PARAMETERS, ...NOVEL_SEARCH_PARAMETERS, ...USER_SEARCH_PARAMETERS };
    const commands = await Promise.all(Object.values(COMMANDS).map((load) => load()));
    const texts = commands.flatMap(({ summary, word, args }) => [
      summary,
      ...(word ? [word.description] : []),
      ...Object.entries(args).flatMap(([name, { description, group }]) => [
        ...(name in fromApi && name !== 'date' ? [] : [description]),
        ...(group ? [group] : []),
      ]),
    ]);
    expect([...new Set(texts)].filter((text) => translated({ language: 'ja' }, text) === text)).toEqual([]);
  });

  it('every error of the services has its Japanese', () => {
    expect(Object.keys(ERROR_TABLE).filter((code) => !Object.hasOwn(JAPANESE_ERRORS, code))).toEqual([]);
  });

  it.each([
    [{ LANG: 'ja_JP.UTF-8' }, 'ja'],
    [{ LANG: 'ja_JP.UTF-8', LC_ALL: 'C' }, 'en'],
    [{ LANG: 'en_GB.UTF-8', LC_MESSAGES: 'ja' }, 'ja'],
    [{ LANG: 'jam_JM' }, 'en'],
  ])('%j: %s', (environment, language) => {
    expect(languageOf(environment)).toBe(language);
  });
});

describe('--web', () => {
  it.each([
    ['novels 雨 街 --genre 201 --title', '/?word=%E9%9B%A8+%E8%A1%97&title=1&genre=201'],
    ['novels --adult --nocgenre 2', '/?r18=1&nocgenre=2'],
    ['novel N0001A', '/?ncode=N0001A'],
    ['history N0001A', '/?ncode=N0001A'],
    ['ranking weekly --date 2026-01-05', '/?ranking=weekly&date=2026-01-05'],
    ['users し', '/?authors=%E3%81%97'],
    ['user 12', '/?userid=12'],
    ['whois example.jp --registrar', '/?domain=example.jp&follow=registrar'],
  ])('%s opens %s of the service', async (line, view) => {
    const { code, out, opened } = await run(`${line} --web --base-url localhost:8080/api/`);
    expect([code, out, opened]).toEqual([
      0,
      `http://localhost:8080/api${view}\n`,
      [`http://localhost:8080/api${view}`],
    ]);
  });
});

describe('ranking --watch', () => {
  it('shows each newer ranking once, goes on after a failure, and ends with Ctrl-C', async () => {
    const stop = new AbortController();
    const dates = ['2026-11-20', '2026-11-20', 'down', '2026-11-21', '2026-11-21'];
    const server = http.createServer((_request, response) => {
      const date = dates.shift() ?? '';
      if (date === 'down') response.writeHead(503).end('{"error":{"code":"overloaded","message":"Busy."}}');
      else
        response.end(
          `{"data":[{"rank":1,"pt":5,"ncode":"N0001A","title":"${date}"}],"meta":{"date":"${date}"}}`,
        );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { code, out, err } = await run(`ranking --watch --base-url http://127.0.0.1:${port}`, {
      interrupted: stop.signal,
      pause: () => {
        if (dates.length === 0) stop.abort(new Error('interrupted'));
        stop.signal.throwIfAborted();
        return Promise.resolve();
      },
    });
    server.close();
    expect([code, out.match(/2026-\d\d-\d\d/g)]).toEqual([130, ['2026-11-20', '2026-11-21']]);
    expect(err).toContain('Busy.');
  });
});

describe('help', () => {
  it('shows examples that can be typed as they are, and bring something', async () => {
    const asking = ['novels', 'novel', 'ranking', 'history', 'users', 'user', 'whois'];
    const commands = await Promise.all(asking.map((name) => COMMANDS[name]!()));
    for (const example of commands.flatMap(({ examples }) => examples)) {
      const [line = '', file] = example.replace('mokuroku ', '').split(' < ');
      const readInput = () => Promise.resolve(file === undefined ? '' : 'example.com\nexample.jp\n');
      const { code, out } = await run(line, { readInput });
      // One of them shows what a free name looks like.
      expect([example, code]).toEqual([example, line.includes('free-name') ? 3 : 0]);
      expect([example, out.split('\n').length > 2]).toEqual([example, true]);
    }
  });

  it('groups the options of a search', async () => {
    const { out } = await run('help novels');
    const headings = out.split('\n').filter((line) => /^[A-Z][\w ]+$/.test(line));
    expect(headings).toEqual(['Words', 'Which ones', 'Order and fields', 'Output', 'Service']);
  });

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
