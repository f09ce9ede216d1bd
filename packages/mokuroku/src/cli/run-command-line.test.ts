import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveHttp } from '../../../../test/http/serve-http.ts';
import { commandOnSample } from '../../test/cli/command-on-sample.ts';
import { runRecorded } from '../../test/cli/recording-terminal.ts';
import { readWholeNumber } from './command.ts';
import { COMMANDS } from './commands.ts';
import { exitCodeOf } from './exit-codes.ts';
import { displayWidth } from './text-width.ts';

const { run, open, close, catalogueUrl, registrationUrl } = commandOnSample();
beforeAll(open);
afterAll(close);

it('a flag may be repeated', async () => {
  expect((await run('novels --lim 1 --json --json')).code).toBe(0);
});

it('a setting of blanks is not set', async () => {
  const environment = { MOKUROKU_CATALOGUE_URL: ' ' };
  expect((await runRecorded(['users', '--web'], { environment })).out).toBe(
    'http://127.0.0.1:3000/?authors=\n',
  );
});

describe('a wrong command line', () => {
  it.each([
    ['novl', 'There is no command novl. Did you mean novel?'],
    ['novels --ordr hyoka', 'novels has no option --ordr. Did you mean --order?'],
    ['novels --order', '--order needs a value'],
    ['novels --order --json', '--order needs a value'],
    ['novels --order ', '--order needs a value'],
    ['changes --exec=', '--exec needs a value'],
    ['changes --exec=\u3000', '--exec needs a value'],
    ['mcp --base-url ', '--base-url needs a value'],
    ['novels --json=yes', '--json takes no value.'],
    ['novels --json --csv', '--json cannot be combined with --csv.'],
    ['novels --json --ndjson', '--json cannot be combined with --ndjson.'],
    ['novels --ndjson --csv', '--csv cannot be combined with --ndjson.'],
    ['novels --genre 201 --genre=202', '--genre is given twice.'],
    ['novel', 'novel needs <ncode>'],
    ['novel ', 'novel needs <ncode>'],
    ['novel N0001A N0002A', 'novel takes one word beside its options, not 2.'],
    ['history N0001A --type dayly', 'Did you mean daily?'],
    ['ranking --to 2026-01-05', '--to needs --from.'],
    ['ranking --from 2026-01-05 --date 2026-01-05', '--from cannot be combined with --date.'],
    ['ranking --from 2026-01-05 --of t', '--from cannot be combined with --of.'],
    ['ranking --from 2026-01-05 --genre 201', '--from cannot be combined with --genre.'],
    ['ranking --order rise --raw', '--raw cannot be combined with --order.'],
    ['ranking --of t --raw', '--raw cannot be combined with --of.'],
    ['ranking --web --order rise', '--web cannot be combined with --order.'],
    ['ranking --lim 0', 'a whole number from 1 to 300'],
    ['novel -x', 'novel has no option -x.'],
    ['users し --web=1', '--web takes no value.'],
    ['serve now', 'serve takes no words beside its options, not 1.'],
    ['whois a.com b.com --raw', '--raw shows one name only.'],
    ['whois a.com --raw --csv', '--raw cannot be combined with --csv.'],
    ['whois a.com --raw --json', '--raw cannot be combined with --json.'],
    ['whois a.com --direct --web', '--direct cannot be combined with --web.'],
    ['whois a.com --direct --base-url a', '--direct cannot be combined with --base-url.'],
    ['whois --watch none --raw', '--watch cannot be combined with --raw.'],
    ['whois --watch none a.com', 'whois takes its names from --watch or from the command line, not both.'],
    ['whois --from none a.com', 'whois takes its names from --from or from the command line, not both.'],
    ['whois a.com --post a.example', '--post needs --watch.'],
    ['whois a.com --state a.json', '--state needs --watch.'],
    ['changes --post a.example --exec true', '--post cannot be combined with --exec.'],
    ['whois - a.com', 'whois reads names from standard input (-) or from the command line, not both.'],
    ['--json novels', 'Options follow the command'],
    ['novels --base-url http://', 'is not the address of a service'],
    ['whois a.com --base-url ftp://127.0.0.1:1', 'is not the address of a service'],
    ['mcp --base-url ,', 'is not the address of a service'],
    ['novels --help=order', '--help takes no value.'],
    ['mcp --direct --base-url 127.0.0.1:1', '--direct cannot be combined with --base-url.'],
  ])('%s: exit code 2 and the valid form', async (line, message) => {
    const { code, out, err } = await run(line);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(message);
  });

  it('is found by rules that name options which exist', async () => {
    const commands = await Promise.all(Object.values(COMMANDS).map(({ load }) => load()));
    const names = new Set(commands.flatMap(({ args }) => Object.keys(args)));
    for (const { args } of commands) {
      for (const { needs, excludes = [] } of Object.values(args)) {
        if (needs !== undefined) expect(args).toHaveProperty(needs);
        // Some are shared with commands that lack the other: only novels has --ndjson.
        for (const other of excludes) expect(names).toContain(other);
      }
    }
  });

  it.each([
    ['novels --order hyokka', 'Did you mean hyoka?'],
    ['novels --of t-nn', 'Did you mean n?'],
    ['ranking weekly --date 2026-01-06', 'Did you mean 2026-01-05 or 2026-01-12?'],
    ['ranking wekly', 'Did you mean weekly?'],
    ['ranking yearly --from 2026-01-05 --to 2026-01-06', 'one of: daily, weekly, monthly, quarterly'],
    ['ranking --from 2026-01-05 --to 2025-01-05', 'before from, which is 2026-01-05'],
    ['ranking --from 2026-01-05 --to soon', 'not a date in the form YYYY-MM-DD'],
    ['novel nonsense', 'an Ncode: N, four digits, one or two letters'],
  ])(
    '%s: the service finds the fault, and the nearest valid spelling is suggested',
    async (line, message) => {
      const { code, err } = await run(line);
      expect(code).toBe(2);
      expect(err).toContain(message);
    },
  );
});

it('a whole number has digits only and lies within its bounds, which are named otherwise', () => {
  expect(['1', '2'].map((given) => readWholeNumber('--keep', given, 1, 2))).toEqual([1, 2]);
  for (const given of ['0', '3', '', 'one', '1.0', '-1', '1e0']) {
    expect(() => readWholeNumber('--keep', given, 1, 2)).toThrow(
      `--keep ${given}: use a whole number from 1 to 2.`,
    );
  }
});

describe('the exit code is', () => {
  it.each([
    ['not_found', 404, 3],
    ['invalid_parameter', 400, 2],
    ['uri_too_long', 414, 2],
    ['rate_limited', 429, 5],
    ['registry_rate_limited', 503, 5],
    ['upstream_unavailable', 503, 4],
    ['not_available_here', 501, 4],
    ['unreachable', 0, 4],
    // A 200 without JSON comes from another program; a proxy in front of a stopped service sends a 5xx.
    ['not_json', 200, 1],
    ['not_json', 404, 1],
    ['not_json', 429, 5],
    ['not_json', 499, 1],
    ['not_json', 500, 4],
    ['not_json', 502, 4],
    ['internal', 500, 1],
  ])('for %s with status %i: %i', (code, status, exitCode) => {
    expect(exitCodeOf({ code, status })).toBe(exitCode);
  });

  it('3: not found', async () => {
    expect((await run('novel N9999ZZ')).code).toBe(3);
    expect((await run('ranking daily --date 2040-01-01')).code).toBe(3);
  });

  it('4: unreachable, with a remedy', async () => {
    const { code, err } = await run('novels --base-url 127.0.0.1:1');
    expect([code, err]).toEqual([4, expect.stringContaining('mokuroku serve')]);
    const ofAgents = await run('mcp --base-url user:secret@127.0.0.1:1');
    expect([ofAgents.code, ofAgents.err]).toEqual([
      4,
      expect.stringContaining('http://127.0.0.1:1 is unreachable'),
    ]);
    const several = await run('whois a.com b.com --base-url 127.0.0.1:1');
    expect(several.out.match(/unreachable/g)).toHaveLength(2);
    expect(several.err.match(/mokuroku serve/g)).toHaveLength(1);
    expect((await run('whois a.silent')).code).toBe(4);
  });

  it('5: too many requests, with the time to wait', async () => {
    const address = await serveHttp((_request, response) => {
      response.writeHead(429, { 'Retry-After': '9' });
      response.end('{"error":{"code":"rate_limited","message":"Too many requests."}}');
    });
    const { code, err } = await run(`novels --base-url ${address}`);
    expect([code, err]).toEqual([5, expect.stringContaining('Try again in 9 s.')]);
  });

  it('5: the registry throttles', async () => {
    expect((await run('whois a.busy')).code).toBe(5);
  });

  it('1, not 3, when another program responds at the address', async () => {
    const address = await serveHttp((_request, response) => response.writeHead(404).end('<html>'));
    expect((await run(`novel N0001A --base-url ${address}`)).code).toBe(1);
  });

  it.each(['whois example.com', 'whois example.com a.busy --csv', 'novel N8403VF', 'user 100003', 'novels'])(
    '1, not 3, when `%s` reaches the other service',
    async (line) => {
      const [catalogue, registration] = [catalogueUrl(), registrationUrl()];
      const { code, err, out } = await run(
        `${line} --base-url ${line.startsWith('whois') ? catalogue : registration}`,
      );
      expect([code, err + out]).toEqual([1, expect.stringContaining('not from this service')]);
    },
  );

  it('130: interrupted', async () => {
    const interrupted = AbortSignal.abort(new Error('interrupted'));
    expect((await run('novels', { interrupted })).code).toBe(130);
  });
});

describe('colours', () => {
  it('are used on a terminal only', async () => {
    expect((await run('novels --lim 1', { outHasColour: true })).out).toContain('\u001b[');
    const { out, err } = await run('novels --lim 1');
    expect(out + err).not.toContain('\u001b');
  });
});

describe('help', () => {
  it('shows examples that run as printed and return rows', async () => {
    const sending = ['novels', 'novel', 'ranking', 'history', 'users', 'user', 'whois'];
    const commands = await Promise.all(sending.map((name) => COMMANDS[name]!.load()));
    // Those that watch never end: see watch-names.test.ts and changes.test.ts.
    const ending = commands.flatMap(({ examples }) => examples).filter((each) => !each.includes('--watch'));
    for (const example of ending) {
      const [line = '', file] = example.replace('mokuroku ', '').split(' < ');
      const readInput = () => Promise.resolve(file === undefined ? '' : 'example.com\nexample.jp\n');
      const { code, out } = await run(line, { readInput });
      // One of the examples shows an unregistered name.
      expect([example, code]).toEqual([example, line.includes('free-name') ? 3 : 0]);
      expect([example, out.split('\n').length > 2]).toEqual([example, true]);
    }
  });

  it('of a search lists the ten most used options, and all in groups on demand', async () => {
    const { out: common } = await run('help novels');
    expect(common.match(/^  --\S+/gm)).toHaveLength(10);
    expect(common).toMatch(/^All \d\d options: mokuroku novels --help all$/m);
    const { out } = await run('novels --help all');
    const { args } = await COMMANDS['novels']!.load();
    expect(out.match(/^  --\S+/gm)).toEqual(
      expect.arrayContaining(Object.keys(args).map((name) => `  --${name}`)),
    );
    const headings = out.split('\n').filter((line) => /^[A-Z][\w ]+$/.test(line));
    expect(headings).toEqual([
      'Words',
      'Which ones',
      'Order and fields',
      'Output',
      'Service',
      'Adult novels',
    ]);
  });

  it('lists every command, and every option of a command with what it means', async () => {
    const { code, out } = await run('--help');
    expect(code).toBe(0);
    for (const name of ['novels', 'whois', 'serve']) expect(out).toContain(`  ${name} `);
    const novels = await run('novels --help all', { columns: 80 });
    expect(novels.out).toContain('--notgenre <notgenre>');
    expect(Math.max(...novels.out.split('\n').map(displayWidth))).toBeLessThanOrEqual(80);
  });

  it('without a command goes to standard error', async () => {
    expect(await run([])).toMatchObject({ code: 2, out: '' });
  });
});
