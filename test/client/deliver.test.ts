import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { deliver } from 'mokuroku-client/source';
import { serveHttp } from '../http/serve-http.ts';

it('an event is delivered once the webhook accepts it, after the waits that it states', async () => {
  const answers: [number, Record<string, string>][] = [
    [429, { 'Retry-After': '7' }],
    [500, {}],
    [204, {}],
  ];
  const bodies: string[] = [];
  const address = await serveHttp((request, response) => {
    void text(request).then((body) => {
      bodies.push(body);
      response.writeHead(...(answers.shift() ?? [204, {}])).end();
    });
  });
  const waits: number[] = [];
  const retries: string[] = [];
  await deliver(
    `${address}/secret`,
    { content: 'x' },
    {
      onRetry: (why, seconds) => retries.push(`${why} ${seconds}`),
      pause: (ms) => {
        waits.push(ms);
        return Promise.resolve();
      },
    },
  );
  expect(bodies).toEqual(Array.from({ length: 3 }, () => '{"content":"x"}'));
  const { host } = new URL(address);
  expect([retries, waits]).toEqual([
    [`${host}: 429 7`, `${host}: 500 2`],
    [7000, 2000],
  ]);
});

it('a delivery ends with its signal, and rejects an address that is none', async () => {
  const ending = new AbortController();
  const address = await serveHttp((_request, response) => response.writeHead(500).end());
  const onRetry = () => ending.abort(new Error('enough'));
  await expect(deliver(address, {}, { signal: ending.signal, onRetry })).rejects.toThrow('enough');
  const leaving = new AbortController();
  const asked = await serveHttp(() => leaving.abort(new Error('left')));
  const retries: string[] = [];
  const options = { signal: leaving.signal, onRetry: (why: string) => retries.push(why) };
  await expect(deliver(asked, {}, options)).rejects.toThrow('left');
  expect(retries).toEqual([]);
  await expect(deliver('ftp://me:hidden@host.example', {})).rejects.toThrow(
    /^(?!.*hidden).*is no HTTP address/,
  );
});

/** Keeps all responses until the test ends: Node closes the connection of one that nobody refers to, some time. */
function keepResponses(): void {
  const { fetch } = globalThis;
  const kept: Response[] = [];
  globalThis.fetch = async (...request) => {
    const response = await fetch(...request);
    kept.push(response);
    return response;
  };
  onTestFinished(() => {
    globalThis.fetch = fetch;
    kept.length = 0;
  });
}

it('the connection of a refusal whose body does not end is closed', async () => {
  keepResponses();
  const closed: Promise<unknown>[] = [];
  const address = await serveHttp((request, response) => {
    request.resume();
    if (closed.length > 0) return void response.writeHead(204).end();
    closed.push(once(response, 'close'));
    response.writeHead(500).write('x');
  });
  await deliver(address, {}, { pause: () => Promise.resolve() });
  await Promise.all(closed);
});

it('no attempt begins before the wait is over', async () => {
  let posts = 0;
  const address = await serveHttp((request, response) => {
    if (request.method === 'POST') posts++;
    request.resume();
    response.writeHead(posts === 1 ? 500 : 204).end();
  });
  let end: () => void = () => undefined;
  const wait = new Promise<void>((resolve) => (end = resolve));
  let waits = 0;
  const delivered = deliver(address, {}, { pause: () => (waits++, wait) });
  await expect.poll(() => waits).toBe(1);
  for (let i = 0; i < 5; i++) await (await fetch(address)).text();
  expect(posts).toBe(1);
  end();
  await delivered;
  expect(posts).toBe(2);
});
