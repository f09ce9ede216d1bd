import { afterEach, describe, expect, it } from 'vitest';
import { closed, connected, getThing, statusesOf } from './raw-connection.ts';
import { big, endThings, raw, startThings } from './things-service.ts';

afterEach(endThings);

const plain = () => Promise.resolve({ data: 1 });
const SMUGGLED = getThing('smuggled');
const HEAD = 'GET /things/one HTTP/1.1\r\nHost: a\r\n';

describe('a request with an ambiguous length', () => {
  it.each([
    ['two lengths of a body', `${HEAD}Content-Length: 0\r\nContent-Length: 40\r\n\r\n${SMUGGLED}`],
    ['a list of lengths', `${HEAD}Content-Length: 0, 40\r\n\r\n${SMUGGLED}`],
    ['a negative length', `${HEAD}Content-Length: -1\r\n\r\n${SMUGGLED}`],
    [
      'a length and chunks',
      `${HEAD}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
    ],
    ['chunks that are not the last coding', `${HEAD}Transfer-Encoding: chunked, identity\r\n\r\n${SMUGGLED}`],
    ['lines that end with LF alone', `GET /things/one HTTP/1.1\nHost: a\n\n${SMUGGLED}`],
    ['one line that does', `GET /things/one HTTP/1.1\r\nHost: a\nX-A: b\r\n\r\n${SMUGGLED}`],
    ['a header over two lines', `${HEAD}X-A: b\r\n c\r\n\r\n${SMUGGLED}`],
    ['a blank before the colon', `${HEAD}Content-Length : 44\r\n\r\n${SMUGGLED}`],
    ['a header without a name', `${HEAD}: x\r\n\r\n${SMUGGLED}`],
    ['a zero byte', `${HEAD}X-A: a\0b\r\n\r\n${SMUGGLED}`],
  ])('is rejected, and no data after it is read as a request: %s', async (_what, text) => {
    const names: string[] = [];
    const { base } = await startThings((name) => {
      names.push(name);
      return plain();
    });
    expect(statusesOf(await raw(base, text, false))).toEqual(['400']);
    expect(names).toEqual([]);
  });

  it.each([
    ['broken chunks', `${HEAD}Transfer-Encoding: chunked\r\n\r\n0;x=\n\r\n\r\n${SMUGGLED}`],
    ['an unknown coding', `${HEAD}Transfer-Encoding: xchunked\r\n\r\n${SMUGGLED}`],
  ])('is answered before its body, which is rejected with everything after it: %s', async (_what, text) => {
    const names: string[] = [];
    const { base, get } = await startThings((name) => {
      names.push(name);
      return plain();
    });
    for (let time = 0; time < 3; time++) {
      expect(statusesOf(await raw(base, text, false))).toEqual(['200', '400']);
    }
    expect(names).toEqual(['one']);
    expect((await get('/livez')).status).toBe(200);
  });
});

describe('a URL with raw UTF-8', () => {
  const messageOf = (answer: string) =>
    /"message":"([^"]*)"/.exec(Buffer.from(answer, 'latin1').toString())?.[1];
  const typed = 'GET /things/one?q=図書&lim=2 HTTP/1.1\r\nHost: a\r\n\r\n';

  it.each([
    ['alone', typed, ['400']],
    ['behind another', `${HEAD}\r\n${typed}`, ['200', '400']],
  ])('is answered with the encoded address: %s', async (_what, text, statuses) => {
    const { base, get } = await startThings(plain);
    const answer = await raw(base, text, false);
    expect(statusesOf(answer)).toEqual(statuses);
    const address = '/things/one?q=%E5%9B%B3%E6%9B%B8&lim=2';
    expect(messageOf(answer)).toBe(
      `This is not a well-formed HTTP request. Its address must be percent-encoded: ${address}`,
    );
    expect((await get(address)).status).toBe(200);
  });

  it('is rejected if it arrived in two packets, is not UTF-8, or would be too long encoded', async () => {
    const { base } = await startThings(plain);
    const client = await connected(base);
    const [begin = '', end = ''] = typed.split('書');
    let answer = '';
    client.on('data', (chunk) => (answer += chunk.toString('latin1')));
    client.write(begin);
    await expect.poll(() => answer).not.toBe('');
    client.write(end);
    expect(messageOf(answer)).toBe('This is not a well-formed HTTP request.');
    client.destroy();
    const latin = Buffer.from('GET /things/one?q=caf\xe9 HTTP/1.1\r\nHost: a\r\n\r\n', 'latin1');
    expect(messageOf(await raw(base, latin, false))).toBe('This is not a well-formed HTTP request.');
    const long = typed.replace('図書', '図'.repeat(1_000));
    expect(messageOf(await raw(base, long, false))).toBe('This is not a well-formed HTTP request.');
  });
});

/** The statuses of requests on one connection, each sent after the response to the previous one. */
async function inTurn(base: string, requests: readonly string[]): Promise<string[]> {
  const socket = await connected(base);
  let answer = '';
  socket.on('data', (text) => (answer += String(text)));
  for (const [index, text] of requests.entries()) {
    await expect.poll(() => statusesOf(answer)).toHaveLength(index);
    socket.write(text);
  }
  await closed(socket);
  return statusesOf(answer);
}

describe('an unusual connection', () => {
  it('stays open in HTTP/1.0 if its client requests it', async () => {
    const { base } = await startThings(plain);
    const old = (more: string) => `GET /things/one HTTP/1.0\r\n${more}\r\n`;
    expect(await inTurn(base, [old('Connection: keep-alive\r\n'), old('')])).toEqual(['200', '200']);
  });

  it('stays open after an Upgrade header without its option in Connection, which requests nothing', async () => {
    const { base } = await startThings(plain);
    const requests = [`${HEAD}Upgrade: h2c\r\n\r\n`, `${HEAD}Connection: close\r\n\r\n`];
    expect(await inTurn(base, requests)).toEqual(['200', '200']);
  });

  it('gets a head and no body for each of many HEAD requests', async () => {
    const { base, get } = await startThings(() => Promise.resolve(big));
    for (let time = 0; time < 20; time++) {
      const { status, text } = await get('/things/one', {}, 'HEAD');
      expect([status, text]).toEqual([200, '']);
    }
    const answer = await raw(base, `${HEAD.replace('GET', 'HEAD')}Connection: close\r\n\r\n`, false);
    expect(answer.endsWith('\r\n\r\n')).toBe(true);
  });

  it.each([
    ['If-None-Match', '"a",'.repeat(7_700)],
    ['If-None-Match', ','.repeat(31_000)],
    ['Accept', 'a/b;q=0.1,'.repeat(3_100)],
    ['Accept-Encoding', 'gzip;q=0.1,'.repeat(2_800)],
    ['X-Forwarded-For', '192.0.2.1,'.repeat(3_100)],
  ])('may send 31 kB of %s', async (name, value) => {
    const { base } = await startThings(plain);
    const text = `${HEAD}Connection: close\r\n${name}: ${value}\r\n\r\n`;
    expect(statusesOf(await raw(base, text, false))).toEqual(['200']);
  });
});

describe('a thousand abandoned requests', () => {
  it.each([
    ['before they begin', '', 0],
    ['while they are loaded', '', 5],
    ['while they are compressed', 'Accept-Encoding: gzip\r\n', 0],
  ])('leave no open state: %s', async (_when, headers, loadMs) => {
    let count = 0;
    const load = async () => {
      if (loadMs > 0) await new Promise((resolve) => setTimeout(resolve, loadMs));
      return { data: `${big.data.text}${count++}` };
    };
    const options = { maxRequests: 50, trustedProxies: ['127.0.0.1'] };
    const { base, get, admission, connections } = await startThings(load, options);
    for (let round = 0; round < 20; round++) {
      const sockets = await Promise.all(Array.from({ length: 50 }, () => connected(base)));
      for (const [index, socket] of sockets.entries()) {
        socket.write(`GET /things/${round}-${index} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`);
        if (index % 2 === 0) setImmediate(() => socket.resetAndDestroy());
        else socket.destroy();
      }
    }
    await expect.poll(() => connections(), { timeout: 50_000 }).toMatchObject({ accepted: 1_000, open: 0 });
    const none = { bytes: 0, waitingForBytes: 0, waitingForTurn: 0 };
    await expect.poll(() => admission.stats, { timeout: 50_000 }).toEqual(none);
    // All 25 that one network may have at once are free again.
    const answers = await Promise.all(Array.from({ length: 25 }, (_, index) => get(`/things/late-${index}`)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });
});
