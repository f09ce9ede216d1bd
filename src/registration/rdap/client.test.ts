import http from 'node:http';
import net from 'node:net';
import { deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { startWorld } from '../../../test/registration/loopback-world.ts';
import type { World, WorldOptions } from '../../../test/registration/loopback-world.ts';
import { ServiceError } from '../../errors.ts';
import { MAX_RDAP_BYTES, MAX_REDIRECTS } from './client.ts';
import type { LookUpResult } from '../look-up/result.ts';

let world: World | undefined;
const servers: (http.Server | net.Server)[] = [];

afterEach(async () => {
  await world?.close();
  world = undefined;
  for (const server of servers.splice(0)) {
    if (server instanceof http.Server) server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
});

async function listen(server: http.Server | net.Server, host = '127.0.0.1'): Promise<number> {
  servers.push(server);
  await new Promise<void>((done) => server.listen({ host, port: 0 }, done));
  return (server.address() as net.AddressInfo).port;
}

const RECORD = { objectClassName: 'domain', ldhName: 'example.test', status: ['active'] };
const HOST = 'rdap.nic.test';

/** A TLD without WHOIS whose RDAP server answers as given. */
async function open(
  answer: http.RequestListener,
  more: WorldOptions = {},
): Promise<World & { asked: string[] }> {
  const asked: string[] = [];
  const port = await listen(
    http.createServer((request, response) => {
      asked.push(`${request.headers.host ?? ''}${request.url ?? ''}`);
      answer(request, response);
    }),
  );
  world = await startWorld({
    root: { test: { refer: '' } },
    rdap: { test: `http://${HOST}/` },
    ...more,
    ports: { [HOST]: port, 'rdap.other.test': port, ...more.ports },
    settings: { timeoutMs: 30_000, ...more.settings },
  });
  return { ...world, asked };
}

async function errorOf(looked: Promise<unknown>): Promise<ServiceError> {
  const error: unknown = await looked.then(
    () => 'no error',
    (reason: unknown) => reason,
  );
  if (!(error instanceof ServiceError)) throw error;
  return error;
}

const outcomes = ({ hops }: LookUpResult) => hops.map(({ outcome }) => outcome);

/** A record of whatever name is asked for. */
const recordOf = ({ url }: http.IncomingMessage) =>
  JSON.stringify({ ...RECORD, ldhName: (url ?? '').replace('/domain/', '') });

const redirectTo =
  (location: string): http.RequestListener =>
  (request, response) => {
    if (request.headers.host === HOST && request.url === '/domain/example.test') {
      response.writeHead(302, { Location: location }).end();
    } else response.end(JSON.stringify(RECORD));
  };

describe('RDAP where there is no WHOIS', () => {
  it('is asked for the name below the base of the bootstrap', async () => {
    const { lookUp, asked } = await open((_, response) => response.end(JSON.stringify(RECORD)));
    const result = await lookUp('www.example.test');
    expect(result).toMatchObject({ protocol: 'rdap', whoisServer: HOST, raw: JSON.stringify(RECORD) });
    expect(result.parsed).toMatchObject({ domainName: 'example.test', status: ['ok'] });
    expect(asked).toEqual([`${HOST}/domain/example.test`]);
  });

  it('says who asks and what it wants to hear', async () => {
    let headers: http.IncomingHttpHeaders = {};
    const { lookUp } = await open((request, response) => {
      headers = request.headers;
      response.end(JSON.stringify(RECORD));
    });
    await lookUp('example.test');
    expect(headers['user-agent']).toMatch(/^mokuroku\//);
    expect(headers.accept).toContain('application/rdap+json');
  });

  it('steps in where WHOIS is dead, refuses, or breaks off', async () => {
    const root = { test: { refer: 'whois.nic.test' } };
    for (const whois of [
      {},
      {
        'whois.nic.test':
          'Requests of this client are not permitted. Please use https://www.nic.example/whois/\r\n',
      },
      { 'whois.nic.test': '' },
    ]) {
      const { lookUp, close } = await open((_, response) => response.end(JSON.stringify(RECORD)), {
        root,
        whois,
      });
      expect(await lookUp('example.test')).toMatchObject({ protocol: 'rdap', hops: { length: 3 } });
      await close();
    }
  });

  it('goes first for a minute after WHOIS has let us wait in vain', async () => {
    let skipped = 0;
    const clock = { now: () => Date.now(), monotonic: () => performance.now() + skipped };
    const { lookUp } = await open((request, response) => response.end(recordOf(request)), {
      root: { test: { refer: 'whois.nic.test' } },
      whois: { 'whois.nic.test': () => undefined },
      settings: { timeoutMs: 2_500 },
      clock,
    });
    expect(outcomes(await lookUp('first.test'))).toEqual(['referral', 'timeout', 'registered']);
    expect(outcomes(await lookUp('second.test'))).toEqual(['referral', 'registered']);
    skipped += 61_000;
    expect(outcomes(await lookUp('third.test'))).toEqual(['referral', 'timeout', 'registered']);
  });

  it('is left in peace where WHOIS throttles: the registry has asked us to wait', async () => {
    const { lookUp, asked } = await open((_, response) => response.end(JSON.stringify(RECORD)), {
      root: { test: { refer: 'whois.nic.test' } },
      whois: { 'whois.nic.test': 'WHOIS LIMIT EXCEEDED\r\n' },
    });
    expect(await errorOf(lookUp('example.test'))).toMatchObject({ code: 'registry_rate_limited' });
    expect(asked).toEqual([]);
  });
});

describe('what an RDAP server answers becomes the right error', () => {
  it.each<[string, http.RequestListener, string]>([
    ['404', (_, response) => response.writeHead(404).end('{"errorCode":404}'), 'not_registered'],
    ['a page with 404', (_, response) => response.writeHead(404).end('<html>'), 'registry_unavailable'],
    ['500', (_, response) => response.writeHead(500).end(), 'registry_unavailable'],
    ['no JSON', (_, response) => response.end('hello'), 'registry_unavailable'],
    ['a connection cut in the head', (request) => request.socket.destroy(), 'registry_unavailable'],
    [
      'a connection cut in the body',
      (request, response) =>
        response.writeHead(200, { 'Content-Length': 100 }).write('{', () => request.socket.destroy()),
      'registry_unavailable',
    ],
    ['silence', () => undefined, 'registry_timeout'],
    [
      'headers and then silence',
      (_, response) => {
        response.writeHead(200).write('{');
      },
      'registry_timeout',
    ],
  ])('%s', async (_, answer, code) => {
    const timeoutMs = code === 'registry_timeout' ? 1_000 : 30_000;
    const { lookUp } = await open(answer, { settings: { timeoutMs } });
    expect(await errorOf(lookUp('example.test'))).toMatchObject({ code });
  });

  it('429 is heeded for the time stated, without another request', async () => {
    const { lookUp, asked } = await open((_, response) =>
      response.writeHead(429, { 'Retry-After': '40' }).end(),
    );
    expect(await errorOf(lookUp('example.test'))).toMatchObject({
      code: 'registry_rate_limited',
      retryAfterSeconds: 40,
    });
    expect(await errorOf(lookUp('other.test'))).toMatchObject({ code: 'registry_rate_limited' });
    expect(asked).toHaveLength(1);
  });

  it('503 with a time to come back is kept to', async () => {
    const { lookUp, asked } = await open((_, response) =>
      response.writeHead(503, { 'Retry-After': '70' }).end(),
    );
    expect(await errorOf(lookUp('example.test'))).toMatchObject({
      code: 'registry_unavailable',
      retryAfterSeconds: 70,
    });
    expect(await errorOf(lookUp('second.test'))).toMatchObject({
      code: 'registry_rate_limited',
      retryAfterSeconds: 70,
    });
    expect(asked).toHaveLength(1);
  });

  it('a 404 of a gateway is no "no", and is shown', async () => {
    const raw = '{"message":"no Route matched with those values"}';
    const { lookUp } = await open((_, response) => response.writeHead(404).end(raw));
    const error = await errorOf(lookUp('example.test'));
    expect(error).toMatchObject({ code: 'registry_unavailable', status: 502 });
    expect(error.details).toMatchObject({ raw, whoisServer: HOST, protocol: 'rdap' });
  });

  it('a 404 for a name that is held back is a reserved name', async () => {
    const body = { errorCode: 404, title: 'Not Found', description: ['Reserved by Registry'] };
    const { lookUp } = await open((_, response) => response.writeHead(404).end(JSON.stringify(body)));
    expect(await lookUp('example.test')).toMatchObject({ state: 'reserved', raw: JSON.stringify(body) });
  });

  it('an empty 404 is a "no" from the server that the bootstrap lists', async () => {
    const { lookUp } = await open((_, response) => response.writeHead(404).end());
    expect(await errorOf(lookUp('example.test'))).toMatchObject({ code: 'not_registered' });
  });

  it('a flood is cut off long before it has filled any memory', async () => {
    const chunk = Buffer.alloc(65_536, ' ');
    let sent = 0;
    const { lookUp } = await open(
      (_, response) => {
        const pour = () => {
          while (sent < 200_000_000 && !response.destroyed) {
            sent += chunk.length;
            if (!response.write(chunk)) break;
          }
        };
        response.on('drain', pour);
        pour();
      },
      { settings: { timeoutMs: 10_000 } },
    );
    const error = await errorOf(lookUp('example.test'));
    expect(error).toMatchObject({ code: 'registry_unavailable' });
    expect(error).toHaveProperty('details.hops.1.outcome', 'too_large');
    expect(sent).toBeLessThan(20_000_000);
  });
});

describe('the body of an RDAP answer', () => {
  const json = JSON.stringify(RECORD);
  const packedAs =
    (encoding: string, body: Buffer): http.RequestListener =>
    (_, response) =>
      response.writeHead(200, { 'Content-Encoding': encoding }).end(body);

  it('is asked for as it is, with the name of the server alone in the Host header', async () => {
    let headers: http.IncomingHttpHeaders = {};
    const { lookUp } = await open((request, response) => {
      headers = request.headers;
      response.end(json);
    });
    await lookUp('example.test');
    expect(headers).toMatchObject({ 'accept-encoding': 'identity', host: HOST });
  });

  it.each<[string, Buffer]>([
    ['gzip', gzipSync(json)],
    ['x-gzip', gzipSync(json)],
    ['deflate', deflateSync(json)],
    ['identity', Buffer.from(json)],
  ])('is understood when it comes packed all the same (%s)', async (encoding, body) => {
    const { lookUp } = await open(packedAs(encoding, body));
    expect(await lookUp('example.test')).toMatchObject({ raw: json, state: 'registered' });
  });

  it.each<[string, Buffer]>([
    ['br', Buffer.from('x')],
    ['gzip', Buffer.from(json)],
    ['gzip', gzipSync(json).subarray(0, 30)],
  ])('that is packed in a way that nobody can read (%s) is a bad answer', async (encoding, body) => {
    const { lookUp } = await open(packedAs(encoding, body));
    const error = await errorOf(lookUp('example.test'));
    expect(error).toHaveProperty('details.hops.1.outcome', 'bad_answer');
  });

  it('may begin with a byte order mark', async () => {
    const { lookUp } = await open((_, response) => response.end(`\ufeff${json}`));
    expect(await lookUp('example.test')).toMatchObject({ raw: json, state: 'registered' });
  });

  it('of exactly the limit is read, and of one byte more is not: packed or not', async () => {
    for (const [length, outcome] of [
      [MAX_RDAP_BYTES, 'registered'],
      [MAX_RDAP_BYTES + 1, 'too_large'],
    ] as const) {
      const body = json.padEnd(length);
      for (const answer of [packedAs('identity', Buffer.from(body)), packedAs('gzip', gzipSync(body))]) {
        const { lookUp, close } = await open(answer, { settings: { timeoutMs: 20_000 } });
        const hops = await lookUp('example.test').then(
          (result) => result.hops,
          (error: unknown) => (error as { details: { hops: LookUpResult['hops'] } }).details.hops,
        );
        expect(hops.at(-1)?.outcome).toBe(outcome);
        await close();
      }
    }
  });
});

describe('an RDAP redirect', () => {
  it('within the registry, or as the bootstrap has it, is followed', async () => {
    for (const location of [
      '/elsewhere',
      'http://rdap.other.test/domain/example.test',
      '//rdap.other.test/x#part',
    ]) {
      const { lookUp, close } = await open(redirectTo(location));
      expect(await lookUp('example.test')).toMatchObject({ protocol: 'rdap', state: 'registered' });
      await close();
    }
  });

  it('to another host makes its "not found" mean nothing', async () => {
    const { lookUp } = await open((request, response) => {
      if (request.headers.host === HOST)
        response.writeHead(302, { Location: 'http://rdap.other.test/' }).end();
      else response.writeHead(404).end();
    });
    expect(await errorOf(lookUp('example.test'))).toMatchObject({ code: 'registry_unavailable' });
  });

  it.each([
    'http://127.0.0.2/',
    'http://[::1]/',
    'http://localhost/',
    'http://0x7f.2/',
    'http://2130706434/',
    'http://rdap.other.test:8080/',
    'https://rdap.other.test:8443/',
    'http://user@rdap.other.test/',
    'ftp://rdap.other.test/',
    'file:///etc/passwd',
    'javascript:1',
    'http://',
    '/domain/example.test',
  ])('to %s is not followed', async (location) => {
    const { lookUp, asked } = await open(redirectTo(location));
    expect(await errorOf(lookUp('example.test'))).toMatchObject({ code: 'registry_unavailable' });
    expect(asked).toHaveLength(1);
  });

  it.each([
    [MAX_REDIRECTS, 'registered'],
    [MAX_REDIRECTS + 1, 'registry_unavailable'],
  ])('is followed three times and no more (%i: %s)', async (redirects, outcome) => {
    let turn = 0;
    const { lookUp } = await open((_, response) => {
      if (turn++ < redirects) response.writeHead(307, { Location: `/turn/${turn}` }).end();
      else response.end(JSON.stringify(RECORD));
    });
    const came = await lookUp('example.test').then(
      ({ state }) => state,
      (error: unknown) => (error as ServiceError).code,
    );
    expect([came, MAX_REDIRECTS]).toEqual([outcome, 3]);
  });

  it('that goes on for ever is cut', async () => {
    let turn = 0;
    const { lookUp, asked } = await open((_, response) =>
      response.writeHead(307, { Location: `/turn/${++turn}` }).end(),
    );
    expect(await errorOf(lookUp('example.test'))).toMatchObject({ code: 'registry_unavailable' });
    expect(asked.length).toBeLessThan(6);
  });

  it.each(['127.0.0.2', '::1', '::ffff:127.0.0.1', '0.0.0.0'])(
    'to a name that leads to %s arrives nowhere',
    async (address) => {
      let arrived = 0;
      const port = await listen(
        net.createServer(() => arrived++),
        '::',
      );
      const { lookUp } = await open(redirectTo('http://rdap.evil.test/'), {
        hosts: { 'rdap.evil.test': { host: address, port } },
      });
      const error = await errorOf(lookUp('example.test'));
      expect(error).toMatchObject({ code: 'registry_unavailable' });
      expect(error).toHaveProperty('details.hops.1.outcome', 'forbidden_address');
      expect(arrived).toBe(0);
    },
  );
});

describe("the registrar's RDAP record", () => {
  const linkTo =
    (href: string): http.RequestListener =>
    (_, response) => {
      response.end(
        JSON.stringify({ ...RECORD, links: [{ rel: 'related', type: 'application/rdap+json', href }] }),
      );
    };

  it.each([
    'http://rdap.other.test/domain/example.test',
    'https://127.0.0.1/domain/example.test',
    'https://rdap.other.test:444/',
  ])('is not asked for at %s', async (href) => {
    const { lookUp } = await open(linkTo(href));
    expect(await lookUp('example.test', 'registrar')).toMatchObject({
      whoisServer: HOST,
      hops: { length: 2 },
    });
  });

  it('behind a certificate that nobody vouches for loses nothing of the registry', async () => {
    const { lookUp } = await open(linkTo('https://rdap.other.test/domain/example.test'));
    const result = await lookUp('example.test', 'registrar');
    expect(result).toMatchObject({ whoisServer: HOST, hops: { length: 3 } });
    expect(result.hops.at(-1)).toMatchObject({ role: 'registrar', outcome: 'unreachable' });
  });
});
