import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { ERRORS, ServiceError } from '@mokuroku/kit';
import { collectGarbage } from '../collect-garbage.ts';
import { bothSides, codeOf, connected, latch, pendingLoads } from './raw-connection.ts';
import { startThings } from './things-service.ts';
import type { Admission } from '../../packages/kit/src/limits/admission.ts';

describe('unsent responses', () => {
  const forwarded = (name: string, client: string) =>
    `GET /things/${name} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${client}\r\n\r\n`;
  const bounded = { maxBytes: 16_000_000, maxClientBytes: 8_000_000, trustedProxies: ['127.0.0.1'] };
  /** Nearly all that one client may have. */
  const bytes = 7_500_000;
  const huge = () => Promise.resolve({ data: 'x'.repeat(bytes) });

  /** A client that requests a response larger than all buffers, and reads nothing. */
  async function stuckClient(base: string, name: string, client: string): Promise<Socket> {
    const socket = await connected(base);
    socket.pause().write(forwarded(name, client));
    return socket;
  }

  async function expectFreedBy(clients: readonly Socket[], admission: Admission): Promise<void> {
    for (const client of clients) client.resetAndDestroy();
    await expect.poll(() => admission.bytes.used).toBe(0);
  }

  it('are bounded: their client gets Retry-After, others are served, until they are sent', async () => {
    const load = (name: string) => Promise.resolve({ data: name === 'small' ? 1 : 'x'.repeat(bytes) });
    const { base, get, loaded, admission } = await startThings(load, bounded);
    const stuck = [
      await stuckClient(base, 'big-1', '192.0.2.1'),
      await stuckClient(base, 'big-2', '192.0.2.1'),
      await stuckClient(base, 'big-3', '192.0.2.2'),
    ];
    await expect.poll(() => loaded).toHaveLength(3);
    const from = (client: string, name = 'small') => get(`/things/${name}`, { 'x-forwarded-for': client });
    await expect.poll(async () => (await from('192.0.2.1', 'big-4')).status).toBe(503);
    const refused = await from('192.0.2.1', 'big-4');
    expect([codeOf(refused.text), refused.headers['retry-after']]).toEqual(['overloaded', '1']);
    expect((await from('198.51.100.1', 'big-5')).status).toBe(200);
    for (const socket of stuck) socket.resetAndDestroy();
    await expect.poll(async () => (await from('192.0.2.1', 'big-6')).status).toBe(200);
    await expect.poll(() => [admission.requests.used, admission.bytes.used]).toEqual([0, 0]);
  });

  it('that are larger than all that their client may have are sent, and count as half of it', async () => {
    const load = (name: string) => Promise.resolve({ data: name === 'small' ? 1 : 'x'.repeat(bytes) });
    const { base, get, admission } = await startThings(load, { ...bounded, maxClientBytes: 1_000_000 });
    expect((await get('/things/one')).status).toBe(200);
    await stuckClient(base, 'two', '192.0.2.1');
    await expect.poll(() => admission.bytes.used).toBeGreaterThan(bytes);
    const from = { 'x-forwarded-for': '192.0.2.1' };
    expect([(await get('/things/small', from)).status, (await get('/things/three', from)).status]).toEqual([
      200, 503,
    ]);
  });

  it('are counted when they come from memory, too: each small one has its own buffer', async () => {
    const small = 100_000;
    const service = await startThings(() => Promise.resolve({ data: 'x'.repeat(small) }), bounded);
    const { admission } = service;
    await service.warm();
    expect(admission.bytes.used).toBe(0);
    const clients = [];
    for (let index = 0; index < 3; index++) {
      const { client, socket } = await bothSides(service);
      clients.push(client.pause());
      // One at a time, so that none follows the first that the client does not read.
      for (let sent = 1; socket.writableLength === 0; sent++) {
        client.write(forwarded('one', '192.0.2.1'));
        await expect.poll(() => socket.bytesWritten, { interval: 1 }).toBeGreaterThan(sent * small);
      }
    }
    expect(admission.bytes.used).toBeGreaterThan(3 * small);
    expect(admission.bytes.used).toBeLessThan(3 * small + 1_000);
    await expectFreedBy(clients, service.admission);
  });

  it('are counted once for all who receive the same large response from memory', async () => {
    const service = await startThings(huge, { ...bounded, maxCacheBytes: 100_000_000 });
    const { base, warm, lines, admission } = service;
    await warm();
    const clients = [];
    for (const client of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) {
      clients.push(await stuckClient(base, 'one', client));
    }
    await expect.poll(() => lines.length).toBe(5);
    expect(admission.bytes.used).toBeLessThan(bytes + 1_000);
    const { open } = service.connections();
    clients.shift()?.resetAndDestroy();
    await expect.poll(() => service.connections().open).toBe(open - 1);
    expect(admission.bytes.used).toBeGreaterThan(bytes);
    await expectFreedBy(clients, service.admission);
  });

  it.each([
    ['have ignored parameters, which are in their bodies', 'x'],
    ['get different texts in another form', 'format'],
    ['spell a name differently, which their bodies repeat', 'spelled'],
  ])('are counted each if their requests %s', async (_, parameter) => {
    let texts = 0;
    const form = {
      name: 'text',
      contentType: 'text/plain',
      keyFor: () => String(++texts),
      write: () => ['x'.repeat(bytes)],
    };
    const service = await startThings(huge, { ...bounded, maxCacheBytes: 100_000_000, form });
    const clients = [];
    for (const client of ['192.0.2.1', '198.51.100.1']) {
      clients.push(await stuckClient(service.base, `one?${parameter}=${client}`, client));
    }
    await expect.poll(() => service.admission.bytes.used).toBeGreaterThan(2 * bytes);
    await expectFreedBy(clients, service.admission);
  });

  it('are counted once for all who waited for the same load', async () => {
    const { load, release } = pendingLoads();
    const service = await startThings(load, bounded);
    const { base, admission } = service;
    const clients = [];
    for (const client of ['192.0.2.1', '198.51.100.1', '203.0.113.1']) {
      clients.push(await stuckClient(base, 'one', client));
    }
    await expect.poll(() => admission.bytes.used).toBeGreaterThan(3 * 4_096);
    release('x'.repeat(bytes));
    await Promise.all(clients.map((client) => new Promise((resolve) => client.once('readable', resolve))));
    expect(admission.bytes.used).toBeGreaterThan(bytes);
    expect(admission.bytes.used).toBeLessThan(bytes + 100_000);
    await expectFreedBy(clients, service.admission);
  });

  it('that use up the memory of their client leave it nothing from memory either, but a 304', async () => {
    const { get, warm, admission } = await startThings(undefined, bounded);
    const [{ headers }] = await warm();
    expect((await get('/things/one')).status).toBe(200);
    const client = '127.0.0.1';
    const releases = [4_000_000, 3_990_000].map((bytes) => admission.bytes.add(client, bytes));
    const validator = { 'if-none-match': String(headers['etag']) };
    expect((await get('/things/one?x=1')).status).toBe(503);
    expect((await get('/things/one?x=1', validator)).status).toBe(304);
    releases.push(admission.bytes.add(client, 10_000));
    expect((await get('/things/one')).status).toBe(503);
    for (const release of releases) release();
    expect((await get('/things/one')).status).toBe(200);
  });

  it('of streamed lines are counted with the memory that the lines need, until the last is sent', async () => {
    const { opened, open } = latch();
    const options = { beforeLastLine: opened, memoryBytes: 1_000_000 };
    const { get, admission } = await startThings(undefined, options);
    const answer = get('/lines');
    await expect.poll(() => admission.bytes.used).toBeGreaterThan(1_000_000);
    open();
    expect((await answer).status).toBe(200);
    await expect.poll(() => admission.bytes.used).toBe(0);
  });
});

describe('a load that declares its memory', () => {
  const bounded = { maxBytes: 64_000_000, maxClientBytes: 16_000_000, trustedProxies: ['127.0.0.1'] };
  const memoryBytes = 7_000_000;
  const from = (client: string) => ({ 'x-forwarded-for': client });

  it('is refused before it begins if its client has no memory for it; others are served', async () => {
    const { load, names, releaseAll } = pendingLoads();
    const { get, admission } = await startThings(load, { ...bounded, memoryBytes });
    const admitted = [get('/things/one', from('192.0.2.1')), get('/things/two', from('192.0.2.1'))];
    await expect.poll(() => names).toHaveLength(2);
    const refused = await get('/things/three', from('192.0.2.1'));
    expect([refused.status, codeOf(refused.text), refused.headers['retry-after']]).toEqual([
      503,
      'overloaded',
      '1',
    ]);
    const other = get('/things/three', from('198.51.100.1'));
    await expect.poll(() => names).toEqual(['one', 'two', 'three']);
    releaseAll();
    expect((await Promise.all([...admitted, other])).map(({ status }) => status)).toEqual([200, 200, 200]);
    await expect.poll(() => admission.bytes.used).toBe(0);
  });

  it('is shared by a client that has no memory of its own left, and counts once', async () => {
    const { load, names, releaseAll } = pendingLoads();
    const { get, admission } = await startThings(load, { ...bounded, memoryBytes });
    const responses = ['192.0.2.1', '192.0.2.1', '198.51.100.1'].map((client, index) =>
      get(index < 2 ? '/things/one' : '/things/two', from(client)),
    );
    await expect.poll(() => names).toHaveLength(2);
    const client = '203.0.113.1';
    const releases = [1, 2].map(() => admission.bytes.add(client, 7_900_000));
    const shared = get('/things/one', from(client));
    await expect.poll(() => admission.requests.used).toBe(4);
    expect(admission.bytes.used).toBeGreaterThan(2 * memoryBytes + 2 * 7_900_000);
    expect(admission.bytes.used).toBeLessThan(2 * memoryBytes + 2 * 7_900_000 + 100_000);
    releaseAll();
    for (const each of [...responses, shared]) expect((await each).status).toBe(200);
    for (const release of releases) release();
    await expect.poll(() => admission.bytes.used).toBe(0);
  });

  it('is written once in another form for all who waited, but for a client without memory for it', async () => {
    const { load, names, release } = pendingLoads();
    let writings = 0;
    const write = function* () {
      writings++;
      yield 'written';
    };
    const form = { name: 'text', contentType: 'text/plain', keyFor: () => 'text', write };
    const { get, admission } = await startThings(load, { ...bounded, form });
    const clients = ['192.0.2.1', '198.51.100.1', '203.0.113.1'];
    const responses = [];
    for (const client of clients) {
      responses.push(get('/things/one?format=text', from(client)));
      await expect.poll(() => admission.requests.used).toBe(responses.length);
    }
    expect(names).toHaveLength(1);
    const releases = [1, 2].map(() => admission.bytes.add(clients[0], 7_900_000));
    release('x'.repeat(1_000_000));
    expect((await Promise.all(responses)).map(({ status }) => status)).toEqual([503, 200, 200]);
    expect(writings).toBe(1);
    for (const each of releases) each();
    await expect.poll(() => admission.bytes.used).toBe(0);
  });

  it('that fails gives its memory back', async () => {
    const failing = () => Promise.reject(new Error('a fault of ours'));
    const { get, admission } = await startThings(failing, { ...bounded, memoryBytes });
    expect((await get('/things/one')).status).toBe(500);
    await expect.poll(() => admission.bytes.used).toBe(0);
  });

  it('that is refused leaves the stale response in place', async () => {
    const { get, advance, admission } = await startThings(undefined, { ...bounded, memoryBytes });
    expect((await get('/things/one')).status).toBe(200);
    advance(120);
    const releases = [1, 2].map(() => admission.bytes.add('127.0.0.1', 5_000_000));
    const { status, headers } = await get('/things/one');
    expect([status, headers['cache-status']]).toEqual([200, expect.stringContaining('stale-on-error')]);
    for (const release of releases) release();
  });
});

it('clients that have left leave no state', async () => {
  const refuse = () => Promise.reject(new ServiceError(ERRORS.overloaded));
  const { get } = await startThings(refuse, { trustedProxies: ['127.0.0.1'], level: 'warn' });
  const heapAfter = async (from: number, to: number) => {
    for (let index = from; index < to; index++) {
      const client = `10.${index >> 8}.${index % 256}.1`;
      expect((await get('/things/one', { 'x-forwarded-for': client })).status).toBe(503);
    }
    await collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const before = await heapAfter(0, 500);
  // A share of the limits, of a client and of its network, has more than 800 bytes for each of them.
  expect((await heapAfter(500, 3_000)) - before).toBeLessThan(2_000_000);
});

describe('simultaneous work', () => {
  it('beyond the maximum is rejected, whatever the networks, until earlier work is complete', async () => {
    const { load, names, release, releaseAll } = pendingLoads();
    const { get } = await startThings(load, { maxRequests: 2, trustedProxies: ['127.0.0.1'] });
    const request = (host: number) => get(`/things/${host}`, { 'x-forwarded-for': `198.51.${host}.1` });
    const admitted = [request(1), request(2)];
    await expect.poll(() => names).toHaveLength(2);
    const { status, text, headers } = await request(3);
    expect([status, codeOf(text), headers['retry-after']]).toEqual([503, 'overloaded', '1']);
    expect((await get('/livez')).status).toBe(200);
    releaseAll();
    expect((await Promise.all(admitted)).map((each) => each.status)).toEqual([200, 200]);
    const later = request(3);
    await expect.poll(() => names).toHaveLength(3);
    release();
    expect((await later).status).toBe(200);
  });

  it('of one network, however many clients it has, leaves half to all others', async () => {
    const { load, names, releaseAll } = pendingLoads();
    const { get } = await startThings(load, { maxRequests: 40, trustedProxies: ['127.0.0.1'] });
    const query = (name: string, from: string) => get(`/things/${name}`, { 'x-forwarded-for': from });
    const many = Array.from({ length: 30 }, (_, index) => query(`many-${index}`, `2001:db8:1:${index}::1`));
    const refused = await Promise.race(many);
    expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    const other = query('other', '198.51.100.1');
    await expect.poll(() => names).toContain('other');
    await expect.poll(() => names).toHaveLength(21);
    releaseAll();
    expect((await other).status).toBe(200);
    const statuses = (await Promise.all(many)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
  });

  it('needs memory for its headers twice, as text and as fields', async () => {
    const { load, names, release } = pendingLoads();
    const { get, admission } = await startThings(load);
    const answer = get('/things/one', { 'x-long': 'a'.repeat(15_000) });
    await expect.poll(() => names).toHaveLength(1);
    expect(admission.bytes.used).toBeGreaterThan(4_096 + 2 * 15_000);
    expect(admission.bytes.used).toBeLessThan(4_096 + 2 * 15_000 + 500);
    release();
    await answer;
  });
});
