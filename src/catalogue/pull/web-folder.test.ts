import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { standingClock } from '../../../test/catalogue/upstream-under-test.ts';
import { FileGone, openWebFolder } from './web-folder.ts';

const CLOCK = standingClock(Date.UTC(2026, 9, 21, 7, 30));

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

async function startServer(handle: http.RequestListener): Promise<URL> {
  const server = http.createServer(handle);
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

it.each([
  [301, 'secret'],
  [302, 's@cr:t'],
  [303, '秘密'],
  [307, '50%'],
  [308, ''],
])('a redirect (%i) to another server is followed without credentials: %s', async (status, password) => {
  const seen: (string | undefined)[] = [];
  const other = await startServer((request, response) => {
    seen.push(request.headers.authorization);
    response.end('moved');
  });
  const address = await startServer((request, response) => {
    seen.push(request.headers.authorization);
    response.writeHead(status, { location: other.href }).end();
  });
  [address.username, address.password] = ['replica', password];
  const folder = openWebFolder(address, CLOCK);
  open.push(folder);
  const reply = await folder.get('file', {}, new AbortController().signal);
  reply.abandon();
  const credentials = Buffer.from(`replica:${password}`).toString('base64');
  expect([reply.status, seen]).toEqual([200, [`Basic ${credentials}`, undefined]]);
});

it.each([404, 410])('a file whose response is %i is gone', async (status) => {
  const address = await startServer((_, response) => {
    response.writeHead(status).end();
  });
  const folder = openWebFolder(address, CLOCK);
  open.push(folder);
  await expect(folder.get('file', {}, new AbortController().signal)).rejects.toBeInstanceOf(FileGone);
});

it.each([
  ['7', 7_000],
  ['600', 600_000],
  ['601', 600_000],
  ['-1', 0],
  ['Wed, 21 Oct 2026 07:28:00 GMT', 0],
  ['Wed, 21 Oct 2026 07:31:00 GMT', 60_000],
])('Retry-After: %s of a server means a pause of %i ms', async (header, retryAfterMs) => {
  const address = await startServer((_, response) => {
    response.writeHead(503, { 'retry-after': header }).end();
  });
  const folder = openWebFolder(address, CLOCK);
  open.push(folder);
  const pending = folder.get('file', {}, new AbortController().signal);
  await expect(pending).rejects.toMatchObject({ isTemporary: true, retryAfterMs });
});

it.each(['catalogue/?token=geheim', 'catalogue?token=geheim'])(
  'the files of %s are in the folder; the token is sent with each, but not printed',
  async (own) => {
    const seen: (string | undefined)[] = [];
    const address = await startServer((request, response) => {
      seen.push(request.url);
      response.end('there');
    });
    const folder = openWebFolder(new URL(own, address), CLOCK);
    open.push(folder);
    const reply = await folder.get('novels/file', {}, new AbortController().signal);
    reply.abandon();
    expect(seen).toEqual(['/catalogue/novels/file?token=geheim']);
    expect(folder.nameOf('novels/file')).toBe(`${address.href}catalogue/novels/file`);
  },
);
