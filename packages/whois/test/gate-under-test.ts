import type { ServerLimits } from '../src/look-up/gate.ts';
import { createGate } from '../src/look-up/gate.ts';
import { ServerFault } from '../src/net/server-fault.ts';

export const NIC = 'whois.nic.example';

/** A gate whose clock moves by `advance`; a rejected run is the reason and the wait of its fault. */
export function gateUnderTest(limits: { concurrent?: number; perSecond?: number; burst?: number } = {}) {
  let now = 0;
  const clock = { now: () => now, monotonic: () => now };
  const { concurrent = 2, perSecond = 0, burst = 10 } = limits;
  const used: ServerLimits = {
    concurrentPerRegistry: concurrent,
    perSecondPerRegistry: perSecond,
    burstPerRegistry: burst,
  };
  const gate = createGate(used, clock);
  return {
    gate,
    clock,
    advance: (ms: number) => void (now += ms),
    run: (
      call: (signal: AbortSignal) => Promise<unknown>,
      server = NIC,
      ms = 60_000,
      signal?: AbortSignal,
      client?: string,
    ) => gate.run({ server, deadline: now + ms, signal, client }, call).catch(faultOf),
  };
}

export const faultOf = (error: unknown) =>
  error instanceof ServerFault ? [error.reason, error.retryAfterSeconds] : error;
export const answers = () => Promise.resolve('answered');
