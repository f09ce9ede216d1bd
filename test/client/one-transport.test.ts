import { getEventListeners, once } from 'node:events';
import type http from 'node:http';
import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openHttpService } from '@mokuroku/kit/mcp';
import { createCatalogueClient, createRegistrationClient, deliver } from 'mokuroku-client/source';
import type { CatalogueClient } from 'mokuroku-client/source';
import { openReport } from '../../packages/mokuroku/src/cli/delivery.ts';
import { recordingTerminal } from '../../packages/mokuroku/test/cli/recording-terminal.ts';
import { serveHttp } from '../http/serve-http.ts';

// What sends requests to an address that somebody gave: each resolves with all that it says.

const said = (error: unknown): string =>
  error instanceof Error ? `${error.name} ${error.message} ${said(error.cause)}` : '';

async function deliverByCommand(address: string): Promise<string> {
  const terminal = recordingTerminal({ pause: () => Promise.resolve() });
  const report = openReport({ post: address }, terminal, { lineOf: String, isEndless: false });
  await report({ id: 'N0001AA/episode/2' }).catch(() => undefined);
  return terminal.written().err;
}

const SENDERS: [string, (address: string) => Promise<string>][] = [
  ['the client', (address) => createCatalogueClient({ baseUrl: address }).genres().then(String, said)],
  ["the agents' tools", (address) => openHttpService(address, { isComplete: false }).then(String, said)],
  ['a delivery', deliverByCommand],
];

/** Sends parts until the reader leaves. */
async function writeForEver(response: http.ServerResponse, part: string): Promise<number> {
  const closed = once(response, 'close');
  let bytes = 0;
  while (!response.destroyed) {
    bytes += part.length;
    if (!response.write(part)) await Promise.race([once(response, 'drain'), closed]);
  }
  return bytes;
}

describe.each(SENDERS)('%s', (_name, send) => {
  it('leaves no timer when it is done, which would keep a program running for minutes', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const address = await serveHttp((_request, response) => response.writeHead(404).end());
    await send(address);
    const before = timers();
    for (let time = 0; time < 20; time++) await send(address);
    expect(timers() - before).toBeLessThan(10);
  });

  it('follows no redirect, so that no other host gets a request', async () => {
    const paths: string[] = [];
    const other = await serveHttp((request, response) => {
      paths.push(request.url ?? '');
      response.end('{"data":{},"meta":{}}');
    });
    const address = await serveHttp((_request, response) =>
      response.writeHead(307, { Location: other }).end(),
    );
    expect(await send(address)).toMatch(/307|not the document/);
    expect(paths).toEqual([]);
  });

  it('sends the credentials of an address as a header, and repeats no password', async () => {
    const received: (string | undefined)[] = [];
    const address = await serveHttp((request, response) => {
      received.push(request.headers.authorization);
      response.writeHead(500).end();
    });
    const { host } = new URL(address);
    const text = await send(`http://me:p%40ss猫@${host}`);
    expect(text).toContain(host);
    expect(text).not.toMatch(/p%40ss|p@ss|猫|%E7/);
    expect(received[0]).toBe(`Basic ${Buffer.from('me:p@ss猫').toString('base64')}`);
  });

  it('leaves a response that does not end', async () => {
    let written: Promise<number> | undefined;
    const address = await serveHttp((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      written = writeForEver(response, ' '.repeat(1_000_000));
    });
    await send(address);
    expect(await written).toBeLessThan(64_000_000);
  });

  it('does not wait for ever for a service that says nothing', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const address = await serveHttp(() => vi.advanceTimersByTime(120_000));
    expect(await send(address)).toMatch(/TimeoutError|timeout/);
  });
});

/** Reads a list to its end. */
async function read(address: string, onLine?: () => void): Promise<void> {
  for await (const novel of createCatalogueClient({ baseUrl: address }).novelStream()) {
    expect(novel).toEqual({});
    onLine?.();
  }
}

it.each(['http://me:hidden@[', 'http://me:hidden%zz@a.example', 'ftp://me:hidden@a.example'])(
  'the error of an address that cannot be used has no password of it: %s',
  (baseUrl) => {
    let thrown: unknown;
    try {
      createCatalogueClient({ baseUrl });
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(TypeError);
    expect(inspect(thrown)).not.toContain('hidden');
  },
);

it('the signal of a program that makes many calls has no listener of those that are done', async () => {
  const address = await serveHttp(({ url = '' }, response) => {
    const isList = url.includes('ndjson');
    response.setHeader('Content-Type', isList ? 'application/x-ndjson' : 'application/json');
    response.end(isList ? '{"meta":{"complete":true}}\n' : '{"data":{},"meta":{}}');
  });
  const client = createCatalogueClient({ baseUrl: address });
  const { signal } = new AbortController();
  await client.genres({ signal });
  for await (const novel of client.novelStream({}, { signal })) expect(novel).toBeUndefined();
  await deliver(address, {}, { signal });
  await expect.poll(() => getEventListeners(signal, 'abort')).toEqual([]);
});

it('a list is left at a line that does not end', async () => {
  let written: Promise<number> | undefined;
  const address = await serveHttp((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
    written = writeForEver(response, ' '.repeat(1_000_000));
  });
  await expect(read(address)).rejects.toMatchObject({ code: 'not_json' });
  expect(await written).toBeLessThan(64_000_000);
});

it.each<[string, (client: CatalogueClient) => Promise<unknown>]>([
  ['a response', (client) => client.genres()],
  ['one that is no list', (client) => client.novelStream().next()],
])('%s whose parts come slowly is left at the deadline of the whole', async (_, request) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let parts = 0;
  const pull = (to: ReadableStreamDefaultController<Uint8Array>) => {
    vi.advanceTimersByTime(50_000);
    if (parts++ < 10) to.enqueue(new Uint8Array([32]));
    else to.close();
  };
  const fetch = () => Promise.resolve(new Response(new ReadableStream({ pull }, { highWaterMark: 0 })));
  const client = createCatalogueClient({ baseUrl: 'http://127.0.0.1:9', fetch });
  await expect(request(client)).rejects.toMatchObject({
    code: 'unreachable',
    cause: { name: 'TimeoutError' },
  });
  expect(parts).toBe(3);
});

it('a list is left at a line whose parts come slowly', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  let parts = 0;
  const pull = (to: ReadableStreamDefaultController<Uint8Array>) => {
    vi.advanceTimersByTime(50_000);
    to.enqueue(new TextEncoder().encode(parts++ < 5 ? '{}\n ' : ' '));
    if (parts === 20) to.close();
  };
  const body = new ReadableStream({ pull }, { highWaterMark: 0 });
  const headers = { 'Content-Type': 'application/x-ndjson' };
  const fetch = () => Promise.resolve(new Response(body, { headers }));
  const reading = createCatalogueClient({ baseUrl: 'http://127.0.0.1:9', fetch }).novelStream();
  for (let line = 0; line < 5; line++) expect((await reading.next()).value).toEqual({});
  await expect(reading.next()).rejects.toMatchObject({ cause: { name: 'TimeoutError' } });
  expect(parts).toBe(8);
});

it('names that a service does not answer are requested once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let requests = 0;
  const address = await serveHttp(() => void vi.advanceTimersByTime(++requests * 120_000));
  const pause = () => Promise.resolve();
  const codes: unknown[] = [];
  for await (const { error } of createRegistrationClient({ baseUrl: address, pause }).lookUpMany([
    'a.org',
    'b.org',
  ]))
    codes.push(error?.code);
  expect([codes, requests]).toEqual([['unreachable', 'unreachable'], 1]);
});

it('a list that falls silent is left', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const address = await serveHttp((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/x-ndjson' }).write('{}\n');
  });
  const reading = read(address, () => setImmediate(() => vi.advanceTimersByTime(120_000)));
  await expect(reading).rejects.toMatchObject({ code: 'unreachable', cause: { name: 'TimeoutError' } });
});

it.each([
  ['stands still', [{ ncode: 'N0001A', cursor: 'a' }], () => 'a', 2],
  ['alternates', [{ ncode: 'N0001A', cursor: 'a' }], (request: number) => `${request % 2}`, 3],
  ['moves without an event', [], (request: number) => `${request}`, 1],
])('a cursor that %s ends the loop', async (_, data, nextOf, expected) => {
  let requests = 0;
  const address = await serveHttp((_request, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ data, meta: { more: ++requests < 9, next: nextOf(requests) } }));
  });
  const client = createCatalogueClient({ baseUrl: address });
  const reading = (async () => {
    for await (const event of client.changesSince()) expect(event).toEqual(data[0]);
  })();
  await expect(reading).rejects.toMatchObject({ code: 'not_json' });
  expect(requests).toBe(expected);
});
