import { describe, expect, it } from 'vitest';
import { systemClock } from '../../process/clock.ts';
import { silentLogger } from '../../process/logger.ts';
import type { RdapAnswer } from '../rdap/client.ts';
import { createServers } from './ask-server.ts';
import { createLookUpContext } from './hops.ts';
import { createServerGate } from './server-gate.ts';

async function stateOf(answer: Partial<RdapAnswer>, isListed: boolean): Promise<string> {
  const limits = { concurrentPerRegistry: 2, perSecondPerRegistry: 0, burstPerRegistry: 1 };
  const { ask } = createServers({
    clock: systemClock,
    gate: createServerGate(limits, systemClock),
    askWhois: () => Promise.reject(new Error('not asked')),
    askRdap: () =>
      Promise.resolve({
        host: 'rdap.nic.test',
        status: 404,
        text: '',
        retryAfter: undefined,
        isAuthoritative: true,
        ...answer,
      }),
  });
  const context = createLookUpContext({
    clock: systemClock,
    log: silentLogger(),
    name: 'example.test',
    timeoutMs: 60_000,
    observeHop: () => undefined,
  });
  const service = { protocol: 'rdap', url: 'https://rdap.nic.test/domain/example.test', isListed } as const;
  return (await ask(context, 'registry', service, 'example.test', context.deadline)).reading.state;
}

describe('a "no" by RDAP', () => {
  it("needs more than an empty 404 from a server that IANA's bootstrap does not list", async () => {
    expect(await stateOf({}, true)).toBe('not_registered');
    expect(await stateOf({}, false)).toBe('broken');
    expect(await stateOf({ text: '{"errorCode":404}' }, false)).toBe('not_registered');
  });

  it('is judged the same when the error comes with a 200', async () => {
    expect(await stateOf({ status: 200, text: '{"errorCode":404}' }, false)).toBe('not_registered');
    expect(await stateOf({ status: 200, text: '{"errorCode":404}', isAuthoritative: false }, true)).toBe(
      'broken',
    );
  });
});
