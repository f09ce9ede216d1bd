import { describe, expect, it } from 'vitest';
import { ServiceError } from '@mokuroku/kit';
import { TEST_ERRORS } from '../../packages/kit/test/test-errors.ts';
import { startThings } from './things-service.ts';

describe('a response', () => {
  it('is fetched for a client that waited for a failed refresh; other failures of a refresh reach nobody', async () => {
    const failure = new ServiceError(TEST_ERRORS.upstream_unavailable);
    let fail: (error: Error) => void = () => undefined;
    const loads = [
      () => Promise.resolve({ data: 1 }),
      () => Promise.reject(failure),
      () => new Promise<never>((_resolve, reject) => (fail = reject)),
      () => Promise.resolve({ data: 2 }),
    ];
    const { get, advance, loaded, admission } = await startThings(() => loads.shift()!());
    const data = async () => (JSON.parse((await get('/things/one')).text) as { data: unknown }).data;
    expect(await data()).toBe(1);
    advance(70);
    for (const count of [2, 3]) {
      expect(await data()).toBe(1);
      await expect.poll(() => loaded).toHaveLength(count);
    }
    advance(60);
    const joined = data();
    await expect.poll(() => admission.requests.used).toBe(1);
    fail(failure);
    expect(await joined).toBe(2);
  });

  it('is loaded for those who waited with a client whose own share is spent', async () => {
    let fail: (error: Error) => void = () => undefined;
    const loads = [
      () => new Promise<never>((_resolve, reject) => (fail = reject)),
      () => Promise.resolve({ data: 1 }),
    ];
    const { get, admission } = await startThings(() => loads.shift()!());
    const both = [get('/things/one'), get('/things/one')];
    await expect.poll(() => admission.requests.used).toBe(2);
    fail(new ServiceError(TEST_ERRORS.upstream_share_spent));
    expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([200, 429]);
  });

  it('that is served stale hides no fault of ours: it is logged, once a minute', async () => {
    let isBroken = false;
    const load = () =>
      isBroken ? Promise.reject(new TypeError('cannot read')) : Promise.resolve({ data: 1 });
    const { get, advance, loaded, logged } = await startThings(load, { level: 'warn' });
    const faults = () => logged().filter(({ msg }) => msg === 'load failed unexpectedly');
    for (const name of ['one', 'two', 'three']) await get(`/things/${name}`);
    isBroken = true;
    advance(61);
    for (const [name, seconds, count] of [
      ['one', 0, 1],
      ['two', 28, 1],
      ['three', 32, 2],
    ] as const) {
      advance(seconds);
      expect((await get(`/things/${name}`)).status).toBe(200);
      await expect.poll(faults).toHaveLength(count);
    }
    expect(faults()).toMatchObject([
      { level: 50, key: 'one' },
      { level: 50, key: 'three' },
    ]);
    expect(loaded).toHaveLength(6);
  });

  it('that is served stale logs a failure of its source for those who look for it, and warns nobody', async () => {
    const loads = [
      () => Promise.resolve({ data: 1 }),
      () => Promise.reject(new ServiceError(TEST_ERRORS.upstream_unavailable)),
    ];
    const { get, advance, logged } = await startThings(() => loads.shift()!(), { level: 'debug' });
    await get('/things/one');
    advance(61);
    expect((await get('/things/one')).status).toBe(200);
    const failures = () => logged().filter(({ key }) => key === 'one');
    await expect.poll(failures).toMatchObject([{ level: 20, msg: 'load failed' }]);
  });

  it('is refreshed once for all who get it stale, also if that is refused', async () => {
    let fail: (error: Error) => void = () => undefined;
    const loads = [
      () => Promise.resolve({ data: 1 }),
      () => new Promise<never>((_resolve, reject) => (fail = reject)),
    ];
    const { get, advance, loaded } = await startThings(() => (loads.shift() ?? loads[0]!)());
    await get('/things/one');
    advance(70);
    for (let time = 0; time < 3; time++) expect((await get('/things/one')).status).toBe(200);
    await expect.poll(() => loaded).toHaveLength(2);
    loads.push(() => Promise.resolve({ data: 2 }));
    fail(new ServiceError(TEST_ERRORS.upstream_share_spent));
    await get('/things/two');
    expect(loaded).toEqual(['one', 'one', 'two']);
  });
});
