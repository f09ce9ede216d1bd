import { expect, it } from 'vitest';
import { errorOf, open } from '../../test/opened-world.ts';
import { record } from '../../test/loopback-world.ts';

it('a name that the registry blocks in one line is reserved, with that line as evidence', async () => {
  const { lookUp } = await open({
    root: { lol: { refer: 'whois.nic.lol' } },
    whois: { 'whois.nic.lol': (name, socket) => socket.end(`Blocked by BSA: ${name}\r\n`) },
  });
  const { state, evidence, parsed } = await lookUp('x.lol');
  expect({ state, evidence }).toEqual({
    state: 'reserved',
    evidence: { kind: 'sentence', line: 'Blocked by BSA: x.lol' },
  });
  expect(parsed).toMatchObject({ domainName: null, registrar: null, status: [] });
});

const TERMS = `This information is shown for convenience, and is meant
only for finding the holder of .CO.CA names. No guarantees
are given for the accuracy of these data.\r\n`;

it('a denial right above three lines of terms counts', async () => {
  const { lookUp } = await open({
    root: { ca: { refer: 'whois.other.ca' } },
    whois: {
      'whois.co.ca': (name, socket) =>
        socket.end(name === 'free.co.ca' ? `Domain is available.\r\n${TERMS}` : record(name)),
    },
  });
  const { code, details } = await errorOf(lookUp('free.co.ca'));
  expect({ code, details }).toMatchObject({
    code: 'not_registered',
    details: { whoisServer: 'whois.co.ca', evidence: { kind: 'sentence', line: 'Domain is available.' } },
  });
});
