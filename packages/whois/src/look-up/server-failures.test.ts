import { describe, expect, it } from 'vitest';
import { codeOf, open } from '../../test/opened-world.ts';
import { found } from '../../test/rdap-world.ts';
import { stoppedClock } from '../../test/stopped-clock.ts';

/** A registry that has only RDAP; a test defines what its server does. */
async function openRdapAlone() {
  const { time, clock } = stoppedClock();
  const called: string[] = [];
  const server = { answer: (): Response => new Response(null, { status: 500 }) };
  const { lookUp } = await open({
    root: { test: { refer: '' } },
    rdap: { test: 'https://rdap.nic.test/' },
    clock,
    fetch: (url) => {
      const name = url.split('/').at(-1) ?? '';
      called.push(name);
      return Promise.resolve().then(() => server.answer());
    },
  });
  const refuse = () => {
    throw new TypeError('fetch failed');
  };
  /** Whether a look-up was sent to the server. */
  const isSent = async (name: string) => {
    const before = called.length;
    await lookUp(name).catch(() => undefined);
    return called.length > before;
  };
  /** So many failures, the first a second before the last. */
  const failTimes = async (times: number) => {
    server.answer = refuse;
    for (let failures = 0; failures < times; failures++) {
      if (failures > 0) time.ms += 1_000 / (times - 1);
      expect(await isSent('a.test')).toBe(true);
    }
  };
  return { time, server, refuse, isSent, failTimes, lookUp, called };
}

describe('a server that fails', () => {
  it('five times in a second is not queried for two, twice as long after each further time, until it answers', async () => {
    const { time, server, isSent, failTimes, lookUp, called } = await openRdapAlone();
    await failTimes(5);
    for (const seconds of [2, 4, 8, 16, 30, 30]) {
      expect(await codeOf(lookUp('a.test'))).toBe('registry_unavailable');
      time.ms += seconds * 1_000 - 1;
      expect(await isSent('a.test')).toBe(false);
      time.ms += 1;
      const before = called.length;
      await Promise.all(['a.test', 'b.test', 'c.test'].map((name) => codeOf(lookUp(name))));
      expect(called.length - before).toBe(1);
    }
    time.ms += 30_000;
    server.answer = () => found('a.test');
    expect(await isSent('a.test')).toBe(true);
    await failTimes(5);
    time.ms += 1_999;
    expect(await isSent('a.test')).toBe(false);
    time.ms += 1;
    expect(await isSent('a.test')).toBe(true);
  });

  it('in an instant is queried: a burst of failures may be over', async () => {
    const { server, refuse, isSent } = await openRdapAlone();
    server.answer = refuse;
    for (let failures = 0; failures < 9; failures++) expect(await isSent('a.test')).toBe(true);
  });

  it('has not failed in a row if it answered meanwhile, even with an error', async () => {
    const { server, isSent, failTimes } = await openRdapAlone();
    for (let round = 0; round < 2; round++) {
      await failTimes(4);
      server.answer = () => new Response(round === 0 ? 'x'.repeat(300_000) : null, { status: 500 });
      expect(await isSent('a.test')).toBe(true);
    }
  });

  it('is not queried by those that waited meanwhile', async () => {
    const { time, server, refuse, lookUp, called } = await openRdapAlone();
    server.answer = () => {
      time.ms += 200;
      return refuse();
    };
    const names = Array.from({ length: 12 }, (_, index) => `n${index}.test`);
    await Promise.all(names.map((name) => codeOf(lookUp(name))));
    expect(called.length).toBeGreaterThan(4);
    expect(called.length).toBeLessThan(12);
  });
});

describe('a server that throttles', () => {
  const throttled = (seconds: number) => () =>
    new Response(null, { status: 429, headers: { 'Retry-After': String(seconds) } });

  it('is queried for one other name a minute, whose record ends the pause', async () => {
    const { time, server, isSent } = await openRdapAlone();
    server.answer = throttled(300);
    expect(await isSent('first.test')).toBe(true);
    time.ms += 59_000;
    expect(await isSent('second.test')).toBe(false);
    time.ms += 1_000;
    expect(await isSent('first.test')).toBe(false);
    server.answer = () => new Response(null, { status: 500 });
    expect(await isSent('second.test')).toBe(true);
    expect(await isSent('third.test')).toBe(false);
    time.ms += 60_000;
    server.answer = () => found('third.test');
    expect(await isSent('third.test')).toBe(true);
    expect(await isSent('first.test')).toBe(true);
  });

  it('is not queried for that name for as long as it says, an hour at most', async () => {
    const { time, server, isSent } = await openRdapAlone();
    server.answer = throttled(999_999);
    await isSent('first.test');
    time.ms += 3_599_999;
    expect(await isSent('first.test')).toBe(false);
    time.ms += 1;
    expect(await isSent('first.test')).toBe(true);
  });
});
