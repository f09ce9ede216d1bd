import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { record, startWorld } from '../../../test/registration/loopback-world.ts';
import { systemClock } from '../../process/clock.ts';
import { createRegistryGate } from './registry-gate.ts';

const NIC = 'whois.nic.test';

/** A registry with both services, whose WHOIS server says this. */
async function registryWith(text: string) {
  let rdapRequests = 0;
  const server = http.createServer((request, response) => {
    rdapRequests++;
    const ldhName = (request.url ?? '').replace('/domain/', '');
    response.end(JSON.stringify({ objectClassName: 'domain', ldhName, status: ['active'] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const world = await startWorld({
    root: { test: { refer: NIC } },
    whois: { [NIC]: text },
    rdap: { test: 'http://rdap.nic.test/' },
    ports: { 'rdap.nic.test': (server.address() as AddressInfo).port },
  });
  onTestFinished(async () => {
    await world.close();
    await new Promise((resolve) => server.close(resolve));
  });
  return { lookUp: world.lookUp, rdapRequests: () => rdapRequests };
}

describe('a registry that throttles our queries', () => {
  it('is not queried by its other service, neither at once nor during the pause', async () => {
    const { lookUp, rdapRequests } = await registryWith('You have exceeded your quota of queries.\r\n');
    for (const name of ['a.test', 'b.test']) {
      await expect(lookUp(name)).rejects.toMatchObject({ code: 'registry_rate_limited' });
    }
    expect(rdapRequests()).toBe(0);
  });

  it('differs from one with an unreadable answer: that is queried by its other service', async () => {
    const { lookUp, rdapRequests } = await registryWith('<html>Maintenance</html>');
    expect(await lookUp('a.test')).toMatchObject({ protocol: 'rdap', state: 'registered' });
    expect(rdapRequests()).toBe(1);
  });

  it('differs from one that responds: that is queried by one service only', async () => {
    const { lookUp, rdapRequests } = await registryWith(record('a.test'));
    expect(await lookUp('a.test')).toMatchObject({ protocol: 'whois' });
    expect(rdapRequests()).toBe(0);
  });
});

describe('the gate before a registry', () => {
  const limits = { concurrentPerRegistry: 9, perSecondPerRegistry: 0, burstPerRegistry: 1 };

  it('does not count our own fault against the registry, and passes it on', async () => {
    const time = { ms: 0 };
    const gate = createRegistryGate(limits, { now: () => time.ms, monotonic: () => time.ms });
    const fault = new TypeError('ours');
    for (let requestCount = 0; requestCount < 10; requestCount++) {
      const call = () => {
        time.ms += 1_000;
        return Promise.reject(fault);
      };
      await expect(gate.run({ server: NIC, name: 'a.test', deadline: time.ms + 60_000 }, call)).rejects.toBe(
        fault,
      );
    }
  });

  it('reports a call that takes too long as a timeout', async () => {
    const gate = createRegistryGate(limits, systemClock);
    const hanging = () => new Promise<never>(() => undefined);
    await expect(
      gate.run({ server: NIC, name: 'a.test', deadline: systemClock.monotonic() + 20 }, hanging),
    ).rejects.toMatchObject({ reason: 'timeout', message: 'timed out' });
  });
});

describe('the rate at one registry', () => {
  it('is not exceeded: calls wait', async () => {
    const limits = { concurrentPerRegistry: 9, perSecondPerRegistry: 50, burstPerRegistry: 1 };
    const gate = createRegistryGate(limits, systemClock);
    const starts: number[] = [];
    const call = () => Promise.resolve(starts.push(performance.now()));
    const deadline = systemClock.monotonic() + 60_000;
    await Promise.all([1, 2, 3].map(() => gate.run({ server: NIC, name: 'a.test', deadline }, call)));
    const [first = 0, , third = 0] = starts;
    // Two intervals of 20 ms, less what timers may be early.
    expect(third - first).toBeGreaterThan(35);
  });
});
