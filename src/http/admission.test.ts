import { afterEach, describe, expect, it } from 'vitest';
import { endThings, startThings } from '../../test/http/things-service.ts';
import { estimateRequestBytes } from './admission.ts';

afterEach(endThings);

const codeOf = (answer: string) => /"code":"(\w+)"/.exec(answer)?.[1];
const plain = () => Promise.resolve({ data: 1 });

describe('simultaneous work', () => {
  it('beyond the bound is rejected, while health checks are served', async () => {
    let release: (loaded: { data: unknown }) => void = () => undefined;
    let loads = 0;
    const { get } = await startThings(
      () => {
        loads++;
        return new Promise((resolve) => (release = resolve));
      },
      { maxRequests: 1 },
    );
    const first = get('/things/one');
    await expect.poll(() => loads).toBe(1);
    const refused = await get('/things/two');
    expect([refused.status, codeOf(refused.text), refused.headers['retry-after']]).toEqual([
      503,
      'overloaded',
      '1',
    ]);
    expect((await get('/livez')).status).toBe(200);
    release({ data: 1 });
    expect((await first).status).toBe(200);
    expect((await get('/livez')).status).toBe(200);
  });

  it('is admitted again when earlier work is complete', async () => {
    const { get } = await startThings(plain, { maxRequests: 1 });
    for (const name of ['one', 'two', 'three']) expect((await get(`/things/${name}`)).status).toBe(200);
  });

  it('is rejected beyond the maximum, whatever the networks', async () => {
    const releases: ((loaded: { data: unknown }) => void)[] = [];
    const load = (name: string) =>
      name === '3' ? plain() : new Promise<{ data: unknown }>((resolve) => releases.push(resolve));
    const { get } = await startThings(load, { maxRequests: 2, trustedProxies: ['127.0.0.1'] });
    const request = (host: number) => get(`/things/${host}`, { 'x-forwarded-for': `198.51.${host}.1` });
    const admitted = [request(1), request(2)];
    await expect.poll(() => releases).toHaveLength(2);
    const third = await request(3);
    for (const release of releases) release({ data: 1 });
    expect(third.status).toBe(503);
    expect((await Promise.all(admitted)).map(({ status }) => status)).toEqual([200, 200]);
  });

  it('of one network, however many clients it has, leaves half to all others; networks take turns', async () => {
    const names: string[] = [];
    const releases: (() => void)[] = [];
    const load = (name: string) => {
      names.push(name);
      return new Promise<{ data: unknown }>((resolve) => {
        releases.push(() => {
          resolve({ data: 1 });
        });
      });
    };
    const { get } = await startThings(load, { maxRequests: 40, trustedProxies: ['127.0.0.1'] });
    const query = (name: string, from: string) => get(`/things/${name}`, { 'x-forwarded-for': from });
    const many = Array.from({ length: 30 }, (_, index) => query(`many-${index}`, `2001:db8:1:${index}::1`));
    const refused = await Promise.race(many);
    expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    const other = query('other', '198.51.100.1');
    await expect.poll(() => names).toContain('other');
    await expect.poll(() => names).toHaveLength(21);
    for (const release of releases) release();
    expect((await other).status).toBe(200);
    const statuses = (await Promise.all(many)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
  });

  it('needs memory for its headers twice, as text and as fields', () => {
    expect(estimateRequestBytes({ rawHeaders: ['Host', 'a.example'] })).toBe(
      4_096 + 2 * 'Hosta.example'.length,
    );
  });
});

it('a page of a stream begins in turn: not while connections wait to be accepted', async () => {
  let release: () => void = () => undefined;
  const beforeFirstLine = new Promise<void>((resolve) => (release = resolve));
  let hasBegun = false;
  const { base, admission } = await startThings(() => Promise.resolve({ data: 1 }), {
    beforeFirstLine,
    onStream: () => (hasBegun = true),
  });
  let received = '';
  const whole = fetch(`${base}/lines`).then(async ({ body }) => {
    for await (const chunk of body ?? []) received += Buffer.from(chunk as Uint8Array).toString();
  });
  await expect.poll(() => hasBegun).toBe(true);
  const { burst } = admission;
  const turns = async (until: () => boolean) => {
    for (let turn = 0; turn < 200 || !until(); turn++) {
      burst.countConnection();
      await new Promise(setImmediate);
    }
  };
  await turns(() => burst.isActive);
  release();
  await turns(() => received !== '');
  expect([burst.isActive, received]).toEqual([true, 'one\n']);
  await whole;
  expect(received).toBe('one\n二\n');
});
