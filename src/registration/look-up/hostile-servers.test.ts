import net from 'node:net';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { record, rootObject, startWorld } from '../../../test/registration/loopback-world.ts';
import type { Answer, World, WorldOptions } from '../../../test/registration/loopback-world.ts';
import { ServiceError } from '../../errors.ts';
import { MAX_WHOIS_BYTES } from '../whois/client.ts';

let world: World | undefined;
const opened: net.Server[] = [];

afterEach(async () => {
  await world?.close();
  world = undefined;
  await Promise.all(opened.splice(0).map((server) => new Promise((done) => server.close(done))));
});

async function open(options: WorldOptions): Promise<World> {
  world = await startWorld({ ...options, settings: { timeoutMs: 30_000, ...options.settings } });
  return world;
}

const NIC = 'whois.nic.test';
const openWith = (answer: Answer, more: WorldOptions = {}) =>
  open({ root: { test: { refer: NIC } }, ...more, whois: { [NIC]: answer, ...more.whois } });

async function codeOf(looked: Promise<unknown>): Promise<string> {
  const error: unknown = await looked.then(
    () => 'no error',
    (reason: unknown) => reason,
  );
  if (!(error instanceof ServiceError)) throw error;
  return error.code;
}

/** Resolves when our side has let go of the connection. */
const letGo = (socket: Socket) =>
  new Promise<void>((done) =>
    socket.once('close', () => {
      done();
    }),
  );

/** RST, not FIN: Node's resetAndDestroy sends both while the socket is still writable. */
function reset(socket: Socket): void {
  Object.assign(socket, { resetAndClosing: true }).destroy();
}

describe('a WHOIS server that', () => {
  it.each<[string, (socket: Socket) => NodeJS.Timeout | undefined]>([
    ['drips for ever', (socket) => setInterval(() => socket.write('Domain Name: example.test\r\n'), 5)],
    ['says nothing and stays', () => undefined],
    [
      'answers and never ends',
      (socket) => {
        socket.write(record('example.test'));
        return undefined;
      },
    ],
  ])('%s costs the deadline and no more', async (_, act) => {
    let gone: Promise<void> | undefined;
    const answer: Answer = (_query, socket) => {
      const timer = act(socket);
      gone = letGo(socket).then(() => {
        clearInterval(timer);
      });
    };
    const { lookUp } = await openWith(answer, { settings: { timeoutMs: 500 } });
    expect(await codeOf(lookUp('example.test'))).toBe('registry_timeout');
    await gone;
  });

  it('floods is cut off long before it has filled any memory', async () => {
    const chunk = Buffer.alloc(65_536, 'Domain Name: example.test\r\n');
    let sent = 0;
    let gone: Promise<void> | undefined;
    const { lookUp } = await openWith(
      (_query, socket) => {
        gone = letGo(socket);
        const pour = () => {
          while (sent < 200_000_000 && !socket.destroyed) {
            sent += chunk.length;
            if (!socket.write(chunk)) break;
          }
        };
        socket.on('drain', pour);
        pour();
      },
      { settings: { timeoutMs: 10_000 } },
    );
    expect(await codeOf(lookUp('example.test'))).toBe('registry_unavailable');
    await gone;
    expect(sent).toBeLessThan(20_000_000);
  });

  it('answers with exactly the most that is allowed is read', async () => {
    const text = record('example.test');
    const { lookUp } = await openWith(text.padEnd(MAX_WHOIS_BYTES, '\n'), {
      settings: { timeoutMs: 10_000 },
    });
    expect((await lookUp('example.test')).raw).toHaveLength(MAX_WHOIS_BYTES);
  });

  it('answers with one byte more is cut off', async () => {
    const text = record('example.test').padEnd(MAX_WHOIS_BYTES + 1, '\n');
    const { lookUp } = await openWith(text);
    const error: unknown = await lookUp('example.test').catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'registry_unavailable' });
    expect(error).toHaveProperty('details.hops.1.outcome', 'too_large');
  });

  it('breaks off in the middle of a record has shown that the name is taken, and the answer is marked', async () => {
    const part = record('example.test').slice(0, 160);
    const { lookUp } = await openWith((_query, socket) =>
      socket.write(part, () => {
        setTimeout(reset, 20, socket);
      }),
    );
    const result = await lookUp('example.test');
    expect(result).toMatchObject({ truncated: true, raw: part, state: 'registered' });
    expect(result.parsed.registrar).toBe('Sample Registrar');
    expect(result.hops.at(-1)).toMatchObject({ outcome: 'cut_off' });
  });

  it.each(['', 'Dom', 'No match for "EXAMPLE.TEST".\r\n'])(
    'breaks off after %j has shown nothing: never that the name is free',
    async (part) => {
      const { lookUp } = await openWith((_query, socket) =>
        socket.write(part, () => {
          setTimeout(reset, 20, socket);
        }),
      );
      expect(await codeOf(lookUp('example.test'))).toBe('registry_unavailable');
    },
  );

  it('closes at once, or refuses the connection, is unavailable', async () => {
    const { lookUp } = await openWith((_query, socket) => socket.end(), {
      root: { test: { refer: NIC }, dead: { refer: 'whois.dead.test' } },
    });
    expect(await codeOf(lookUp('example.test'))).toBe('registry_unavailable');
    expect(await codeOf(lookUp('example.dead'))).toBe('registry_unavailable');
  });

  it('ends its side and waits for ours is read and let go', async () => {
    let gone: Promise<void> | undefined;
    const server = net.createServer({ allowHalfOpen: true }, (socket) => {
      socket.on('error', () => undefined);
      gone = letGo(socket);
      socket.resume();
      socket.end(record('example.test'));
    });
    opened.push(server);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const ports = { [NIC]: (server.address() as net.AddressInfo).port };
    const { lookUp } = await open({ root: { test: { refer: NIC } }, ports });
    expect((await lookUp('example.test')).parsed.domainName).toBe('example.test');
    await gone;
  });

  it('sends UTF-8 in single bytes is read as what it wrote', async () => {
    const text = record('example.test').replace('Sample Registrar', '見本レジストラ €');
    const { lookUp } = await openWith(
      (_query, socket) => {
        socket.setNoDelay(true);
        for (const byte of Buffer.from(text)) socket.write(Buffer.of(byte));
        socket.end();
      },
      { settings: { timeoutMs: 10_000 } },
    );
    expect((await lookUp('example.test')).parsed.registrar).toBe('見本レジストラ €');
  });
});

describe('referrals that', () => {
  it.each<[string, Record<string, Answer>]>([
    ['lead in a circle of two', { [NIC]: 'refer: whois.b.test\n', 'whois.b.test': `refer: ${NIC}\n` }],
    ['lead to themselves', { [NIC]: `refer: ${NIC}\n` }],
    [
      'go on for ever',
      Object.fromEntries(
        Array.from({ length: 12 }, (_, i) => [
          i === 0 ? NIC : `whois.n${i}.test`,
          `refer: whois.n${i + 1}.test\n`,
        ]),
      ),
    ],
  ])('%s are cut, and no server is asked twice', async (_, whois) => {
    const { lookUp, queries } = await open({ root: { test: { refer: NIC } }, whois });
    expect(await codeOf(lookUp('example.test'))).toBe('registry_unavailable');
    expect(new Set(queries).size).toBe(queries.length);
    expect(queries.length).toBeLessThanOrEqual(5);
  });

  it('make five hops with the root are followed, and one more is not', async () => {
    const chain = (length: number) =>
      Object.fromEntries(
        Array.from({ length }, (_, i) => [
          `whois.n${i}.test`,
          i === length - 1 ? record('example.test') : `refer: whois.n${i + 1}.test\n`,
        ]),
      );
    const root = { test: { refer: 'whois.n0.test' } };
    const { lookUp, close } = await open({ root, whois: chain(4) });
    expect((await lookUp('example.test')).hops).toHaveLength(5);
    await close();
    const longer = await open({ root, whois: chain(5) });
    expect(await codeOf(longer.lookUp('example.test'))).toBe('registry_unavailable');
    expect(longer.queries).toHaveLength(5);
  });

  it.each([
    'whois.b.test\r\nwhois.c.test',
    'whois.b.test%0d%0aexample.org',
    'whois.b.test\\r\\nexample.org',
    'whois.b.test\u0000.example',
    'whois.b.test\u2028example.org',
    'whois.b.test -T dn example.org',
    '-h whois.b.test',
  ])('carry more than a host name (%j) put nothing into a query', async (stated) => {
    const { lookUp, queries } = await open({
      root: { test: rootObject('test', stated) },
      whois: { 'whois.b.test': record('example.test'), 'whois.c.test': record('example.test') },
    });
    await lookUp('example.test').catch(() => undefined);
    expect(queries.filter((query) => !/^(?:root test|whois\.b\.test example\.test)$/.test(query))).toEqual(
      [],
    );
  });
});

describe('a referral to this machine or a private network', () => {
  /** What a root, registry or registrar may write to be sent where it cannot go itself. */
  const LITERALS = [
    ...['127.0.0.2', '127.1', '127.0.0.2:4321', '0x7f.0.0.2', '0x7f000002', '2130706434', '017700000002'],
    ...[
      '0177.0.0.2',
      '127.0.2',
      '0',
      '0.0.0.0',
      '[::1]',
      '::1',
      '[::1]:4321',
      '[::ffff:127.0.0.2]',
      '::ffff:7f00:2',
    ],
    ...['[64:ff9b::7f00:2]', '[2002:7f00:2::]', 'fe80::1%lo', '10.0.0.1', '172.16.0.1', '192.168.1.1'],
    ...['169.254.169.254', '100.64.0.1', '224.0.0.1', '255.255.255.255', '240.0.0.1', '198.18.0.1'],
    ...['192.0.2.1', 'localhost', 'LOCALHOST', 'localhost.', 'foo.localhost', 'intranet', 'whois'],
    ...['http://127.0.0.2/', 'whois://127.0.0.2', 'rwhois://127.0.0.2:4321/auth-area=.', 'http://[::1]/'],
    ...[
      '[fe80::2]',
      '[fd00::1]',
      '[ff02::1]',
      '[2001:db8::1]',
      '198.51.100.1',
      '203.0.113.1',
      '127.000.000.002',
    ],
    ...['whois://localhost:4321', 'user@127.0.0.2', '１２７.0.0.2', '①②⑦.0.0.2', '127。0。0。2'],
  ];
  const HOSTS = Object.entries({
    'loopback.test': '127.0.0.2',
    'loopback6.test': '::1',
    'mapped.test': '::ffff:127.0.0.2',
    'nat64.test': '64:ff9b::7f00:2',
    'sixtofour.test': '2002:7f00:2::1',
    'teredo.test': '2001:0:7f00:2::',
    'any.test': '0.0.0.0',
    'any6.test': '::',
    'private.test': '10.0.0.1',
    'cgnat.test': '100.64.0.1',
    'metadata.test': '169.254.169.254',
    'ula.test': 'fd00::1',
    'linklocal.test': 'fe80::1',
    'multicast.test': 'ff02::1',
    'short.test': '0x7f.2',
  });

  /** Listens on every address of this machine. */
  async function startCanary(): Promise<{ arrived: () => number; port: number }> {
    let count = 0;
    const server = net.createServer((socket) => {
      count++;
      socket.destroy();
    });
    opened.push(server);
    await new Promise<void>((done) => server.listen({ host: '::', port: 0 }, done));
    return { arrived: () => count, port: (server.address() as net.AddressInfo).port };
  }

  it.each(LITERALS)('written as %s is not followed by anybody', async (stated) => {
    const { lookUp, queries } = await open({
      root: { test: rootObject('test', stated), other: { refer: NIC } },
      whois: { [NIC]: record('example.other', [`Registrar WHOIS Server: ${stated}`]) },
      resolve: () => Promise.reject(new Error('nothing is resolved')),
    });
    expect(await codeOf(lookUp('example.test'))).toBe('registry_unavailable');
    expect(await lookUp('example.other', 'registrar')).toMatchObject({
      whoisServer: NIC,
      hops: { length: 2 },
    });
    expect(queries).toEqual(['root test', 'root other', `${NIC} example.other`]);
  });

  it.each(HOSTS)('behind the name %s (%s) is not connected to', async (host, address) => {
    const canary = await startCanary();
    const resolved = { root: { test: { refer: host } }, resolve: () => Promise.resolve([address]) };
    const mapped = { ...resolved, hosts: { [host]: { host: address, port: canary.port } } };
    for (const options of [resolved, mapped]) {
      const { lookUp, close } = await startWorld(options);
      const error: unknown = await lookUp('example.test').catch((reason: unknown) => reason);
      await close();
      expect(error).toMatchObject({ code: 'registry_unavailable' });
      expect(error).toHaveProperty('details.hops.1.outcome', 'forbidden_address');
    }
    expect(canary.arrived()).toBe(0);
  });
});
