import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { answers, clientOver, closed, readAll, silentClient } from '../../test/client-world.ts';
import { record } from '../../test/loopback-world.ts';
import { NIC } from '../../test/opened-world.ts';
import { LookUpError, lookUpDomain, parseRdap } from '../index.ts';

describe('an error of the library', () => {
  it.each([
    ['-a.test', 'invalid_domain'],
    ['free.test', 'not_registered'],
  ])('has its own class: of %s, %s', async (name, code) => {
    const { lookUpDomain } = await clientOver((_, socket) => socket.end('No match!!\r\n'));
    const error: unknown = await lookUpDomain(name).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(LookUpError);
    expect(error).toMatchObject({ name: 'LookUpError', code });
  });
});

describe('a signal', () => {
  it('aborts a running look-up with its reason, and closes the connection', async () => {
    const { lookUpDomain, nextSocket } = await silentClient();
    const controller = new AbortController();
    const looked = lookUpDomain('a.test', { signal: controller.signal });
    const gone = closed(await nextSocket());
    controller.abort(new Error('enough'));
    await expect(looked).rejects.toThrow('enough');
    await gone;
  });

  it('of a program that looks up many names has no listener of those that are done', async () => {
    const { lookUpDomain, lookUpMany } = await clientOver((name, socket) => socket.end(record(name)));
    const { signal } = new AbortController();
    await lookUpDomain('a.test', { signal });
    await readAll(lookUpMany(['b.test', '-c.test'], { signal }));
    await expect.poll(() => getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('that is already aborted sends no query', async () => {
    const { lookUpDomain, queries } = await clientOver(answers);
    const signal = AbortSignal.abort(new Error('too late'));
    await expect(lookUpDomain('a.test', { signal })).rejects.toThrow('too late');
    await lookUpDomain('a.other');
    expect(queries).toEqual(['root other', 'a.other']);
  });

  it('of one caller does not end the look-up of another caller of the same name', async () => {
    const { lookUpDomain, nextSocket, queries } = await silentClient();
    const controller = new AbortController();
    const first = lookUpDomain('a.test', { signal: controller.signal });
    const second = lookUpDomain('a.test');
    const socket = await nextSocket();
    controller.abort(new Error('enough'));
    await expect(first).rejects.toThrow('enough');
    socket.end(record('a.test'));
    expect((await second).state).toBe('registered');
    expect(queries).toEqual(['root test', 'a.test']);
  });

  it('of the last caller aborts the look-up; the next callers share a new one', async () => {
    const { lookUpDomain, nextSocket, queries } = await silentClient();
    const controllers = [new AbortController(), new AbortController()];
    const both = controllers.map(({ signal }) => lookUpDomain('a.test', { signal }).catch(String));
    const gone = closed(await nextSocket());
    for (const controller of controllers) controller.abort('left');
    expect(await Promise.all(both)).toEqual(['left', 'left']);
    const next = [lookUpDomain('a.test'), gone.then(() => lookUpDomain('a.test'))];
    (await nextSocket()).end(record('a.test'));
    expect(await Promise.all(next)).toMatchObject([{ state: 'registered' }, { state: 'registered' }]);
    expect(queries).toEqual(['root test', 'a.test', 'a.test']);
  });
});

describe('the library', () => {
  it('callers of the same name share one look-up while it runs, each with the name as they wrote it', async () => {
    const { lookUpDomain, queries } = await clientOver(answers);
    const names = ['example.test', 'EXAMPLE.test', 'http://www.example.test:8080/x', 'example.test/x'];
    const all = await Promise.all(names.map((name) => lookUpDomain(name)));
    expect(all.map(({ domain }) => domain)).toEqual(names);
    expect(all[0]).toMatchObject({ whoisServer: NIC, parsed: { domainName: 'example.test' } });
    expect(queries).toEqual(['root test', 'example.test']);
    await lookUpDomain('example.test');
    expect(queries).toHaveLength(3);
  });

  it('rejects an invalid name before any query', async () => {
    await expect(lookUpDomain('-T dn.example')).rejects.toMatchObject({ code: 'invalid_domain' });
  });

  it.each([
    ['https://www.free.test/a?b', { available: true, state: 'not_registered' }],
    [
      'https://www.a.test/',
      {
        available: false,
        state: 'registered',
        ending: 'none',
        reason: `${NIC} has a record of a.test.`,
      },
    ],
    ['-a.test', { available: false, state: 'invalid' }],
    [
      'down.test',
      {
        available: null,
        state: 'registry_unavailable',
        reason: expect.stringMatching(/\.$/) as string,
        retryAfterSeconds: 10,
      },
    ],
  ])('says whether %s is available, or why that is unknown', async (name, expected) => {
    const { isAvailable } = await clientOver((query, socket) => {
      if (query === 'down.test') socket.destroy();
      else socket.end(query === 'free.test' ? 'No match!!\r\n' : record(query));
    });
    expect(await isAvailable(name)).toMatchObject(expected);
  });

  it('names a wrong argument', async () => {
    const { lookUpDomain, lookUpMany, isAvailable } = await clientOver(answers);
    const wrong = (value: unknown) => value as never;
    await expect(lookUpDomain(wrong(42))).rejects.toThrow('a name must be a string, not 42');
    await expect(isAvailable(wrong(undefined))).rejects.toThrow(TypeError);
    await expect(lookUpDomain('a.test', { follow: wrong('x') })).rejects.toThrow(
      'follow must be one of registry, registrar, not "x"',
    );
    await expect(lookUpDomain('a.test', { protocols: wrong('x') })).rejects.toThrow(TypeError);
    await expect(lookUpDomain('a.test', wrong({ folow: 'registrar' }))).rejects.toThrow(
      'the nearest is follow',
    );
    await expect(lookUpDomain('a.test', wrong({ timeoutMs: 5 }))).rejects.toThrow(
      'there is no option timeoutMs',
    );
    await expect(lookUpDomain('a.test', wrong(null))).rejects.toThrow(
      'the options must be an object, not null',
    );
    await expect(isAvailable('a.test', { signal: wrong('x') })).rejects.toThrow(
      'signal must be an AbortSignal',
    );
    expect(() => lookUpMany(wrong('a.test'))).toThrow(
      'names must be a list or an async iterable, not string',
    );
    expect(() => lookUpMany(['a.test'], { protocols: wrong('ftp') })).toThrow('protocols must be one of');
    expect(() => parseRdap('{}', wrong({}))).toThrow(TypeError);
  });
});
