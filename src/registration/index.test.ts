import { afterEach, describe, expect, it } from 'vitest';
import { record, rootObject } from '../../test/registration/loopback-world.ts';
import { LookUpError, createLookUpClient, lookUpDomain, parseWhois } from './index.ts';
import { startWhoisServer } from '../sample/registries/loopback-server.ts';
import type { LoopbackServer } from '../sample/registries/loopback-server.ts';

const servers: LoopbackServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(answer: (query: string) => string): Promise<string> {
  const server = await startWhoisServer((query, socket) => socket.end(answer(query)));
  servers.push(server);
  return `127.0.0.1:${server.port}`;
}

describe('the library', () => {
  it('looks a name up without a service', async () => {
    const { lookUpDomain: lookUp, close } = createLookUpClient({
      whoisRoot: await serve((tld) => rootObject(tld, 'whois.nic.test')),
      hostMap: {
        'whois.nic.test': await serve((name) => (name === 'free.test' ? 'No match!!\n' : record(name))),
      },
      allowedCidrs: ['127.0.0.1/32'],
      timeoutMs: 5_000,
      rdapBootstrap: { publication: '', services: [[['unused'], ['https://rdap.unused.example/']]] },
    });
    const result = await lookUp('WWW.example.test');
    expect(result).toMatchObject({
      domain: 'WWW.example.test',
      whoisServer: 'whois.nic.test',
      state: 'registered',
    });
    expect(result.parsed.domainName).toBe('example.test');
    const error: unknown = await lookUp('free.test').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(LookUpError);
    expect(error).toMatchObject({ code: 'not_registered' });
    close();
  });

  it('callers of the same name share one look-up', async () => {
    const queries: string[] = [];
    const { lookUpDomain: lookUp } = createLookUpClient({
      whoisRoot: await serve((tld) => rootObject(tld, 'whois.nic.test')),
      hostMap: {
        'whois.nic.test': await serve((name) => {
          queries.push(name);
          return record(name);
        }),
      },
      allowedCidrs: ['127.0.0.1/32'],
      timeoutMs: 30_000,
      rdapBootstrap: 'bundled',
    });
    const names = ['example.test', 'EXAMPLE.test', 'www.example.test'];
    const all = await Promise.all(names.map((name) => lookUp(name)));
    expect(all.map(({ domain }) => domain)).toEqual(names);
    expect(queries).toEqual(['example.test']);
    await lookUp('example.test');
    expect(queries).toHaveLength(2);
  });

  it('connects to no private address unless allowed', async () => {
    const client = createLookUpClient({
      whoisRoot: await serve(() => ''),
      timeoutMs: 5_000,
      rdapBootstrap: 'bundled',
    });
    await expect(client.lookUpDomain('example.test')).rejects.toMatchObject({ code: 'registry_unavailable' });
  });

  it('rejects invalid settings at once', () => {
    expect(() => createLookUpClient({ whoisRoot: 'whois.iana.org' })).toThrow(TypeError);
    expect(() => createLookUpClient({ hostMap: { a: 'b' } })).toThrow(TypeError);
    expect(() => createLookUpClient({ rdapBootstrap: 'nonsense' })).toThrow(TypeError);
    expect(() => createLookUpClient({ rdapBootstrap: {} })).toThrow();
    expect(() => createLookUpClient({ allowedCidrs: ['127.0.0.1/33'] })).toThrow(TypeError);
  });

  it('takes the default for an option that is undefined', () => {
    const unset = { timeoutMs: undefined, allowedCidrs: undefined, userAgent: undefined };
    expect(() => createLookUpClient(unset as object)).not.toThrow();
  });

  it('rejects an invalid name before any query', async () => {
    await expect(lookUpDomain('-T dn.example')).rejects.toMatchObject({ code: 'invalid_domain' });
  });

  it('parses a given text', () => {
    const { state, parsed } = parseWhois(record('example.test'), { domain: 'example.test' });
    expect([state, parsed.registrar, parsed.creationDate]).toEqual([
      'registered',
      'Sample Registrar',
      '2001-02-03T04:05:06Z',
    ]);
    expect(parseWhois('').state).toBe('broken');
  });
});
