import { describe, expect, it } from 'vitest';
import { record } from '../../test/loopback-world.ts';
import { ServerFault } from '../net/server-fault.ts';
import { createRegistryClient } from './query-server.ts';
import { createGate } from './gate.ts';
import { LookUpContext } from './hops.ts';
import { RegistryGate } from './gate.ts';
import type { RegistryService } from './services.ts';

const NAME = 'example.test';
const WHOIS: RegistryService = {
  protocol: 'whois',
  source: 'root',
  endpoint: { host: 'whois.nic.test', port: 43 },
};
const RDAP: RegistryService = { protocol: 'rdap', source: 'bootstrap', base: 'https://rdap.nic.test/' };

/** Two services of a registry; a test defines the answer of the WHOIS server. */
function registry(whois: () => string | ServerFault) {
  const time = { ms: 5_000 };
  const clock = { now: () => time.ms, monotonic: () => time.ms };
  const limits = { concurrentPerRegistry: 2, perSecondPerRegistry: 0, burstPerRegistry: 1 };
  const gate = new RegistryGate(createGate(limits, clock), clock);
  const servers = createRegistryClient({
    gate,
    queryWhois: () => {
      const said = whois();
      return said instanceof ServerFault ? Promise.reject(said) : Promise.resolve(Buffer.from(said));
    },
    fetchRdap: () => Promise.reject(new ServerFault('unreachable')),
  });
  const send = (name = NAME) => {
    const context = new LookUpContext({
      clock,
      log: () => undefined,
      name,
      timeoutMs: 60_000,
      observeHop: () => undefined,
    });
    return servers.query(context, 'registry', WHOIS, context.shareOfTime(1));
  };
  const order = () => servers.deprioritizeTimedOut([WHOIS, RDAP]).map(({ protocol }) => protocol);
  return { time, send, order };
}

describe('a server that timed out', () => {
  it('goes last for a minute', async () => {
    const { time, send, order } = registry(() => new ServerFault('timeout'));
    expect(order()).toEqual(['whois', 'rdap']);
    await expect(send()).rejects.toMatchObject({ reason: 'timeout' });
    expect(order()).toEqual(['rdap', 'whois']);
    time.ms += 59_999;
    expect(order()).toEqual(['rdap', 'whois']);
    time.ms += 1;
    expect(order()).toEqual(['whois', 'rdap']);
  });

  it('does not, once it has answered', async () => {
    const answers = [new ServerFault('timeout'), record(NAME)];
    const { send, order } = registry(() => answers.shift() ?? '');
    await expect(send()).rejects.toMatchObject({ reason: 'timeout' });
    await send();
    expect(order()).toEqual(['whois', 'rdap']);
  });

  it('differs from an unreachable one and one with an unreadable answer', async () => {
    for (const reason of ['unreachable', 'bad_answer', 'too_large'] as const) {
      const { send, order } = registry(() => new ServerFault(reason));
      await expect(send()).rejects.toMatchObject({ reason });
      expect(order()).toEqual(['whois', 'rdap']);
    }
  });
});

it('a truncated record without the name proves no registration', async () => {
  const part = Buffer.from(
    'Registrar: Kamome Ltd.\r\nCreation Date: 2001-02-03\r\nName Server: ns1.kamome.example\r\n',
  );
  await expect(registry(() => new ServerFault('cut_off', { part })).send()).rejects.toMatchObject({
    reason: 'cut_off',
  });
  const named = Buffer.concat([Buffer.from(`Domain Name: ${NAME}\r\n`), part]);
  expect(await registry(() => new ServerFault('cut_off', { part: named })).send()).toMatchObject({
    isTruncated: true,
    state: 'registered',
  });
});

describe('a server that throttles', () => {
  it.each([
    ['You have exceeded your quota of queries.\r\n', 60],
    ['The WHOIS query quota has been exceeded\r\nand will be replenished in 50 seconds\r\n', 50],
    ['The WHOIS query quota has been exceeded\r\nand will be replenished in 0 seconds\r\n', 1],
    ['The WHOIS query quota has been exceeded\r\nand will be replenished in 999999 seconds\r\n', 300],
  ])('%j pauses it for %i s', async (text, seconds) => {
    const { time, send } = registry(() => text);
    expect(await send()).toMatchObject({ state: 'throttled', retryAfterSeconds: seconds });
    await expect(send()).rejects.toMatchObject({ reason: 'paused', retryAfterSeconds: seconds });
    time.ms += seconds * 1_000 - 1;
    await expect(send()).rejects.toMatchObject({ reason: 'paused', retryAfterSeconds: 1 });
    time.ms += 1;
    expect((await send()).state).toBe('throttled');
  });

  it('in words that may concern the name is not paused', async () => {
    const { send } = registry(() => 'Domain not found\nRate limit exceeded, try later');
    for (let requestCount = 0; requestCount < 2; requestCount++)
      expect((await send()).state).toBe('throttled');
  });

  it('serves all names again once it has answered a probe about another one', async () => {
    const quota = 'The WHOIS query quota has been exceeded\r\nand will be replenished in 300 seconds\r\n';
    const answers = [quota, record('other.test'), record(NAME)];
    const { time, send } = registry(() => answers.shift() ?? '');
    expect((await send()).state).toBe('throttled');
    time.ms += 60_000;
    await expect(send()).rejects.toMatchObject({ reason: 'paused' });
    expect((await send('other.test')).state).toBe('registered');
    expect((await send()).state).toBe('registered');
  });

  it('is distinguished from one that responds, which is not paused', async () => {
    const { send } = registry(() => record(NAME));
    for (let requestCount = 0; requestCount < 3; requestCount++)
      expect((await send()).state).toBe('registered');
  });
});
