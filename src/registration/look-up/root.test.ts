import { describe, expect, it } from 'vitest';
import { rootObject } from '../../../test/registration/loopback-world.ts';
import { silentLogger } from '../../process/logger.ts';
import { ServerFault } from '../net/server-fault.ts';
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
    gate: createRegistryGate(limits, clock),
    queryWhois: (_endpoint, tld) => {
      requests.push(tld);
      return Promise.resolve(Buffer.from(rootObject(tld, 'whois.nic.test')));
    },
    endpoint: { host: 'whois.iana.org', port: 43 },
  });
  for (let i = 0; i < 2 * COUNT; i++) {
    const context = new LookUpContext({
      clock,
      log: silentLogger(),
      name: 'example',
      timeoutMs: 1_000,
      observeHop: () => undefined,
    });
    await root.find(`tld${i % COUNT}`, context);
  }
  expect(requests).toHaveLength(COUNT);
});

describe('a root that fails', () => {
  /** A root whose next answers are scripted, and a look-up of the TLD `test` by it. */
  function scriptedRoot(answers: (Buffer | ServerFault)[]) {
    const time = { ms: 0 };
    const moving = { now: () => time.ms, monotonic: () => time.ms };
    let queryCount = 0;
    const root = createRoot({
      clock: moving,
      gate: createRegistryGate(
        { concurrentPerRegistry: 9, perSecondPerRegistry: 0, burstPerRegistry: 1 },
        moving,
      ),
      queryWhois: () => {
        const answer = answers[queryCount++];
        return Buffer.isBuffer(answer)
          ? Promise.resolve(answer)
          : Promise.reject(answer ?? new Error('no more'));
      },
      endpoint: { host: 'whois.iana.org', port: 43 },
    });
    const find = () => {
      const options = { clock: moving, log: silentLogger(), name: 'example', observeHop: () => undefined };
      return root.find('test', new LookUpContext({ ...options, timeoutMs: 60_000 }));
    };
    return { time, find, queryCount: () => queryCount };
  }
  const answer = Buffer.from(rootObject('test', 'whois.nic.test'));
  const result = { outcome: 'referral', endpoint: { host: 'whois.nic.test', port: 43 } };
  const refused = new ServerFault('unreachable', { detail: 'ECONNREFUSED' });

  it('is queried again by the next look-up', async () => {
    const { find, queryCount } = scriptedRoot([refused, answer]);
    await expect(find()).rejects.toBe(refused);
    expect(await find()).toMatchObject(result);
    expect(queryCount()).toBe(2);
  });

  it('does not fail a look-up whose answer is known, even if that is older than a day', async () => {
    const { time, find, queryCount } = scriptedRoot([answer, refused]);
    await find();
    time.ms += 86_400_000;
    expect(await find()).toMatchObject(result);
    expect(queryCount()).toBe(2);
  });
});
