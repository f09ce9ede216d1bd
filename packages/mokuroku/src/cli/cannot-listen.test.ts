import { describe, expect, it } from 'vitest';
import { same, text } from '@mokuroku/kit';
import { cannotListen } from './cannot-listen.ts';
import type { UsageError } from './command.ts';

const SET = { host: 'HOST', port: 'CATALOGUE_PORT' };
const fault = (fields: object) => Object.assign(new Error('fault'), fields);

describe('a service that cannot start', () => {
  it.each([
    [
      { code: 'EACCES', syscall: 'listen' },
      'cannot listen: the port needs more rights. Set HOST or CATALOGUE_PORT.',
    ],
    [
      { code: 'EADDRINUSE', syscall: 'bind', port: 80 },
      'cannot listen: port 80 is taken. Set CATALOGUE_PORT.',
    ],
    [{ code: 'ENOTFOUND', syscall: 'getaddrinfo' }, 'cannot listen: unknown host name.'],
    [{ code: 'EINVAL', syscall: 'getaddrinfo' }, 'cannot listen: unknown host name.'],
    [{ code: 'EINVAL', syscall: 'listen' }, 'cannot listen: this machine does not have that address.'],
  ])('because of %j says so', (fields, message) => {
    expect(String(cannotListen(same('It'), fault(fields), SET))).toContain(message);
  });

  it('says so in Japanese', () => {
    const error = fault({ code: 'EADDRINUSE', syscall: 'listen', port: 80 });
    const told = cannotListen(text('The metrics', 'メトリクス'), error, SET) as UsageError;
    expect(told.toText({ language: 'ja' })).toBe(
      'メトリクスは起動できません。ポート 80 は使用中です。CATALOGUE_PORT を変えてください。',
    );
  });

  it('because of a file does not mention ports', () => {
    const error = fault({ code: 'EACCES', syscall: 'scandir' });
    expect(cannotListen(same('It'), error, SET)).toBe(error);
  });
});
