import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { record } from '../../../test/registration/loopback-world.ts';
import type { WorldOptions } from '../../../test/registration/loopback-world.ts';
import { NIC, closeWorld, errorOf, open } from '../../../test/registration/opened-world.ts';
import { openRdap } from '../../../test/registration/rdap-world.ts';

afterEach(closeWorld);

/** Words that no registry has sent and no table knows. */
const NO = (name: string) => `Quux zarbl: ${name}\r\nFrobnicates nowhere.\r\n`;
const RANDOM = `${'a'.repeat(24)}.test`;
const ROOT = { test: { refer: NIC }, other: { refer: NIC } };

const onlyHeld = (name: string, socket: Socket) => socket.end(name === 'held.test' ? record(name) : NO(name));

/** A registry with a record of `nic.test` and the given answer for all other names. */
async function registry(says: (name: string) => string = NO, more: WorldOptions = {}) {
  const time = { ms: 0 };
  const world = await open({
    root: ROOT,
    whois: {
      [NIC]: (name, socket) => socket.end(name.startsWith('nic.') ? record(name) : says(name)),
    },
    clock: { now: () => time.ms, monotonic: () => time.ms },
    random: () => 0,
    ...more,
    settings: { witnesses: true, ...more.settings },
  });
  const requests = () =>
    world.queries.filter((query) => query.startsWith(NIC)).map((query) => query.split(' ')[1]);
  return { ...world, time, requests };
}

describe('an unknown text', () => {
  it('is a denial if the server sends it for a random name too, and not for a registered one', async () => {
    const { lookUp, requests } = await registry();
    const error = await errorOf(lookUp('free.test'));
    expect(error).toMatchObject({
      code: 'not_registered',
      details: { raw: NO('free.test'), evidence: { kind: 'witness', line: expect.any(String) as string } },
    });
    expect(NO('free.test')).toContain((error.details as { evidence: { line: string } }).evidence.line);
    expect(requests()).toEqual(['free.test', 'nic.test', RANDOM]);
  });

  it('is remembered as a denial for a day, without another test of its server and zone', async () => {
    const { lookUp, requests, time } = await registry();
    await errorOf(lookUp('free.test'));
    expect(await errorOf(lookUp('second.test'))).toMatchObject({ code: 'not_registered' });
    expect(requests()).toEqual(['free.test', 'nic.test', RANDOM, 'second.test']);
    time.ms += 86_400_000;
    expect(await errorOf(lookUp('third.test'))).toMatchObject({ code: 'not_registered' });
    expect(requests().slice(4)).toEqual(['third.test', 'nic.test', RANDOM]);
  });

  it('stays unreadable in a zone of which the server has no record: it may not serve the zone', async () => {
    const { lookUp, requests } = await registry(NO, {
      root: { ...ROOT, jp: { refer: NIC } },
      whois: {
        [NIC]: (name, socket) => socket.end(/^nic\.(?:test|jp)$/.test(name) ? record(name) : NO(name)),
      },
    });
    expect(await errorOf(lookUp('free.test'))).toMatchObject({ code: 'not_registered' });
    expect(await errorOf(lookUp('taken.other'))).toMatchObject({ code: 'registry_unavailable' });
    expect(await errorOf(lookUp('free.jp'))).toMatchObject({ code: 'not_registered' });
    expect(await errorOf(lookUp('taken.co.jp'))).toMatchObject({ code: 'registry_unavailable' });
    expect(requests().slice(-2)).toEqual(['taken.co.jp', 'nic.co.jp']);
  });

  it('is tested again five minutes after a failed test', async () => {
    let isFailing = true;
    const { lookUp, requests, time } = await registry(NO, {
      whois: {
        [NIC]: (name, socket) => {
          if (!name.startsWith('nic.')) socket.end(NO(name));
          else if (isFailing) socket.resetAndDestroy();
          else socket.end(record(name));
        },
      },
    });
    expect(await errorOf(lookUp('first.test'))).toMatchObject({ code: 'registry_unavailable' });
    isFailing = false;
    time.ms += 299_999;
    expect(await errorOf(lookUp('second.test'))).toMatchObject({ code: 'registry_unavailable' });
    time.ms += 1;
    expect(await errorOf(lookUp('third.test'))).toMatchObject({ code: 'not_registered' });
    expect(requests().slice(-4)).toEqual(['second.test', 'third.test', 'nic.test', RANDOM]);
  });

  it('is tested once for simultaneous look-ups', async () => {
    const { lookUp, requests } = await registry();
    const errors = await Promise.all(['a.test', 'b.test', 'c.test'].map((name) => errorOf(lookUp(name))));
    expect(errors.map(({ code }) => code)).toEqual(Array(3).fill('not_registered'));
    expect(requests()).toHaveLength(5);
  });

  it('has its first compared line as evidence', async () => {
    const { lookUp } = await registry((name) => `Session: ${name.length}\r\n% Welcome\r\n${NO(name)}`);
    const { details } = await errorOf(lookUp('free.test'));
    expect(details).toMatchObject({ evidence: { kind: 'witness', line: 'Quux zarbl: free.test' } });
  });

  it('stays unreadable if the server sends the same for all names: it is failing', async () => {
    const says = () => 'Quux zarbl.\r\n';
    const { lookUp, requests } = await registry(says, {
      whois: { [NIC]: says() },
    });
    expect(await errorOf(lookUp('free.test'))).toMatchObject({ code: 'registry_unavailable' });
    expect(await errorOf(lookUp('second.test'))).toMatchObject({ code: 'registry_unavailable' });
    expect(requests()).toEqual(['free.test', 'nic.test', 'second.test']);
  });

  it('stays unreadable if a random name gets another text, which is not remembered as a denial', async () => {
    let isFailing = false;
    const { lookUp } = await registry(NO, {
      whois: {
        [NIC]: (name, socket) => {
          isFailing ||= name === RANDOM;
          if (isFailing) socket.end('Zarbl blorg.\r\n');
          else socket.end(name === 'nic.test' ? record(name) : NO(name));
        },
      },
    });
    expect(await errorOf(lookUp('free.test'))).toMatchObject({ code: 'registry_unavailable' });
    expect(await errorOf(lookUp('taken.test'))).toMatchObject({ code: 'registry_unavailable' });
  });

  it('of one name, which a random name does not get, spoils no test of the usual text', async () => {
    const { lookUp, requests } = await registry((name) =>
      name === 'odd.test' ? 'Zarbl blorg.\r\n' : NO(name),
    );
    expect(await errorOf(lookUp('odd.test'))).toMatchObject({ code: 'registry_unavailable' });
    expect(await errorOf(lookUp('odd.test'))).toMatchObject({ code: 'registry_unavailable' });
    expect(requests()).toEqual(['odd.test', 'nic.test', RANDOM, 'odd.test']);
    expect(await errorOf(lookUp('free.test'))).toMatchObject({ code: 'not_registered' });
  });

  it('stays unreadable if a random name gets a known denial: then the text has another meaning', async () => {
    const { lookUp } = await registry((name) => (name === RANDOM ? 'No match!!\r\n' : NO(name)));
    expect(await errorOf(lookUp('free.test'))).toMatchObject({ code: 'registry_unavailable' });
  });

  it('is a denial too if it contains only the first label of the name', async () => {
    const { lookUp } = await registry((name) => `Zarbl ${name.split('.')[0] ?? ''} frobnicates.\r\n`);
    expect(await errorOf(lookUp('free.test'))).toMatchObject({ code: 'not_registered' });
  });

  it('stays unreadable from a server that was not tested itself', async () => {
    const other = 'whois.nic.other';
    const { lookUp } = await registry(NO, {
      root: { test: { refer: NIC }, other: { refer: other } },
      whois: {
        [NIC]: (name, socket) => socket.end(name.startsWith('nic.') ? record(name) : NO(name)),
        [other]: (name, socket) => socket.end(NO(name)),
      },
    });
    expect(await errorOf(lookUp('free.test'))).toMatchObject({ code: 'not_registered' });
    expect(await errorOf(lookUp('free.other'))).toMatchObject({ code: 'registry_unavailable' });
  });

  it('is compared with names of the same zone, not under its top-level domain', async () => {
    const { lookUp, requests } = await registry(NO, { root: { jp: { refer: NIC } } });
    expect(await errorOf(lookUp('free.co.jp'))).toMatchObject({ code: 'not_registered' });
    expect(requests()).toEqual(['free.co.jp', 'nic.co.jp', `${'a'.repeat(24)}.co.jp`]);
  });

  it('is compared with an earlier registered name, before nic.<zone>', async () => {
    const { lookUp, requests } = await registry(NO, { whois: { [NIC]: onlyHeld } });
    expect((await lookUp('held.test')).state).toBe('registered');
    expect(await errorOf(lookUp('free.test'))).toMatchObject({ code: 'not_registered' });
    expect(requests()).toEqual(['held.test', 'free.test', 'held.test', RANDOM]);
  });

  it('that could not be tested is tested once a registered name of the zone is seen', async () => {
    const { lookUp, requests } = await registry(NO, { whois: { [NIC]: onlyHeld } });
    expect(await errorOf(lookUp('free.test'))).toMatchObject({ code: 'registry_unavailable' });
    expect(await errorOf(lookUp('free.test'))).toMatchObject({ code: 'registry_unavailable' });
    expect(requests()).toEqual(['free.test', 'nic.test', 'free.test']);
    expect((await lookUp('held.test')).state).toBe('registered');
    expect(await errorOf(lookUp('free.test'))).toMatchObject({ code: 'not_registered' });
    expect(requests().slice(3)).toEqual(['held.test', 'free.test', 'held.test', RANDOM]);
  });

  it('is tested again after five minutes if the control queries were throttled or unreadable', async () => {
    for (const [limitedName, text] of [
      ['nic.test', 'WHOIS LIMIT EXCEEDED\r\n'],
      [RANDOM, 'WHOIS LIMIT EXCEEDED\r\n'],
      [RANDOM, '<html>Maintenance</html>\r\n'],
      [RANDOM, ''],
    ] as const) {
      let isLimited = true;
      const { lookUp, time } = await registry(NO, {
        whois: {
          [NIC]: (name, socket) => {
            if (isLimited && name === limitedName) socket.end(text);
            else socket.end(name === 'nic.test' ? record(name) : NO(name));
          },
        },
      });
      expect(await errorOf(lookUp('free.test'))).toMatchObject({ code: 'registry_unavailable' });
      isLimited = false;
      time.ms += 300_000;
      expect(await errorOf(lookUp('free.test'))).toMatchObject({ code: 'not_registered' });
    }
  });

  it('is not tested if the RDAP service responds, or the witnesses are turned off', async () => {
    const world = await openRdap((_, response) => response.writeHead(500).end(), {
      root: ROOT,
      whois: { [NIC]: NO('free.test') },
      settings: { witnesses: true },
    });
    await errorOf(world.lookUp('free.test'));
    expect(world.queries.filter((query) => query.startsWith(NIC))).toHaveLength(1);
    await closeWorld();
    const { lookUp, requests } = await registry(NO, { settings: { witnesses: false } });
    expect(await errorOf(lookUp('free.test'))).toMatchObject({ code: 'registry_unavailable' });
    expect(requests()).toEqual(['free.test']);
  });

  it('is not tested if it is long, or known throttling', async () => {
    for (const text of ['Quux zarbl\r\n'.repeat(400), 'WHOIS LIMIT EXCEEDED\r\n']) {
      const { lookUp, requests } = await registry(() => text);
      await errorOf(lookUp('free.test'));
      expect(requests()).toEqual(['free.test']);
    }
  });

  it('is not tested if it was cut off: the rest may deny, or not', async () => {
    const { lookUp, requests } = await registry(NO, {
      whois: { [NIC]: (name, socket) => socket.write(NO(name), () => socket.resetAndDestroy()) },
    });
    expect(await errorOf(lookUp('free.test'))).toMatchObject({ code: 'registry_unavailable' });
    expect(requests()).toEqual(['free.test']);
  });

  it('does not extend a look-up beyond its deadline', async () => {
    const { lookUp } = await registry(NO, {
      whois: {
        [NIC]: (name, socket) => {
          if (!name.startsWith('nic.')) socket.end(NO(name));
        },
      },
      clock: { now: () => performance.now(), monotonic: () => performance.now() },
      settings: { witnesses: true, timeoutMs: 300 },
    });
    expect(await errorOf(lookUp('free.test'))).toMatchObject({ code: 'registry_unavailable' });
  });
});
