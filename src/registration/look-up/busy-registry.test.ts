import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { record, startWorld } from '../../../test/registration/loopback-world.ts';
import { systemClock } from '../../process/clock.ts';
import { createRegistryGate } from './registry-gate.ts';

const NIC = 'whois.nic.test';

/** A registry with both services, whose WHOIS server says this. */
async function registryWith(text: string) {
  let askedByRdap = 0;
  const server = http.createServer((request, response) => {
    askedByRdap++;
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
  return { lookUp: world.lookUp, askedByRdap: () => askedByRdap };
}

describe('a registry that asks us to slow down', () => {
  it('is not asked by its other service, neither at once nor while it is left alone', async () => {
    const { lookUp, askedByRdap } = await registryWith('You have exceeded your quota of queries.\r\n');
    for (const name of ['a.test', 'b.test']) {
      await expect(lookUp(name)).rejects.toMatchObject({ code: 'registry_rate_limited' });
    }
    expect(askedByRdap()).toBe(0);
  });

  it('is another than one whose answer nobody can read: that is asked by its other service', async () => {
    const { lookUp, askedByRdap } = await registryWith('<html>Maintenance</html>');
    expect(await lookUp('a.test')).toMatchObject({ protocol: 'rdap', state: 'registered' });
    expect(askedByRdap()).toBe(1);
  });

  it('and one that answers is asked by one service alone', async () => {
    const { lookUp, askedByRdap } = await registryWith(record('a.test'));
    expect(await lookUp('a.test')).toMatchObject({ protocol: 'whois' });
    expect(askedByRdap()).toBe(0);
  });
});

describe('the gate before a registry', () => {
  const limits = { concurrentPerRegistry: 9, perSecondPerRegistry: 0, burstPerRegistry: 1 };

  it('takes a fault of our own for none of the registry, and passes it on', async () => {
    const time = { ms: 0 };
    const gate = createRegistryGate(limits, { now: () => time.ms, monotonic: () => time.ms });
    const fault = new TypeError('ours');
    for (let asked = 0; asked < 10; asked++) {
      const call = () => {
        time.ms += 1_000;
        return Promise.reject(fault);
      };
      await expect(gate.run({ server: NIC, name: 'a.test', deadline: time.ms + 60_000 }, call)).rejects.toBe(
        fault,
      );
    }
  });

  it('says of a call that takes too long that time was over', async () => {
    const gate = createRegistryGate(limits, systemClock);
    const hanging = () => new Promise<never>(() => undefined);
    await expect(
      gate.run({ server: NIC, name: 'a.test', deadline: systemClock.monotonic() + 20 }, hanging),
    ).rejects.toMatchObject({ reason: 'timeout', message: 'timed out' });
  });
});

describe('the rate at one registry', () => {
  it('is kept by waiting', async () => {
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
