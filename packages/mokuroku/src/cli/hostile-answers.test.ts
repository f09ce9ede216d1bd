import { describe, expect, it } from 'vitest';
import type { Language } from '@mokuroku/kit';
import { serveHttp } from '../../../../test/http/serve-http.ts';
import { runRecorded } from '../../test/cli/recording-terminal.ts';

const META = { cached: false, tookMs: 1, source: 'novelapi' };
const LOOK_UP = { domain: 'a.example', raw: '', parsed: { nameServers: [], status: [] } };

/** A command's reaction to a response of another version. */
async function run(line: string, answer: object, status = 200, language: Language = 'en') {
  const address = await serveHttp((_request, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
  });
  return runRecorded([...line.split(' '), '--base-url', address], { language });
}

describe('a response of an unexpected form', () => {
  it.each([
    ['novels', { data: [{ title: 5 }], meta: META }],
    ['novel N0001A', { data: { story: ['a'] }, meta: META }],
    ['ranking --from 2026-01-01', { data: [{ date: null }], meta: META }],
    ['history N0001A', { data: [{ type: 'daily', date: 5 }], meta: META }],
    ['users', { data: [{ userid: null }], meta: META }],
    ['whois a.example', LOOK_UP],
    ['changes', { data: [{ kind: 'new', noticedAt: 'soon', cursor: 'a' }], meta: { ...META, next: 'a' } }],
  ])('%s: is reported in a sentence, with exit code 1', async (line, given) => {
    const { code, err } = await run(line, given);
    expect(err).toMatch(/^The response has an unknown format for this version of the command \(.+\)\.\n$/);
    expect(code).toBe(1);
  });

  it.each([
    ['toString', undefined],
    ['__proto__', undefined],
    ['registry_unavailable', { hops: [null, null, null] }],
    ['invalid_parameter', [{ reason: 'no', values: [{ toString: 1 }], nearest: [null] }]],
  ])('is an error whatever its code and details are: %s, %j', async (code, details) => {
    for (const language of ['ja', 'en'] as const) {
      const error = { code, message: 'Wrong\u001b.', details };
      const { code: exit, err } = await run('novels', { error }, 400, language);
      expect(exit).toBe(2);
      expect(err).toMatch(/^[^\u001b]+$/);
    }
  });

  it.each(['constructor', 'toString', '__proto__'])(
    'prints a kind of evidence as it is: %s',
    async (kind) => {
      const evidence = { line: 'No match.', kind };
      const error = { code: 'not_registered', message: 'Wrong.', details: { evidence } };
      const { out } = await run('whois a.example', { error }, 404, 'ja');
      expect(out).toContain(` ${kind} No match.`);
    },
  );

  it('sends no control sequences of a raw text to the terminal', async () => {
    const { out } = await run('whois a.example --raw', { ...LOOK_UP, raw: 'a\u001b[2J\r\n\u202eb' });
    expect(out).toBe('a [2J\n b\n');
  });

  // Each word is compared with each value: without bounds that takes hours.
  it('compares and shows no more of its faults than any service sends', async () => {
    const values = [...Array.from({ length: 200 }, (_, at) => `w${at}`), 'value'];
    const given = `valve-${'v'.repeat(300)}`;
    const fault = { parameter: 'of', given, values, reason: 'no such code', allowed: '' };
    const error = { code: 'invalid_parameter', message: 'Wrong.', details: Array(5_000).fill(fault) };
    const { code, err } = await run('novels', { error }, 400);
    const line = `  of ${given.slice(0, 200)}: no such code.\n`;
    expect([code, err]).toEqual([2, `Invalid request:\n${line.repeat(50)}`]);
  });

  it('is no longer than any of a service', async () => {
    const error = { code: 'not_found', message: 'x'.repeat(1_000_000) };
    expect((await run('novel N0001A', { error }, 404)).err).toBe(`${'x'.repeat(2_000)}\n`);
  });

  it('shows its faults as far as they are readable', async () => {
    const fault = { parameter: 'order', given: 'x', reason: 'no such order' };
    const error = { code: 'invalid_parameter', message: 'Wrong.', details: [null, fault, 5] };
    const { code, err } = await run('novels', { error }, 400);
    expect([code, err]).toEqual([2, 'Invalid request:\n  order x: no such order.\n']);
  });
});

it.each(['kindling', 'toString'])(
  'an event of a kind that a newer service has is printed by its name: %s',
  async (kind) => {
    const title = 'a\u001b[2J';
    const data = [{ kind, title, ncode: 'N0001A', noticedAt: '2026-01-05T00:00:00Z', cursor: 'b' }];
    const { code, out } = await run('changes', { data, meta: { ...META, next: 'b', more: false } });
    expect([code, out]).toEqual([0, expect.stringMatching(new RegExp(`${kind}.* a \\[2J\\n`))]);
  },
);

it('a name that a registry rejects is shown with the line that does, and availability only if it is known', async () => {
  const evidence = { line: 'Not accepted.', kind: 'sentence' };
  const rejected = { code: 'invalid_domain', message: 'Wrong.', details: [{ evidence }] };
  expect((await run('whois a.example', { error: rejected }, 400)).out).toContain('Not accepted.');
  const error = { code: 'no_registry_service', message: 'None.' };
  const { out } = await run('whois a.example --csv', { error }, 501);
  expect(out).toMatch(/\r\na\.example,no_registry_service,+None\.\r\n$/);
});

it('an entry of a ranking without its novel says whether that is withdrawn or unknown', async () => {
  const entry = { rank: 1, pt: 5, ncode: 'N0001A' };
  const data = [entry, { ...entry, unknown: 'novel_unknown' }, { ...entry, writer: 'W' }];
  const { out } = await run('ranking', { data, meta: { ...META, date: '2026-01-05' } });
  expect(out).toMatch(/\(no longer listed\)\n.*\(not available here\)\n.*\(not available here\)  W\n$/);
});

it('no response can send control sequences to the terminal', async () => {
  const bad = 'x\u001b[31m\u202e';
  const { out, err } = await run('ranking', { data: [], meta: { ...META, date: bad, ignored: [bad] } });
  const drawn = await run('history N0001A', {
    data: [{ type: 'daily', date: bad, rank: bad, pt: 1 }],
    meta: META,
  });
  expect(out + err + drawn.out + drawn.err).not.toMatch(/[\u001b\u202e]/);
});

it.each(['novels --csv', 'novels --json', 'whois a.example --csv', 'whois a.example --json'])(
  '%s shows data without control sequences on a terminal, and as they are in a pipe',
  async (line) => {
    const bad = 'x\u009b31m\u202e';
    const record = line.startsWith('whois') ? { ...LOOK_UP, whoisServer: bad } : { title: bad };
    const answer = line.startsWith('whois') ? record : { data: [record], meta: META };
    const address = await serveHttp((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
    });
    const words = [...line.split(' '), '--base-url', address];
    expect((await runRecorded(words, { columns: 80 })).out).toContain('x 31m ');
    expect((await runRecorded(words)).out).toContain(bad);
  },
);
