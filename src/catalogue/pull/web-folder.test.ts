import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { openWebFolder } from './web-folder.ts';

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

it('a redirect to another server is followed without credentials', async () => {
  const seen: (string | undefined)[] = [];
  const other = await startServer((request, response) => {
    seen.push(request.headers.authorization);
    response.end('moved');
  });
  const address = await startServer((request, response) => {
    seen.push(request.headers.authorization);
    response.writeHead(302, { location: other.href }).end();
  });
  [address.username, address.password] = ['replica', 'secret'];
  const folder = openWebFolder(address);
  open.push(folder);
  const reply = await folder.get('file', {}, new AbortController().signal);
  reply.abandon();
  expect([reply.status, seen]).toEqual([200, [`Basic ${btoa('replica:secret')}`, undefined]]);
});

it.each([
  ['7', 7_000],
  ['600', 600_000],
  ['601', 600_000],
  ['-1', 0],
  ['Wed, 21 Oct 2026 07:28:00 GMT', 0],
])('Retry-After: %s of a server means a pause of %i ms', async (header, retryAfterMs) => {
  const address = await startServer((_, response) => {
    response.writeHead(503, { 'retry-after': header }).end();
  });
  const folder = openWebFolder(address);
  open.push(folder);
  const pending = folder.get('file', {}, new AbortController().signal);
  await expect(pending).rejects.toMatchObject({ mayPass: true, retryAfterMs });
});

it('a token in the query of the address is sent with each file, but not printed', async () => {
  const seen: (string | undefined)[] = [];
  const address = await startServer((request, response) => {
    seen.push(request.url);
    response.end('there');
  });
  const folder = openWebFolder(new URL('catalogue/?token=geheim', address));
  open.push(folder);
  const reply = await folder.get('novels/file', {}, new AbortController().signal);
  reply.abandon();
  expect(seen).toEqual(['/catalogue/novels/file?token=geheim']);
  expect(folder.nameOf('novels/file')).toBe(`${address.href}catalogue/novels/file`);
});
