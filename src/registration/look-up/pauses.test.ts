import { expect, it } from 'vitest';
import { Pauses } from './registry-gate.ts';

function pausesAt() {
  const time = { ms: 0 };
  const pauses = new Pauses({ now: () => time.ms, monotonic: () => time.ms });
  return { time, pauses };
}

it('a shorter pause does not end a longer one', () => {
  const { time, pauses } = pausesAt();
  pauses.pauseServer('whois.nic.example', 300, 'a.example');
  time.ms = 70_000;
  pauses.pauseServer('whois.nic.example', 60, 'b.example');
  expect(pauses.refusingForMs('whois.nic.example', 'b.example')).toBe(230_000);
});

it('ends after its time, for another name after a minute, and never for another server', () => {
  const { time, pauses } = pausesAt();
  pauses.pauseServer('whois.nic.example', 300, 'a.example');
  expect(pauses.refusingForMs('whois.nic.other', 'a.example')).toBe(0);
  expect(pauses.refusingForMs('whois.nic.example', 'b.example')).toBe(60_000);
  time.ms = 60_000;
  expect(pauses.refusingForMs('whois.nic.example', 'b.example')).toBe(0);
  expect(pauses.refusingForMs('whois.nic.example', 'a.example')).toBe(240_000);
  pauses.noteProbe('whois.nic.example');
  expect(pauses.refusingForMs('whois.nic.example', 'c.example')).toBe(60_000);
  time.ms = 300_000;
  expect(pauses.refusingForMs('whois.nic.example', 'a.example')).toBe(0);
});
