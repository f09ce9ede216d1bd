import { expect, it } from 'vitest';
import { answers, describeGate, gateUnderTest } from '../../../whois/test/gate-contract.ts';
import { ServerFault } from '../../../whois/src/net/server-fault.ts';
import type { FaultReason } from '../../../whois/src/net/server-fault.ts';
import { createServiceGate } from './service-gate.ts';

describeGate('the gate of the service', createServiceGate);

it('does not count our own fault against the server', async () => {
  const { run, advance } = gateUnderTest(createServiceGate);
  const fault = new TypeError('ours');
  const fail = () => {
    advance(300);
    return Promise.reject(fault);
  };
  for (let time = 0; time < 10; time++) expect(await run(fail)).toBe(fault);
});

it.each<[FaultReason, unknown]>([
  ['timeout', ['unreachable', 2]],
  ['unreachable', ['unreachable', 2]],
  ['bad_answer', 'answered'],
  ['too_large', 'answered'],
  ['cut_off', 'answered'],
  ['forbidden_address', 'answered'],
])('after five times %s: %j', async (reason, then) => {
  const { run, advance } = gateUnderTest(createServiceGate);
  for (let i = 0; i < 5; i++) {
    await run(() => {
      advance(300);
      return Promise.reject(new ServerFault(reason));
    });
  }
  expect(await run(answers)).toEqual(then);
});
