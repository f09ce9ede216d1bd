import { expect, it } from 'vitest';
import { rootObject } from '../../test/loopback-world.ts';
import { createGate } from './gate.ts';
import { LookUpContext } from './hops.ts';
import { createRoot } from './root.ts';
import { createRegistryGate } from './registry-gate.ts';

const clock = { now: () => 0, monotonic: () => 0 };
/** More than there are TLDs. */
const COUNT = 2_000;

it("the root's answers for all TLDs fit into memory at once", async () => {
  const requests: string[] = [];
  const limits = { concurrentPerRegistry: 1, perSecondPerRegistry: 0, burstPerRegistry: 1 };
  const root = createRoot({
    clock,
    gate: createRegistryGate(createGate(limits, clock), clock),
    queryWhois: (_endpoint, tld) => {
      requests.push(tld);
      return Promise.resolve(Buffer.from(rootObject(tld, 'whois.nic.test')));
    },
    endpoint: { host: 'whois.iana.org', port: 43 },
  });
  for (let i = 0; i < 2 * COUNT; i++) {
    const context = new LookUpContext({
      clock,
      log: () => undefined,
      name: 'example',
      timeoutMs: 1_000,
      observeHop: () => undefined,
    });
    await root.find(`tld${i % COUNT}`, context);
  }
  expect(requests).toHaveLength(COUNT);
});
