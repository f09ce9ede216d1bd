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

/** A registry that has `nic.test` and says of all other names what is given. */
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
  const asked = () =>
    world.queries.filter((query) => query.startsWith(NIC)).map((query) => query.split(' ')[1]);
  return { ...world, time, asked };
}

describe('a text that nobody knows', () => {
  it('is a denial where the server says it of a random name too, and not of one that is held', async () => {
    const { lookUp, asked } = await registry();
    const error = await errorOf(lookUp('free.test'));
    expect(error).toMatchObject({
      code: 'not_registered',
      details: { raw: NO('free.test'), evidence: { kind: 'witness', line: expect.any(String) as string } },
    });
    expect(NO('free.test')).toContain((error.details as { evidence: { line: string } }).evidence.line);
    expect(asked()).toEqual(['free.test', 'nic.test', RANDOM]);
  });

  it('is remembered as a denial for a day, and its server not tested again before', async () => {
    const { lookUp, asked, time } = await registry();
    await errorOf(lookUp('free.test'));
    expect(await errorOf(lookUp('second.test'))).toMatchObject({ code: 'not_registered' });
    expect(await errorOf(lookUp('third.other'))).toMatchObject({ code: 'not_registered' });
    expect(asked()).toEqual(['free.test', 'nic.test', RANDOM, 'second.test', 'third.other']);
    time.ms += 86_400_000;
    expect(await errorOf(lookUp('fourth.test'))).toMatchObject({ code: 'not_registered' });
    expect(asked().slice(5)).toEqual(['fourth.test', 'nic.test', RANDOM]);
  });

  it('is tested once for look-ups at the same time', async () => {
    const { lookUp, asked } = await registry();
    const errors = await Promise.all(['a.test', 'b.test', 'c.test'].map((name) => errorOf(lookUp(name))));
    expect(errors.map(({ code }) => code)).toEqual(Array(3).fill('not_registered'));
    expect(asked()).toHaveLength(5);
  });

  it('is shown by its first line that is compared', async () => {
    const { lookUp } = await registry((name) => `Session: ${name.length}\r\n% Welcome\r\n${NO(name)}`);
    const { details } = await errorOf(lookUp('free.test'));
    expect(details).toMatchObject({ evidence: { kind: 'witness', line: 'Quux zarbl: free.test' } });
  });

  it('stays unreadable where the server says the same of all names: it is in trouble', async () => {
    const says = () => 'Quux zarbl.\r\n';
    const { lookUp, asked } = await registry(says, {
      whois: { [NIC]: says() },
    });
    expect(await errorOf(lookUp('free.test'))).toMatchObject({ code: 'registry_unavailable' });
    expect(await errorOf(lookUp('second.test'))).toMatchObject({ code: 'registry_unavailable' });
    expect(asked()).toEqual(['free.test', 'nic.test', 'second.test']);
  });

  it('stays unreadable where a random name gets other words', async () => {
    const { lookUp } = await registry((name) => (name === RANDOM ? 'Zarbl blorg.\r\n' : NO(name)));
    expect(await errorOf(lookUp('free.test'))).toMatchObject({ code: 'registry_unavailable' });
  });

  it('stays unreadable where a random name gets a known denial: then it means something else', async () => {
    const { lookUp } = await registry((name) => (name === RANDOM ? 'No match!!\r\n' : NO(name)));
    expect(await errorOf(lookUp('free.test'))).toMatchObject({ code: 'registry_unavailable' });
  });

  it('is compared with a name that read as registered before, where nic.<tld> is none', async () => {
    const { lookUp, asked } = await registry(NO, {
      whois: { [NIC]: (name, socket) => socket.end(name === 'held.test' ? record(name) : NO(name)) },
    });
    expect((await lookUp('held.test')).state).toBe('registered');
    expect(await errorOf(lookUp('free.test'))).toMatchObject({ code: 'not_registered' });
    expect(asked()).toEqual(['held.test', 'free.test', 'nic.test', 'held.test', RANDOM]);
  });

  it('is not tested where the RDAP service answers, or the witnesses are turned off', async () => {
    const world = await openRdap((_, response) => response.writeHead(500).end(), {
      root: ROOT,
      whois: { [NIC]: NO('free.test') },
      settings: { witnesses: true },
    });
    await errorOf(world.lookUp('free.test'));
    expect(world.queries.filter((query) => query.startsWith(NIC))).toHaveLength(1);
    await closeWorld();
    const { lookUp, asked } = await registry(NO, { settings: { witnesses: false } });
    expect(await errorOf(lookUp('free.test'))).toMatchObject({ code: 'registry_unavailable' });
    expect(asked()).toEqual(['free.test']);
  });

  it('is not tested where it is long, or throttling that is known', async () => {
    for (const text of ['Quux zarbl\r\n'.repeat(400), 'WHOIS LIMIT EXCEEDED\r\n']) {
      const { lookUp, asked } = await registry(() => text);
      await errorOf(lookUp('free.test'));
      expect(asked()).toEqual(['free.test']);
    }
  });

  it('does not hold a look-up beyond its time', async () => {
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
