import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { packed, plain } from '../../../../test/catalogue/loopback-upstream.ts';
import type { UpstreamHandler } from '../../../../test/catalogue/loopback-upstream.ts';
import {
  GATE,
  startAnsweredSource,
  codeOf,
  failureOf,
  testTransport,
  unlimitedBudget,
} from '../../test/narou-test-source.ts';
import type { TestLimits } from '../../test/narou-test-source.ts';
import { Budget } from '../upstream/index.ts';
import { NarouGate } from './gate.ts';

/** Another transport, until the end of the test. */
function transportTo(url: string, limits?: TestLimits) {
  const transport = testTransport(url, limits);
  onTestFinished(() => transport.close());
  return transport;
}

describe('a request', () => {
  it('requests JSON in a gzip file with its User-Agent', async () => {
    const { upstream, transport } = await startAnsweredSource([{ allcount: 0 }]);
    await transport.get('/novelapi/api/', 'lim=1&word=%E7%8C%AB');
    const [seen] = upstream.seen;
    expect(seen?.path).toBe('/novelapi/api/');
    expect(Object.fromEntries(seen?.query ?? [])).toEqual({ out: 'json', gzip: '5', lim: '1', word: '猫' });
    expect(seen?.headers['user-agent']).toMatch(/^mokuroku-test\/1\.0 \(contact/);
  });

  it('that fails says nothing about sample data', async () => {
    const { upstream, transport } = await startAnsweredSource(plain('[]', 200, { 'X-Data': 'sample' }));
    await transport.get('/a/', '');
    upstream.answer = plain('fault', 500);
    expect(await codeOf(transport.get('/a/', ''))).toBe('upstream_unavailable');
    expect(transport.isSample()).toBe(true);
  });

  it('keeps the path of the base address', async () => {
    const { upstream } = await startAnsweredSource([]);
    await transportTo(`${upstream.url}/mirror/`).get('/rank/rankin/', 'ncode=N0001A');
    expect(upstream.seen[0]?.path).toBe('/mirror/rank/rankin/');
  });

  it('never opens more connections than allowed, and rejects what would wait too long', async () => {
    const heldReplies: (() => void)[] = [];
    const { upstream, transport } = await startAnsweredSource(
      (_request, response) => {
        heldReplies.push(() => response.end('[]'));
        if (heldReplies.length === 2) arrived();
      },
      { connections: 2, maxWaiting: 1 },
    );
    let arrived: () => void = () => undefined;
    const bothArrived = new Promise<void>((resolve) => (arrived = resolve));
    const three = [1, 2, 3].map((n) => transport.get('/a/', `n=${n}`));
    await bothArrived;
    expect(await codeOf(transport.get('/a/', 'n=4'))).toBe('overloaded');
    expect(upstream.seen).toHaveLength(2);
    upstream.answer = plain('[]');
    for (const release of heldReplies) release();
    await Promise.all(three);
    expect(upstream.seen).toHaveLength(3);
  });
});

it('responses are decompressed one at a time, in the order of their arrival', async () => {
  const large = gzipSync(JSON.stringify([{ allcount: 1 }, { story: ' '.repeat(10_000_000) }]));
  const heldReplies: (() => void)[] = [];
  let missing = large.length;
  const { transport } = await startAnsweredSource(
    ({ path }, response) => {
      if (path === '/large/') response.end(large);
      else heldReplies.push(() => response.end('[]'));
    },
    {
      maxBodyBytes: 20_000_000,
      deadlineMs: 50_000,
      // The small response is sent once the large one is here.
      budget: unlimitedBudget((count) => {
        missing -= count;
        if (missing === 0) heldReplies.pop()?.();
      }),
    },
  );
  const order: string[] = [];
  const get = async (name: string) => {
    await transport.get(`/${name}/`, '');
    order.push(name);
  };
  const small = get('small');
  await expect.poll(() => heldReplies.length).toBe(1);
  await Promise.all([small, get('large')]);
  expect(order).toEqual(['large', 'small']);
});

describe('a body', () => {
  const value = [{ allcount: 1 }, { title: '霧の港/𠮟' }];
  const text = JSON.stringify(value);
  it.each<[string, UpstreamHandler]>([
    ['a gzip file', packed(value)],
    ['plain JSON', plain(text)],
    ['JSON with a byte order mark', plain(`\uFEFF${text}`)],
    ['packed as a file and once more by a proxy', (_q, r) => r.end(gzipSync(gzipSync(text)))],
    [
      'a gzip file with a header that says so',
      (_q, r) => r.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(text)),
    ],
    [
      'a gzip file in many small pieces',
      (_q, r) => {
        for (const byte of gzipSync(text)) r.write(Buffer.from([byte]));
        r.end();
      },
    ],
  ])('is parsed in the form of %s', async (_what, answer) => {
    const { transport } = await startAnsweredSource(answer);
    expect(await transport.get('/a/', '')).toEqual({ json: value });
  });

  it.each([200, 400, 404, 500, 503])(
    'with an error text is parsed with status %i, compressed or not',
    async (status) => {
      const { upstream, transport } = await startAnsweredSource(plain('Error: Novel not found.', status));
      expect(await transport.get('/a/', '')).toEqual({ errorText: 'Error: Novel not found.' });
      upstream.answer = (_q, r) => r.writeHead(status).end(gzipSync('DATE ERROR[2]'));
      expect(await transport.get('/a/', '')).toEqual({ errorText: 'DATE ERROR[2]' });
    },
  );
});

describe('a failure', () => {
  const SECRET = 'internal-host-17';
  it.each<[string, UpstreamHandler, string]>([
    ['too many requests', plain(SECRET, 429), 'upstream_unavailable'],
    ['a redirect', plain(SECRET, 302, { location: 'http://127.0.0.1:1/' }), 'upstream_invalid'],
    ['JSON cut off', plain(`[{"allcount":1},{"title":"${SECRET}`), 'upstream_invalid'],
    ['JSON with a status of a redirect', plain(`["${SECRET}"]`, 302), 'upstream_invalid'],
    ['bytes that are not UTF-8', (_q, r) => r.end(Buffer.from('["\xe9"]', 'latin1')), 'upstream_invalid'],
    ['a page that is not UTF-8', (_q, r) => r.end(Buffer.from('<p>\xe9', 'latin1')), 'upstream_unavailable'],
    ['lists too deep', plain('['.repeat(17) + ']'.repeat(17)), 'upstream_invalid'],
    ['objects too deep', plain('{"a":'.repeat(17) + '1' + '}'.repeat(17)), 'upstream_invalid'],
    ['more bytes than allowed', plain('[]'.padEnd(40_000)), 'upstream_invalid'],
    ['packed three times', (_q, r) => r.end(gzipSync(gzipSync(gzipSync('[]')))), 'upstream_invalid'],
    [
      'few bytes that unpack to more than allowed',
      (_q, r) => r.end(gzipSync('[]'.padEnd(5_000_000))),
      'upstream_invalid',
    ],
    [
      'packed twice, to more than allowed',
      (_q, r) => r.end(gzipSync(gzipSync('[]'.padEnd(9_000_000)))),
      'upstream_invalid',
    ],
  ])('%s is reported as its kind, without leaking its content', async (_what, answer, code) => {
    const { transport } = await startAnsweredSource(answer, { maxBodyBytes: 30_000 });
    const failure = await failureOf(transport.get('/a/', ''));
    expect(failure).toMatchObject({ code, cause: expect.any(Error) as Error });
    expect(failure?.retryAfterSeconds).toBeGreaterThan(0);
    expect(JSON.stringify([failure?.message, failure?.details])).not.toContain(SECRET);
  });

  it.each<[string[], number]>([
    [['77'], 77],
    [['0'], 1],
    [['999999'], 3_600],
    [['77', '5'], 77],
    [['Sat, 21 Nov 2026 03:01:30 GMT'], 90],
    [['Sat, 21 Nov 2026 02:00:00 GMT'], 1],
    [['soon'], 30],
  ])('passes on the Retry-After of the upstream (%s), up to an hour', async (stated, seconds) => {
    const clock = { now: () => Date.UTC(2026, 10, 21, 3, 0, 0), monotonic: () => performance.now() };
    const headers = stated.flatMap((value) => ['retry-after', value]);
    const { transport } = await startAnsweredSource((_q, r) => r.writeHead(503, headers).end(), { clock });
    expect(await failureOf(transport.get('/a/', ''))).toMatchObject({ retryAfterSeconds: seconds });
  });

  it.each<[string, UpstreamHandler, boolean]>([
    ['before a response may be sent again', (_q, r) => r.destroy(), true],
    [
      'within the body is not sent again, as its bytes count',
      (_q, r) => {
        r.writeHead(200, { 'content-length': '100' });
        r.write('[', () => r.destroy());
      },
      false,
    ],
  ])('a request whose connection breaks %s', async (_what, answer, isTemporary) => {
    const { transport } = await startAnsweredSource(answer);
    expect(await failureOf(transport.get('/a/', ''))).toMatchObject({ isTemporary });
  });

  it("no request is sent before the upstream's Retry-After is over", async () => {
    const { upstream, transport } = await startAnsweredSource(plain('', 503, { 'retry-after': '77' }));
    await failureOf(transport.get('/a/', ''));
    const failure = await failureOf(transport.get('/a/', ''));
    expect(failure?.code).toBe('upstream_unavailable');
    expect(failure?.retryAfterSeconds).toBeGreaterThan(60);
    expect(upstream.seen).toHaveLength(1);
  });

  it('bytes that are not HTTP are an invalid response', async () => {
    const server = net.createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.write('SSH-2.0-OpenSSH_9.2\r\n'));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const transport = transportTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    expect(await codeOf(transport.get('/a/', ''))).toBe('upstream_invalid');
  });
});

describe('no response', () => {
  const silent: UpstreamHandler = () => undefined;
  it.each<[string, UpstreamHandler, TestLimits]>([
    ['no header in time', silent, { deadlineMs: 60 }],
    ['a body that stops', (_q, r) => r.write('['), { deadlineMs: 60 }],
  ])('%s is a timeout', async (_what, answer, limits) => {
    const { transport } = await startAnsweredSource(answer, limits);
    expect(await codeOf(transport.get('/a/', ''))).toBe('upstream_timeout');
  });

  it('the deadline includes the wait for a connection, and an abandoned request is never sent', async () => {
    const { upstream, transport } = await startAnsweredSource(silent, { connections: 1, deadlineMs: 60 });
    expect(await codeOf(transport.get('/a/', 'n=1'))).toBe('upstream_timeout');
    let release: () => void = () => undefined;
    upstream.answer = (_request, response) => (release = () => response.end('[]'));
    // Both wait at one gate for its only connection.
    const gate = new NarouGate({ ...GATE, connections: 1 });
    const patient = transportTo(upstream.url, { gate, deadlineMs: 5_000 });
    const hasty = transportTo(upstream.url, { gate, deadlineMs: 60 });
    const served = patient.get('/a/', 'n=2');
    expect(await codeOf(hasty.get('/a/', 'n=3'))).toBe('upstream_timeout');
    await expect.poll(() => upstream.seen.length).toBe(2);
    upstream.answer = plain('[]');
    release();
    await served;
    await patient.get('/a/', 'n=4');
    expect(upstream.seen.map((request) => request.query.get('n'))).toEqual(['1', '2', '4']);
  });

  it('closing aborts running requests, and refuses later ones', async () => {
    let arrived: () => void = () => undefined;
    const pending = new Promise<void>((resolve) => (arrived = resolve));
    const { transport } = await startAnsweredSource(() => {
      arrived();
    });
    const waiting = codeOf(transport.get('/a/', ''));
    await pending;
    await transport.close();
    expect([await waiting, await codeOf(transport.get('/a/', ''))]).toEqual([
      'upstream_unavailable',
      'upstream_unavailable',
    ]);
  });
});

it('a response that states too large a length ends with its first bytes', async () => {
  let received = 0;
  const { transport } = await startAnsweredSource(
    (_request, response) => {
      response.writeHead(200, { 'content-length': 30_001 }).write('[');
    },
    { maxBodyBytes: 30_000, budget: unlimitedBudget((count) => (received += count)) },
  );
  await expect(transport.get('/a/', '')).rejects.toMatchObject({ code: 'upstream_invalid' });
  expect(received).toBe(1);
});

it('a response without a length ends once it is larger than is read', async () => {
  const { transport } = await startAnsweredSource(
    // Without an end: only the reader closes it.
    (_request, response) => void response.writeHead(200).write(' '.repeat(30_001)),
    { maxBodyBytes: 30_000 },
  );
  await expect(transport.get('/a/', '')).rejects.toMatchObject({ code: 'upstream_invalid' });
});

it('the budget is reported after each request, also after one that it refuses', async () => {
  const limits = { requests: 9, bytes: 10, clientShare: 1 };
  const budget = new Budget(limits, { now: () => 0, monotonic: () => 0 });
  const used: number[] = [];
  const { transport } = await startAnsweredSource([{ allcount: 0 }], {
    budget,
    onBudget: () => used.push(budget.usedPart),
  });
  await transport.get('/a/', '');
  await expect(transport.get('/a/', '')).rejects.toMatchObject({ code: 'upstream_budget_spent' });
  expect(used.map((part) => part >= 1)).toEqual([false, true]);
});
