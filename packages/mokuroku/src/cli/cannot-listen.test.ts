import { describe, expect, it } from 'vitest';
import { cannotListen } from './cannot-listen.ts';

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
    expect(String(cannotListen('It', fault(fields), SET))).toContain(message);
  });

  it('because of a file does not mention ports', () => {
    const error = fault({ code: 'EACCES', syscall: 'scandir' });
    expect(cannotListen('It', error, SET)).toBe(error);
  });
});
