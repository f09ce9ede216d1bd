import net from 'node:net';
import tls from 'node:tls';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { errorOf, listen, open } from '../../test/opened-world.ts';
import { HOST, RECORD } from '../../test/rdap-world.ts';
import { stopTimers } from '../../../../test/stop-timers.ts';
import { selfSigned } from '../../test/tls-certificate.ts';
import type { World } from '../../test/loopback-world.ts';

const JSON_RECORD = JSON.stringify(RECORD);
const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/rdap+json\r\n';
const WHOLE = `${HEAD}Content-Length: ${JSON_RECORD.length}\r\n\r\n${JSON_RECORD}`;
const CLOSING = `${HEAD}Connection: close\r\n\r\n`;
const LONGER = `${HEAD}Content-Length: 900\r\n\r\n`;
const CHUNK = `${HEAD}Transfer-Encoding: chunked\r\n\r\n1f4\r\n${JSON_RECORD}`;
const context = selfSigned(HOST);

/** A server's behaviour on a connection; `raw` is the socket below TLS. */
type Behaviour = (secured: tls.TLSSocket, raw: net.Socket) => unknown;

const send =
  (text: string | Buffer): Behaviour =>
  (secured) =>
    secured.end(text);

/** A TLD whose only service is RDAP over TLS. */
async function openOver(server: net.Server): Promise<World> {
  const port = await listen(server);
  return open({
    root: { test: { refer: '' } },
    rdap: { test: `https://${HOST}/` },
    ports: { [HOST]: port },
  });
}

/** Behaves so after the request has arrived. */
function requestCount(behave: Behaviour): net.Server {
  return net.createServer((raw) => {
    raw.on('error', () => undefined);
    const secured = new tls.TLSSocket(raw, {
      isServer: true,
      secureContext: tls.createSecureContext(context),
    });
    secured.on('error', () => undefined);
    secured.once('data', () => behave(secured, raw));
  });
}

const outcomeOf = async (server: net.Server): Promise<unknown> => {
  const { lookUp } = await openOver(server);
  const { code, details } = await errorOf(lookUp('example.test'));
  return [code, (details as { hops: { outcome: string }[] }).hops.at(-1)?.outcome];
};

describe('RDAP over TLS', () => {
  // Node's own switch: this tests the behaviour after the handshake, and the certificate is self-signed.
  beforeAll(() => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    return () => void vi.unstubAllEnvs();
  });

  it.each<[string, Behaviour]>([
    ['of a stated length', send(WHOLE)],
    ['until the connection ends', send(CLOSING + JSON_RECORD)],
    ['with a reset right behind it', (secured, raw) => secured.write(WHOLE, () => raw.resetAndDestroy())],
  ])('is read from an answer %s', async (_, behave) => {
    const { lookUp } = await openOver(requestCount(behave));
    expect(await lookUp('example.test')).toMatchObject({ raw: JSON_RECORD, state: 'registered' });
  });

  it('names the server in the handshake: one address may serve several', async () => {
    const names: string[] = [];
    const SNICallback: tls.TlsOptions['SNICallback'] = (name, done) => {
      names.push(name);
      done(null, tls.createSecureContext(context));
    };
    const server = tls.createServer({ ...context, SNICallback }, (secured) => {
      secured.on('error', () => undefined);
      secured.once('data', () => secured.end(CLOSING + JSON_RECORD));
    });
    const { lookUp } = await openOver(server);
    expect(await lookUp('example.test')).toMatchObject({ state: 'registered' });
    expect(names).toEqual([HOST]);
  });

  it('is closed after the response, even if the server keeps it open', async () => {
    let closed: Promise<void> = Promise.reject(new Error('never asked'));
    closed.catch(() => undefined);
    const server = requestCount((secured, raw) => {
      closed = new Promise((done) => raw.once('close', () => done()));
      secured.write(WHOLE);
    });
    const { lookUp } = await openOver(server);
    expect(await lookUp('example.test')).toMatchObject({ raw: JSON_RECORD, state: 'registered' });
    await closed;
  });

  it.each<[string, string, Behaviour]>([
    ['closes in good order', 'unreachable', (secured) => secured.end()],
    ['closes below TLS', 'unreachable', (_, raw) => raw.destroy()],
    ['resets', 'unreachable', (_, raw) => raw.resetAndDestroy()],
    ['says what is no HTTP', 'unreachable', send('+OK ready\r\n')],
    ['says what is no TLS', 'unreachable', (_, raw) => raw.end(Buffer.alloc(600, 'No match. '))],
    ['says bytes at random', 'unreachable', send(Buffer.from([0, 255, 22, 3, 1, 13, 10, 13, 10]))],
    ['ends within the head', 'unreachable', send(HEAD)],
    ['ends within the body', 'unreachable', send(`${LONGER}{"obj`)],
    [
      'resets within the body',
      'unreachable',
      (secured, raw) => secured.write(LONGER + JSON_RECORD, () => raw.resetAndDestroy()),
    ],
    ['ends within a chunk', 'unreachable', send(CHUNK)],
    [
      'breaks off below TLS in a body without a length',
      'broken',
      (secured, raw) => secured.write(CLOSING + JSON_RECORD.slice(0, 40), () => raw.destroy()),
    ],
    ['answers with nothing', 'broken', send(`${HEAD}Content-Length: 0\r\n\r\n`)],
    ['answers with a page', 'broken', send(`${CLOSING}<html>No match`)],
    [
      'answers without end',
      'too_large',
      (secured) => {
        secured.write(CLOSING);
        const pour = () => {
          while (secured.writable && secured.write('x'.repeat(16_384)));
        };
        secured.on('drain', pour);
        pour();
      },
    ],
  ])('of a server that %s after the request fails as that: %s', async (_, outcome, behave) => {
    expect(await outcomeOf(requestCount(behave))).toEqual(['registry_unavailable', outcome]);
  });

  it.each<[string, Behaviour]>([
    ['never answers', () => undefined],
    ['stops within the body', (secured) => secured.write(`${LONGER}{"obj`)],
  ])('of a server that %s is closed at the deadline', async (_, behave) => {
    const pass = stopTimers();
    const server = requestCount(async (secured, raw) => {
      behave(secured, raw);
      for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
      pass(30_000);
    });
    expect(await outcomeOf(server)).toEqual(['registry_timeout', 'timeout']);
  });
});

describe('a server without TLS, or with another identity', () => {
  it.each<[string, net.Server]>([
    [
      'answers in clear',
      net.createServer((raw) =>
        raw
          .on('error', () => undefined)
          .resume()
          .end(`${HEAD}\r\n${JSON_RECORD}`),
      ),
    ],
    ['closes at once', net.createServer((raw) => raw.on('error', () => undefined).destroy())],
    [
      'has a certificate that nobody vouches for',
      tls.createServer(context).on('tlsClientError', () => undefined),
    ],
  ])('one that %s is unreachable', async (_, server) => {
    expect(await outcomeOf(server)).toEqual(['registry_unavailable', 'unreachable']);
  });

  it('one that does not respond to the handshake times out', async () => {
    const pass = stopTimers();
    const server = net.createServer((raw) =>
      raw.on('error', () => undefined).once('data', () => pass(30_000)),
    );
    expect(await outcomeOf(server)).toEqual(['registry_timeout', 'timeout']);
  });
});
