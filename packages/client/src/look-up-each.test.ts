import type http from 'node:http';
import { beforeEach, describe, expect, it } from 'vitest';
import { startAnsweringServer } from '../../../test/client/answering-server.ts';
import type { AnsweringServer } from '../../../test/client/answering-server.ts';
import { createRegistrationClient } from './index.ts';
import type { NameOutcome, WaitWhenLimited } from './index.ts';

type Respond = (names: string[], response: http.ServerResponse) => void;

/** The server's next behaviours; the last one is repeated. */
let responds: Respond[];
let requests: string[][];
let follows: (string | null)[];
let waited: number[];
/** The status of the failure before each wait. */
let reasons: (number | undefined)[];
let server: AnsweringServer;

beforeEach(async () => {
  [requests, follows, waited, reasons] = [[], [], [], []];
  server = await startAnsweringServer();
  server.answers = [
    (response, path) => {
      const { searchParams } = new URL(path, server.baseUrl);
      const names = (searchParams.get('names') ?? '').split(',');
      requests.push(names);
      follows.push(searchParams.get('follow'));
      const respond = responds.length > 1 ? responds.shift() : responds[0];
      respond?.(names, response);
    },
  ];
  return server.close;
});

const registered = (domain: string) => ({ domain, raw: 'x', parsed: { nameServers: [], status: [] } });
const limited = (domain: string) => ({
  domain,
  status: 429,
  error: { code: 'rate_limited', message: 'Too many requests.' },
  retryAfterSeconds: 30,
});
const lines = (...of: object[]) => of.map((line) => `${JSON.stringify(line)}\n`).join('');
const begin = (response: http.ServerResponse) =>
  response.writeHead(200, { 'Content-Type': 'application/x-ndjson; charset=utf-8' });
/** The first ones are found, the others are over the limit. */
const answerSome =
  (count: number): Respond =>
  (names, response) => {
    begin(response).end(lines(...names.map((name, i) => (i < count ? registered(name) : limited(name)))));
  };
const answerAll = answerSome(1000);
/** Sends this many lines and a part of the next one, then stalls. */
const breakOffAfter =
  (count: number): Respond =>
  (names, response) => {
    begin(response).write(`${lines(...names.slice(0, count).map(registered))}{"domain":"`, () => {
      response.destroy();
    });
  };

async function lookUp(
  names: readonly string[],
  waitWhenLimited: WaitWhenLimited = true,
  signal?: AbortSignal,
): Promise<NameOutcome[]> {
  const client = createRegistrationClient({
    baseUrl: server.baseUrl,
    waitWhenLimited,
    pause: (ms, _signal, failure) => {
      waited.push(ms);
      reasons.push(failure?.status);
      return Promise.resolve();
    },
  });
  const outcomes: NameOutcome[] = [];
  for await (const outcome of client.lookUpMany(names, { signal })) outcomes.push(outcome);
  return outcomes;
}
const summaryOf = (outcomes: readonly NameOutcome[]) =>
  outcomes.map(({ name, data, error }) => (data ? name : `${name} ${error.code}`));
const numbered = (count: number) => Array.from({ length: count }, (_, i) => `n${i}.example`);

describe('many names', () => {
  it('are requested a hundred at a time, each once, and yielded as they arrive', async () => {
    responds = [answerAll];
    const names = numbered(250);
    expect(summaryOf(await lookUp([...names, 'n0.example', ' n1.example ', '']))).toEqual(names);
    expect(requests.map(({ length }) => length)).toEqual([100, 100, 50]);
  });

  it('never make a URL that proxies reject', async () => {
    responds = [answerAll];
    const names = [...numbered(90).map((name) => `${'長い名前'.repeat(8)}${name}`), 'x'.repeat(6_500)];
    expect(summaryOf(await lookUp(names))).toEqual(names);
    for (const batch of requests) expect(encodeURIComponent(batch.join(',')).length).toBeLessThan(7_000);
  });

  it('that fail are outcomes too, with the error of a single look-up', async () => {
    const error = {
      code: 'not_registered',
      message: 'free.example is not registered.',
      details: { raw: 'No' },
    };
    responds = [
      (_, response) => {
        const a = registered('a.example');
        const free = { domain: 'free.example', status: 404, error };
        begin(response).end(lines(free, a, a, registered('other.example')));
      },
    ];
    const [free, a, ...more] = await lookUp(['a.example', 'free.example']);
    expect(more).toEqual([]);
    expect(free).toMatchObject({ name: 'free.example', error: { ...error, status: 404 } });
    expect(a).toMatchObject({ name: 'a.example', data: { domain: 'a.example' } });
  });

  it('are requested with the options of the call', async () => {
    responds = [answerAll];
    const client = createRegistrationClient({ baseUrl: server.baseUrl });
    const outcomes = client.lookUpMany(['a.example'], { follow: 'registrar' });
    expect((await outcomes.next()).value).toMatchObject({ name: 'a.example' });
    expect(follows).toEqual(['registrar']);
  });
});

describe('completed names are not requested again', () => {
  it('after the limit, as long as waiting yields results', async () => {
    responds = [answerSome(60), answerSome(20), answerSome(20), answerAll];
    expect(await lookUp(numbered(130), { maxSeconds: 30 })).toHaveLength(130);
    expect(requests.map(([first, ...more]) => [first, more.length + 1])).toEqual([
      ['n0.example', 100],
      ['n60.example', 70],
      ['n80.example', 50],
      ['n100.example', 30],
    ]);
    expect(waited).toEqual([30_000, 30_000, 30_000]);
  });

  it('after the connection broke off', async () => {
    responds = [breakOffAfter(3), breakOffAfter(0), breakOffAfter(2), answerAll];
    const names = numbered(9);
    expect(summaryOf(await lookUp(names))).toEqual(names);
    expect(requests.map(({ length }) => length)).toEqual([9, 6, 6, 4]);
    expect(waited).toEqual([1000, 2000, 1000]);
  });

  it('after a response that ended too early', async () => {
    responds = [
      ([first = ''], response) => {
        begin(response).end(lines(registered(first)));
      },
    ];
    expect(summaryOf(await lookUp(numbered(3)))).toEqual(numbered(3));
  });
});

describe('giving up', () => {
  it('names over the limit are reported if waiting is off or yields nothing', async () => {
    responds = [answerSome(1)];
    expect(summaryOf(await lookUp(numbered(3), false))).toEqual([
      'n0.example',
      'n1.example rate_limited',
      'n2.example rate_limited',
    ]);
    const refuse: Respond = ([name = ''], response) =>
      void response.writeHead(429, { 'Retry-After': '30' }).end(JSON.stringify(limited(name)));
    for (const respond of [answerSome(0), refuse]) {
      [waited, reasons, responds] = [[], [], [respond]];
      expect(summaryOf(await lookUp(numbered(2), { maxSeconds: 70 }))).toEqual([
        'n0.example rate_limited',
        'n1.example rate_limited',
      ]);
      expect([waited, reasons]).toEqual([
        [30_000, 30_000],
        [429, 429],
      ]);
    }
  });

  it('an unreachable service is retried three times, then every name is reported', async () => {
    responds = [breakOffAfter(0)];
    expect(summaryOf(await lookUp(numbered(120)))).toEqual(
      numbered(120).map((name) => `${name} unreachable`),
    );
    expect([requests.length, waited, reasons]).toEqual([4, [1000, 2000, 4000], [0, 0, 0]]);
  });

  it('a service that sends nothing is retried as often', async () => {
    responds = [(_, response) => void begin(response).end()];
    expect(summaryOf(await lookUp(['a.example']))).toEqual(['a.example unreachable']);
    expect(requests).toHaveLength(4);
  });

  it('an overloaded service is asked again', async () => {
    const overloaded = JSON.stringify({ error: { code: 'overloaded', message: 'Overloaded.' } });
    responds = [
      (_, response) => void response.writeHead(503, { 'Content-Type': 'application/json' }).end(overloaded),
      answerAll,
    ];
    expect(summaryOf(await lookUp(['a.example']))).toEqual(['a.example']);
    expect(waited).toEqual([1_000]);
  });

  it('a fault of the request, or of the service, is reported at once', async () => {
    for (const [status, code] of [
      [400, 'invalid_parameter'],
      [500, 'internal'],
    ] as const) {
      const error = JSON.stringify({ error: { code, message: 'No.' } });
      responds = [(_, response) => void response.writeHead(status).end(error)];
      requests = [];
      expect(summaryOf(await lookUp(['a.example']))).toEqual([`a.example ${code}`]);
      expect(requests).toHaveLength(1);
    }
  });

  it('another program at the address is reported at once', async () => {
    responds = [
      (_, response) => {
        response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>');
      },
    ];
    expect(summaryOf(await lookUp(['a.example']))).toEqual(['a.example not_json']);
    expect(requests).toHaveLength(1);
  });

  it('a list with a line more than names is another program’s from that line on', async () => {
    responds = [
      ([first = '', second = ''], response) => {
        begin(response).end(lines(registered(first), registered('other.example'), registered(second)));
      },
    ];
    expect(summaryOf(await lookUp(['a.example', 'b.example']))).toEqual(['a.example', 'b.example not_json']);
  });

  it('another program that never ends its list is left, and reported', async () => {
    responds = [
      (_, response) => {
        const others = lines(...numbered(100).map(registered));
        const pour = () => void response.write(others, (error) => error ?? setImmediate(pour));
        begin(response);
        pour();
      },
    ];
    expect(summaryOf(await lookUp(['a.example', 'b.example']))).toEqual([
      'a.example not_json',
      'b.example not_json',
    ]);
    expect(requests).toHaveLength(1);
  });

  it('ends with the reason of the signal', async () => {
    const abort = new AbortController();
    responds = [
      (names, response) => {
        begin(response).write(lines(registered(names[0] ?? '')));
      },
    ];
    const outcomes: string[] = [];
    const client = createRegistrationClient({ baseUrl: server.baseUrl });
    const walk = async () => {
      for await (const { name } of client.lookUpMany(numbered(5), { signal: abort.signal })) {
        outcomes.push(name);
        abort.abort(new Error('enough'));
      }
    };
    await expect(walk()).rejects.toThrow('enough');
    expect(outcomes).toEqual(['n0.example']);
  });
});
