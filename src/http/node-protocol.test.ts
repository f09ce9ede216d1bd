import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { big, endThings, raw, startThings } from '../../test/http/things-service.ts';

afterEach(endThings);

const codeOf = (answer: string) => /"code":"(\w+)"/.exec(answer)?.[1];
const statusesOf = (answer: string) => answer.match(/HTTP\/1\.1 \d{3}/g) ?? [];

function connected(base: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(new URL(base).port), host: '127.0.0.1' }, () => {
      resolve(socket);
    });
    socket.on('error', reject);
  });
}

describe('protocol features of Node', () => {
  it.each([
    ['broken HTTP', 'NONSENSE\r\n\r\n', 400, 'invalid_parameter', '-', '-'],
    [
      'heads that are too long',
      `GET / HTTP/1.1\r\nHost: x\r\n${'X-A: b\r\n'.repeat(20_000)}\r\n`,
      431,
      'headers_too_large',
      '-',
      '-',
    ],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'invalid_parameter', '-', '-'],
    [
      'an expectation',
      'GET /lines HTTP/1.1\r\nHost: a\r\nExpect: x\r\n\r\n',
      417,
      'expectation_failed',
      'GET',
      '/lines',
    ],
    [
      'CONNECT',
      'CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n',
      405,
      'method_not_allowed',
      'CONNECT',
      'a:443',
    ],
  ])(
    '%s has the headers of all responses, an id, and a line in the log',
    async (_what, text, status, code, method, url) => {
      const { base, lines } = await startThings(() => Promise.resolve(big));
      const answer = await raw(base, text, false);
      expect(statusesOf(answer)).toEqual([`HTTP/1.1 ${status}`]);
      expect(codeOf(answer)).toBe(code);
      const ordinary = await raw(base, 'GET /nothing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
      const namesOf = (head: string) =>
        [...head.split('\r\n\r\n', 1)[0]!.matchAll(/^([\w-]+): /gm)].map(([, name = '']) =>
          name.toLowerCase(),
        );
      expect(namesOf(answer)).toEqual(expect.arrayContaining(namesOf(ordinary)));
      expect(answer).toContain('x-request-id: test-1');
      expect(JSON.parse(lines[0] ?? '')).toMatchObject({ status, cache: code, method, url, id: 'test-1' });
    },
  );

  it('100 Continue is sent to a request that expects it', async () => {
    const { base } = await startThings(() => Promise.resolve(big));
    const text = 'GET /things/one HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n';
    expect(statusesOf(await raw(base, text))).toEqual(['HTTP/1.1 100', 'HTTP/1.1 200']);
  });

  it('a CONNECT followed by a reset does not end the service', async () => {
    const { base, get } = await startThings(() => Promise.resolve(big));
    const client = await connected(base);
    client.write('CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n');
    client.resetAndDestroy();
    expect((await get('/livez')).status).toBe(200);
  });
});
