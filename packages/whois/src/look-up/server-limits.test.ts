import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { record, rootObject } from '../../test/loopback-world.ts';
import { NIC, codeOf, errorOf, open, openRegistry } from '../../test/opened-world.ts';
import { found } from '../../test/rdap-world.ts';
import { stoppedClock } from '../../test/stopped-clock.ts';
import { RegistryGate, createGate } from './gate.ts';
import type { Gate } from './gate.ts';

describe('the queries to a registry', () => {
  it('keep the rate and its burst', async () => {
    const { time, clock, sleep } = stoppedClock();
    const settings = { perSecondPerRegistry: 4, burstPerRegistry: 2 };
    const { lookUp, queries } = await openRegistry((name, socket) => socket.end(record(name)), {
      settings,
      clock,
      sleep,
    });
    const names = ['a.test', 'b.test', 'c.test', 'd.test'];
    await Promise.all(names.map((name) => lookUp(name)));
    expect(queries.slice(1).sort()).toEqual(names.map((name) => `${NIC} ${name}`));
    expect(time.waits).toEqual([250, 250]);
  });

  it("keep a registry's own spacing, whatever the burst; what comes too early is not sent", async () => {
    const { time, clock } = stoppedClock();
    const host = 'whois.hkirc.hk';
    const { lookUp, queries } = await open({
      root: { hk: { refer: host } },
      whois: { [host]: record('example.hk') },
      settings: { timeoutMs: 9_000, burstPerRegistry: 50 },
      clock,
    });
    await lookUp('example.hk');
    const sent = queries.length;
    expect(await errorOf(lookUp('sample.hk'))).toMatchObject({
      code: 'registry_rate_limited',
      retryAfterSeconds: 10,
    });
    expect(queries).toHaveLength(sent);
    time.ms += 10_000;
    await lookUp('example.hk');
    expect(queries).toHaveLength(sent + 1);
  });

  it('keep a pause that is demanded while 2,000 other servers are queried', async () => {
    const { clock } = stoppedClock();
    let wait = () => Promise.resolve();
    const inTurn: Gate = { run: (_, call) => wait().then(() => call(new AbortController().signal)) };
    const gate = new RegistryGate(inTurn, clock);
    const query = (server: string, call = () => Promise.resolve('answered')) =>
      gate.run({ server, name: 'a.test', deadline: 1_000 }, call);
    async function queryOthers() {
      for (let index = 0; index < 2_000; index++) await query(`whois.nic${index}.test`);
    }
    const demandPause = async (server: string) => {
      await query(server, () => queryOthers().then(() => 'throttled'));
      gate.healthOf(server).pause(60, 'a.test');
    };
    const busy = 'whois.busy.test';
    await demandPause(busy);
    await expect(query(busy)).rejects.toMatchObject({ reason: 'paused' });

    const other = 'whois.other.test';
    wait = async () => {
      wait = () => Promise.resolve();
      await demandPause(other);
    };
    await expect(query(other)).rejects.toMatchObject({ reason: 'paused' });
  });

  it('keep a spacing and a pause after failures of 2,000 other servers', async () => {
    const { clock } = stoppedClock();
    const lettersOf = (index: number) =>
      String(index).replace(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)));
    const others = Array.from({ length: 2_000 }, (_, index) => lettersOf(1_000 + index));
    const rdap = Object.fromEntries(['busy', ...others].map((tld) => [tld, `https://rdap.nic.${tld}/`]));
    const answerOf = (url: string) => {
      if (url.includes('.hk')) return found('example.hk');
      if (!url.includes('.busy')) throw new TypeError('fetch failed');
      return new Response(null, { status: 429, headers: { 'Retry-After': '60' } });
    };
    const called: string[] = [];
    const { lookUp } = await open({
      rdap: { ...rdap, hk: 'https://whois.hkirc.hk/' },
      settings: { protocols: 'rdap', timeoutMs: 9_000 },
      clock,
      fetch: (url) => {
        called.push(url);
        return Promise.resolve().then(() => answerOf(url));
      },
    });
    await lookUp('example.hk');
    for (const tld of ['busy', ...others]) await codeOf(lookUp(`example.${tld}`));
    expect(called).toHaveLength(2_002);
    await Promise.all(['example.hk', 'example.busy'].map((name) => codeOf(lookUp(name))));
    expect(called.slice(2_002)).toEqual([]);
  });

  it('are as many at once as allowed while 2,000 other servers are queried', async () => {
    const { clock } = stoppedClock();
    const limits = { concurrentPerRegistry: 1, perSecondPerRegistry: 0, burstPerRegistry: 1 };
    const gate = createGate(limits, clock);
    const began: string[] = [];
    const query = (server: string, call: () => Promise<unknown>) =>
      gate.run({ server, deadline: 60_000 }, () => {
        began.push(server);
        return call();
      });
    const slow = 'whois.slow.test';
    let answer = () => {};
    const first = query(slow, () => new Promise<void>((done) => (answer = done)));
    for (let index = 0; index < 2_000; index++)
      await query(`whois.nic${index}.test`, () => Promise.resolve());
    const second = query(slow, () => Promise.resolve());
    await new Promise(setImmediate);
    expect(began.filter((server) => server === slow)).toHaveLength(1);
    answer();
    await Promise.all([first, second]);
    expect(began.filter((server) => server === slow)).toHaveLength(2);
  });

  it('count those that wait when they decide whether the rate allows another in time', async () => {
    const { clock } = stoppedClock();
    const ends: (() => void)[] = [];
    const settings = { concurrentPerRegistry: 1, perSecondPerRegistry: 0.05, burstPerRegistry: 1 };
    const { lookUp } = await openRegistry((name, socket) => ends.push(() => socket.end(record(name))), {
      settings: { ...settings, timeoutMs: 60_000 },
      clock,
      sleep: () => Promise.resolve(),
    });
    const running = [lookUp('a.test')];
    await expect.poll(() => ends).toHaveLength(1);
    running.push(lookUp('b.test'), lookUp('c.test'));
    expect(await errorOf(lookUp('d.test'))).toMatchObject({
      code: 'registry_rate_limited',
      retryAfterSeconds: 60,
    });
    for (let sent = 1; sent <= 3; sent++) {
      await expect.poll(() => ends).toHaveLength(sent);
      ends[sent - 1]?.();
    }
    await Promise.all(running);
  });

  it('take turns by the networks of clients, none of which has all places', async () => {
    const ends: (() => void)[] = [];
    const { domainLookUp, queries } = await openRegistry(
      (name, socket) =>
        name === 'first.test' ? ends.push(() => socket.end(record(name))) : socket.end(record(name)),
      { settings: { concurrentPerRegistry: 1, timeoutMs: 600_000 } },
    );
    const { lookUp, readName } = domainLookUp;
    const send = (name: string, client: string) =>
      lookUp(readName(`${name}.test`), 'registry', { client }).then(
        () => 'answered',
        () => 'refused',
      );
    const first = send('first', '192.0.2.1');
    await expect.poll(() => ends).toHaveLength(1);
    const many = Array.from({ length: 102 }, (_, index) => send(`many-${index}`, '192.0.2.1'));
    const others = [send('other-a', '198.51.100.1'), send('other-b', '198.51.100.2')];
    await new Promise(setImmediate);
    ends[0]?.();
    expect(await Promise.all([first, ...others])).toEqual(['answered', 'answered', 'answered']);
    const refused = (await Promise.all(many)).filter((outcome) => outcome !== 'answered');
    expect(refused).toHaveLength(2);
    expect(queries.slice(2, 6)).toEqual(
      ['many-0', 'other-a', 'many-1', 'other-b'].map((name) => `${NIC} ${name}.test`),
    );
  });

  it('that are never sent are our own limit; sent ones time out', async () => {
    const { time, clock } = stoppedClock();
    const sockets: Socket[] = [];
    const { lookUp } = await open({
      root: (tld, socket) => {
        // Almost all of the time of a look-up.
        if (tld !== 'test') time.ms += 29_999;
        socket.end(rootObject(tld, NIC));
      },
      whois: { [NIC]: (_, socket) => sockets.push(socket) },
      settings: { concurrentPerRegistry: 1 },
      clock,
    });
    const first = codeOf(lookUp('a.test'));
    await expect.poll(() => sockets).toHaveLength(1);
    expect(await errorOf(lookUp('a.two'))).toMatchObject({
      code: 'registry_rate_limited',
      retryAfterSeconds: 1,
    });
    sockets[0]?.destroy();
    expect(await first).toBe('registry_unavailable');
    expect(await codeOf(lookUp('a.three'))).toBe('registry_timeout');
  });
});

it('a paused server with a spacing of its own is refused for the pause at once', async () => {
  const { clock } = stoppedClock();
  const { lookUp } = await open({
    rdap: { hk: 'https://whois.hkirc.hk/' },
    settings: { protocols: 'rdap', timeoutMs: 9_000 },
    clock,
    fetch: () => Promise.resolve(new Response(null, { status: 429, headers: { 'Retry-After': '60' } })),
  });
  const send = () => errorOf(lookUp('example.hk'));
  await send();
  expect(await send()).toMatchObject({ code: 'registry_rate_limited', retryAfterSeconds: 60 });
});
