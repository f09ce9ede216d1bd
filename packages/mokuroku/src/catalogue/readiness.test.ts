import { expect, it } from 'vitest';
import type { LocalSource, PartState } from '@mokuroku/local-catalogue';
import { readinessOf } from './readiness.ts';

// Of files that the system cannot read; main.test.ts has the other states.

const readiness = (novels: PartState, rankings: PartState) => {
  const facts = () => ({}) as ReturnType<LocalSource['facts']>;
  const local = { facts, states: () => ({ novels, adult: 'absent' as const, rankings }) };
  const { status, missing } = readinessOf({ local, gate: undefined, budget: undefined });
  return [status, missing];
};
const RETRIED = 'retried every two seconds';
const UNREADABLE = `its files cannot be read at present; ${RETRIED}`;
const BEHIND = `the folder or a newer generation cannot be read at present; ${RETRIED}`;

it.each<[PartState, PartState, string, object | undefined]>([
  ['unreadable', 'unreadable', 'not ready', { novels: UNREADABLE, rankings: UNREADABLE }],
  ['unreadable', 'served', 'degraded', { novels: UNREADABLE }],
  ['behind', 'served', 'degraded', { novels: BEHIND }],
  ['behind', 'behind', 'degraded', { novels: BEHIND, rankings: BEHIND }],
  ['served', 'served', 'ready', undefined],
])('with %s novels and %s rankings a service is %s', (novels, rankings, status, missing) => {
  expect(readiness(novels, rankings)).toEqual([status, missing]);
});
