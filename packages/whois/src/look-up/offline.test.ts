import net from 'node:net';
import { expect, it } from 'vitest';
import { createLookUpClient } from '../index.ts';
import { record, rootObject } from '../../test/loopback-world.ts';
import { startWhoisServer } from '../../../mokuroku/src/registration/sample/loopback-server.ts';
import { errorOf } from '../../test/opened-world.ts';

it('only a look-up that reaches no server says that the machine is offline, until a server answers', async () => {
  const server = await startWhoisServer((query, socket) =>
    socket.end(
      query.includes('unreadable')
        ? 'a line that is no record'
        : query.includes('.')
          ? record(query.replace(/^domain /, ''))
          : rootObject(query, 'whois.verisign-grs.com'),
    ),
  );
  const reachable = new Set<string>();
  const logged: string[] = [];
  const { lookUpDomain } = createLookUpClient({
    rdapBootstrap: 'bundled',
    log: (level, message) => {
      if (!message.startsWith('r') || message.startsWith('registries')) logged.push(`${level} ${message}`);
    },
    connect: ({ host }) =>
      reachable.has(host)
        ? Promise.resolve(net.connect(server.port, '127.0.0.1'))
        : Promise.reject(new Error('getaddrinfo ENOTFOUND')),
  });
  const message = 'No server could be reached, not even whois.iana.org: is this machine online?';
  for (const name of ['a.com', 'b.com'])
    expect(await errorOf(lookUpDomain(name))).toMatchObject({ code: 'registry_unavailable', message });
  expect(logged).toEqual([`warn ${message}`]);

  reachable.add('whois.iana.org');
  const { message: other } = await errorOf(lookUpDomain('c.com'));
  expect(other).toBe('The registry is unavailable.');
  expect(logged).toHaveLength(1);
  reachable.add('whois.verisign-grs.com');
  expect(await errorOf(lookUpDomain('unreadable.com'))).toMatchObject({ code: 'registry_unavailable' });
  expect(logged).toHaveLength(2);
  expect(await lookUpDomain('d.com')).toMatchObject({ state: 'registered' });
  expect(logged).toEqual([`warn ${message}`, 'info registries can be reached again']);
  await server.close();
});
