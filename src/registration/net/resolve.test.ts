import { describe, expect, it } from 'vitest';
import { bothFamilies } from './resolve.ts';

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

  it('do not wait for a family of which the name servers say nothing', async () => {
    expect(await bothFamilies(never(), Promise.resolve(['127.0.0.1']))).toEqual(['127.0.0.1']);
    expect(await bothFamilies(Promise.resolve(['::1']), never())).toEqual(['::1']);
  });

  it('of neither family are an error that says so', async () => {
    await expect(bothFamilies(none(), none())).rejects.toMatchObject({ code: 'ENODATA' });
  });
});
