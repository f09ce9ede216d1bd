import { describe, expect, it } from 'vitest';
import type { Sleep } from '@mokuroku/kit/clock';
import { bothFamilies, systemResolver } from './resolve.ts';

const none = () => Promise.reject(Object.assign(new Error('no data'), { code: 'ENODATA' }));
const never = () => new Promise<string[]>(() => undefined);

describe('the addresses that a resolver finds', () => {
  it('are those of both families', async () => {
    expect(await bothFamilies(Promise.resolve(['::1']), Promise.resolve(['127.0.0.1']))).toEqual([
      '::1',
      '127.0.0.1',
    ]);
    expect(await bothFamilies(none(), Promise.resolve(['127.0.0.1']))).toEqual(['127.0.0.1']);
    expect(await bothFamilies(Promise.resolve(['::1']), none())).toEqual(['::1']);
  });

  it('do not wait for a family without a reply from the name servers', async () => {
    expect(await bothFamilies(never(), Promise.resolve(['127.0.0.1']))).toEqual(['127.0.0.1']);
    expect(await bothFamilies(Promise.resolve(['::1']), never())).toEqual(['::1']);
  });

  it('of the second family are waited for until the resolution delay of RFC 8305 is over', async () => {
    const waits: number[] = [];
    let hasEnded = false;
    let resolveFour: (addresses: string[]) => void = () => undefined;
    const four = new Promise<string[]>((resolve) => (resolveFour = resolve));
    const inTime: Sleep = (milliseconds, signal) => {
      waits.push(milliseconds);
      signal.addEventListener('abort', () => (hasEnded = true));
      resolveFour(['127.0.0.1']);
      return new Promise(() => undefined);
    };
    expect(await bothFamilies(Promise.resolve(['::1']), four, inTime)).toEqual(['::1', '127.0.0.1']);
    expect(hasEnded).toBe(true);
    const over: Sleep = () => Promise.resolve();
    expect(await bothFamilies(Promise.resolve(['::1']), never(), over)).toEqual(['::1']);
    expect(waits).toEqual([50]);
  });

  it('of neither family are an error with the reason', async () => {
    await expect(bothFamilies(none(), none())).rejects.toMatchObject({ code: 'ENODATA' });
  });
});

describe('a name without a dot, such as that of a container', () => {
  it('is resolved by the system, which knows names that no name server has', async () => {
    // Its label is too long for a query, so that nothing is sent.
    const name = 'x'.repeat(64);
    await expect(systemResolver()(name)).rejects.toMatchObject({ syscall: 'getaddrinfo' });
    await expect(systemResolver()(`${name}.test`)).rejects.toMatchObject({ syscall: 'queryA' });
  });
});
