import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { record } from '../../test/loopback-world.ts';
import type { WhoisReply, WorldOptions } from '../../test/loopback-world.ts';
import { ServerFault } from '../net/server-fault.ts';
import { errorOf, open } from '../../test/opened-world.ts';
import { openListedRdap } from '../../test/rdap-world.ts';

/** The server of uk.com in the built-in list: neither IANA nor an operator names it. */
const LISTED = 'whois.centralnic.com';
const FREE = 'DOMAIN NOT FOUND\r\n';
const DAY_MS = 86_400_000;

/** The listed WHOIS server of uk.com, with a record of each name in `held`. */
async function listedWhois(held: readonly string[], more: WorldOptions = {}, answer?: WhoisReply) {
  const time = { ms: Date.UTC(2026, 10, 28), setBackMs: 0 };
  const say = (query: string, socket: Socket) => socket.end(held.includes(query) ? record(query) : FREE);
  const world = await open({
    root: { com: { refer: 'whois.nic.test' } },
    whois: { [LISTED]: answer ?? say },
    clock: { now: () => time.ms - time.setBackMs, monotonic: () => time.ms },
    ...more,
    settings: { protocols: 'whois', ...more.settings },
  });
  const asked = () => world.queries.splice(0).map((query) => query.replace(`${LISTED} `, ''));
  return { ...world, time, asked };
}

describe('a denial of a server that only a list names', () => {
  it('counts after the server called another name of the zone registered, which the evidence names', async () => {
    const { lookUp, asked } = await listedWhois(['nic.uk.com']);
    expect(await errorOf(lookUp('free.uk.com'))).toMatchObject({
      code: 'not_registered',
      details: {
        evidence: {
          kind: 'sentence',
          line: FREE.trim(),
          control: { name: 'nic.uk.com', at: '2026-11-28T00:00:00Z' },
        },
      },
    });
    expect(asked()).toEqual(['free.uk.com', 'nic.uk.com']);
  });

  it('needs no control query if a name of the zone was seen registered', async () => {
    const { lookUp, asked } = await listedWhois(['held.uk.com']);
    await lookUp('held.uk.com');
    expect(await errorOf(lookUp('free.uk.com'))).toMatchObject({
      code: 'not_registered',
      details: { evidence: { control: { name: 'held.uk.com' } } },
    });
    expect(asked()).toEqual(['held.uk.com', 'free.uk.com']);
  });

  it('counts by a name that was seen registered while the control is queried', async () => {
    let arrive: (socket: Socket) => void = () => undefined;
    const control = new Promise<Socket>((done) => (arrive = done));
    const { lookUp } = await listedWhois([], {}, (query, socket) => {
      if (query === 'nic.uk.com') arrive(socket);
      else socket.end(query === 'held.uk.com' ? record(query) : FREE);
    });
    const error = errorOf(lookUp('free.uk.com'));
    const socket = await control;
    await lookUp('held.uk.com');
    socket.end(FREE);
    expect(await error).toMatchObject({
      code: 'not_registered',
      details: { evidence: { control: { name: 'held.uk.com' } } },
    });
  });

  it('is unreadable if the server denies the control too: it may not know the zone', async () => {
    const { lookUp, asked } = await listedWhois([]);
    const error = await errorOf(lookUp('free.uk.com'));
    expect(error).toMatchObject({
      code: 'registry_unavailable',
      message: expect.stringMatching(/uk\.com.*nic\.uk\.com: not_registered/) as string,
      details: { whoisServer: LISTED, raw: FREE, evidence: { line: FREE.trim() } },
    });
    expect(error.details).not.toHaveProperty('evidence.control');
    expect(asked()).toEqual(['free.uk.com', 'nic.uk.com']);
  });

  it('counts after a record of the control that is reserved, or a sentence that calls it so by its name', async () => {
    for (const control of [
      'Domain Name: nic.uk.com\r\nStatus: reserved\r\n',
      'NIC.UK.COM is reserved.\r\n',
    ]) {
      const { lookUp } = await listedWhois([], {}, (query, socket) =>
        socket.end(query === 'nic.uk.com' ? control : FREE),
      );
      expect(await errorOf(lookUp('free.uk.com'))).toMatchObject({ code: 'not_registered' });
    }
  });

  it('has its control once a day per zone, whether registered or denied', async () => {
    for (const held of [['nic.uk.com'], []]) {
      const { lookUp, asked, time } = await listedWhois(held);
      await errorOf(lookUp('a.uk.com'));
      time.ms += DAY_MS - 1;
      await errorOf(lookUp('b.uk.com'));
      expect(asked()).toEqual(['a.uk.com', 'nic.uk.com', 'b.uk.com']);
      await errorOf(lookUp('a.gb.net'));
      expect(asked()).toEqual(['a.gb.net', 'nic.gb.net']);
      time.ms += 1;
      await errorOf(lookUp('c.uk.com'));
      expect(asked()).toEqual(['c.uk.com', 'nic.uk.com']);
    }
  });

  it('leaves the server alone after it throttled the control, in its other zones too', async () => {
    const { lookUp, asked } = await listedWhois([], {}, (query, socket) =>
      socket.end(query === 'nic.uk.com' ? 'You have exceeded your quota of queries.\r\n' : FREE),
    );
    for (const name of ['free.uk.com', 'other.uk.com', 'a.gb.net'])
      expect(await errorOf(lookUp(name))).toMatchObject({
        code: 'registry_rate_limited',
        retryAfterSeconds: 60,
      });
    expect(asked()).toEqual(['free.uk.com', 'nic.uk.com']);
  });

  it('states the remaining wait, also after the clock was set back', async () => {
    const { lookUp, time } = await listedWhois([]);
    await errorOf(lookUp('a.uk.com'));
    time.setBackMs = DAY_MS;
    time.ms += 1_000;
    expect(await errorOf(lookUp('b.uk.com'))).toMatchObject({ retryAfterSeconds: 86_399 });
  });

  it('has one control for simultaneous look-ups', async () => {
    const { lookUp, asked } = await listedWhois(['nic.uk.com']);
    const errors = await Promise.all(['a', 'b', 'c'].map((label) => errorOf(lookUp(`${label}.uk.com`))));
    expect(errors.map(({ code }) => code)).toEqual(Array(3).fill('not_registered'));
    expect(asked().filter((query) => query === 'nic.uk.com')).toHaveLength(1);
  });

  it('is no control itself, but for a day its own earlier registration is', async () => {
    const held: string[] = ['once.uk.com'];
    const { lookUp, asked, time } = await listedWhois(held);
    expect(await errorOf(lookUp('nic.uk.com'))).toMatchObject({ code: 'registry_unavailable' });
    expect(asked()).toEqual(['nic.uk.com']);
    await lookUp('once.uk.com');
    expect(await errorOf(lookUp('nic.uk.com'))).toMatchObject({ code: 'not_registered' });
    held.pop();
    expect(await errorOf(lookUp('once.uk.com'))).toMatchObject({
      code: 'not_registered',
      details: { evidence: { control: { name: 'once.uk.com', at: '2026-11-28T00:00:00Z' } } },
    });
    expect(asked()).toEqual(['once.uk.com', 'nic.uk.com', 'once.uk.com']);
    time.ms += DAY_MS;
    expect(await errorOf(lookUp('nic.uk.com'))).toMatchObject({ code: 'registry_unavailable' });
  });

  it('counts again once a name of the zone is seen registered', async () => {
    const { lookUp } = await listedWhois(['held.uk.com']);
    expect(await errorOf(lookUp('free.uk.com'))).toMatchObject({ code: 'registry_unavailable' });
    await lookUp('held.uk.com');
    expect(await errorOf(lookUp('free.uk.com'))).toMatchObject({ code: 'not_registered' });
  });

  it('asks for the control a day after a name of the registry was seen', async () => {
    const { lookUp, asked, time } = await listedWhois(['held.uk.com', 'nic.uk.com']);
    await lookUp('held.uk.com');
    time.ms += DAY_MS;
    expect(await errorOf(lookUp('free.uk.com'))).toMatchObject({
      code: 'not_registered',
      details: { evidence: { control: { name: 'nic.uk.com' } } },
    });
    expect(asked()).toEqual(['held.uk.com', 'free.uk.com', 'nic.uk.com']);
  });

  it.each<[string, WhoisReply]>([
    ['sends an unknown text', 'Quux zarbl.\r\n'],
    ['calls the name reserved', 'This name is reserved.\r\n'],
    ['resets the connection', (_, socket) => socket.resetAndDestroy()],
    ['answers about another name', record('nic.example')],
  ])('is unreadable, and the control asked again after a minute, if the server %s', async (_, trouble) => {
    let control = trouble;
    const { lookUp, asked, time } = await listedWhois([], {}, (query, socket) => {
      const answer = query === 'nic.uk.com' ? control : FREE;
      if (typeof answer === 'string') socket.end(answer);
      else answer(query, socket);
    });
    expect(await errorOf(lookUp('a.uk.com'))).toMatchObject({
      code: 'registry_unavailable',
      details: { raw: FREE },
    });
    expect(asked()).toEqual(['a.uk.com', 'nic.uk.com']);
    control = record('nic.uk.com');
    time.ms += 60_000;
    expect(await errorOf(lookUp('b.uk.com'))).toMatchObject({ code: 'not_registered' });
    expect(asked()).toEqual(['b.uk.com', 'nic.uk.com']);
  });

  it('is no denial while the control gets no answer in time', async () => {
    const { lookUp } = await listedWhois(
      [],
      { settings: { timeoutMs: 300 }, clock: { now: Date.now, monotonic: () => performance.now() } },
      (query, socket) => {
        if (query !== 'nic.uk.com') socket.end(FREE);
      },
    );
    expect(await errorOf(lookUp('free.uk.com'))).toMatchObject({ code: 'registry_unavailable' });
  });

  it('waits for the control of another look-up no longer than its own time', async () => {
    let deny = (): void => undefined;
    const settings = { timeoutMs: 600_000 };
    const { lookUp, queries, time } = await listedWhois([], { settings }, (query, socket) => {
      if (query === 'first.uk.com') deny = () => void socket.end(FREE);
      else if (query !== 'nic.uk.com') socket.end(FREE);
    });
    const first = errorOf(lookUp('first.uk.com'));
    await expect.poll(() => queries).toContain(`${LISTED} first.uk.com`);
    void errorOf(lookUp('second.uk.com'));
    await expect.poll(() => queries).toContain(`${LISTED} nic.uk.com`);
    time.ms += 599_900;
    deny();
    expect(await first).toMatchObject({ code: 'registry_unavailable' });
  });

  it.each([
    ['busy', 'service'],
    ['paused', 'registry'],
  ] as const)(
    'has no answer while no control may be sent (%s), which is then asked for again',
    async (reason, limitedBy) => {
      let isBusy = true;
      const { lookUp, asked } = await listedWhois(['nic.uk.com'], {
        gate: {
          run: (_, call) => {
            const isControl = calls++ % 2 === 1;
            if (isControl && isBusy) throw new ServerFault(reason, { retryAfterSeconds: 7 });
            return call(new AbortController().signal);
          },
        },
      });
      let calls = 0;
      expect(await errorOf(lookUp('free.uk.com'))).toMatchObject({
        code: 'registry_rate_limited',
        retryAfterSeconds: 7,
        details: { limitedBy },
      });
      isBusy = false;
      expect(await errorOf(lookUp('free.uk.com'))).toMatchObject({ code: 'not_registered' });
      expect(asked()).toEqual(['free.uk.com', 'free.uk.com', 'nic.uk.com']);
    },
  );

  it('does not count from a server to which another one refers, whoever names that one', async () => {
    const other = 'whois.other.test';
    const world = await open({
      root: { com: { refer: 'whois.nic.test' } },
      whois: { 'whois.nic.test': `refer: ${other}\r\n`, [LISTED]: `refer: ${other}\r\n`, [other]: FREE },
      settings: { protocols: 'whois' },
    });
    for (const name of ['free.com', 'free.uk.com'])
      expect(await errorOf(world.lookUp(name))).toMatchObject({ code: 'registry_unavailable' });
  });
});

describe('a denial by RDAP of a server that only a list names', () => {
  const DENIAL = {
    status: 404,
    body: '{"errorCode":404,"title":"Not Found","description":["The domain was not found."]}',
  };

  it.each<[string, Parameters<typeof openListedRdap>[0], raw?: string]>([
    ['answers 404 for every name', () => DENIAL],
    ['answers 404 for every name, without a body', () => ({ ...DENIAL, body: '' }), ''],
    ['redirects the control to another host', (name) => (name === 'nic.uk.com' ? 'redirect' : DENIAL)],
  ])('does not count from a server that %s', async (_, answerTo, raw = DENIAL.body) => {
    const { lookUp, requests } = await openListedRdap(answerTo);
    const error = await errorOf(lookUp('handworks.uk.com'));
    expect(error).toMatchObject({ code: 'registry_unavailable', details: { protocol: 'rdap', raw } });
    expect(error.details).not.toHaveProperty('control.outcome', 'registered');
    expect(requests).toEqual(['handworks.uk.com', 'nic.uk.com']);
  });

  it('does not count from a server that knows other zones alone', async () => {
    const { lookUp } = await openListedRdap((name) => (name.endsWith('.bz') ? DENIAL : 'record'));
    expect(await lookUp('nic.lc')).toMatchObject({ state: 'registered' });
    expect(await errorOf(lookUp('handworks.bz'))).toMatchObject({ code: 'registry_unavailable' });
  });

  it('does not count because the WHOIS server called a name registered', async () => {
    let isUp = true;
    const { lookUp, requests } = await openListedRdap(() => DENIAL, {
      [LISTED]: (query, socket) => void (isUp ? socket.end(record(query)) : socket.resetAndDestroy()),
    });
    expect(await lookUp('held.uk.com')).toMatchObject({ protocol: 'whois' });
    isUp = false;
    expect(await errorOf(lookUp('taken.uk.com'))).toMatchObject({ code: 'registry_unavailable' });
    expect(requests).toEqual(['taken.uk.com', 'nic.uk.com']);
  });

  it('counts after a record of another name of the zone', async () => {
    const { lookUp } = await openListedRdap((name) => (name === 'nic.uk.com' ? 'record' : DENIAL));
    expect(await errorOf(lookUp('free.uk.com'))).toMatchObject({
      code: 'not_registered',
      details: { evidence: { kind: 'rdap', control: { name: 'nic.uk.com' } } },
    });
  });
});

describe("a denial of a server that the bundled copy of IANA's data names", () => {
  it('counts while the root and the bootstrap cannot be queried', async () => {
    const { lookUp } = await open({
      root: (_, socket) => socket.resetAndDestroy(),
      whois: { 'whois.verisign-grs.com': 'No match for "FREE.COM".\r\n' },
      settings: { rdapBootstrap: { url: 'https://bootstrap.test/dns.json' } },
      fetch: (url) =>
        url.includes('bootstrap')
          ? Promise.reject(new Error('unreachable'))
          : Promise.resolve(new Response('', { status: 404, headers: { 'content-length': '0' } })),
    });
    for (const name of ['free.com', 'free.app']) {
      const { code, details } = await errorOf(lookUp(name));
      expect(code).toBe('not_registered');
      expect(details).not.toHaveProperty('evidence.control');
    }
  });
});
