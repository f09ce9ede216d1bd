/**
 * One-referral look-ups a second (root asked, referral followed, answer decoded and parsed) beside two bare net.Socket
 * loops that make the same two connections to the same two servers: one that knows where to go and drops the bytes,
 * and one that does a look-up's work, which is to read of the root's answer where to go, and to read the registry's; and
 * as they are in life, where the root's answer for a TLD is known for a day. In turns, in one run, medians. The code is
 * bundled, as it is shipped; the servers run in a process of their own, on a core of their own.
 *
 *   npm run bench:registration-lookup [-- --rounds 41 --lookups 500 --callers 1]
 */
import { fork } from 'node:child_process';
import net from 'node:net';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { systemClock } from '../src/process/clock.ts';
import { silentLogger } from '../src/process/logger.ts';
import { DEFAULT_SETTINGS, createDomainLookUp } from '../src/registration/look-up/domain-look-up.ts';
import { readRootAnswer } from '../src/registration/look-up/root.ts';
import { decodeWhois } from '../src/registration/whois/charset.ts';
import { parseWhoisText } from '../src/registration/whois/parsers/parse-whois-text.ts';
import { startWhoisServer } from '../src/sample/registries/loopback-server.ts';
import { thinForm } from '../src/sample/registries/whois-texts.ts';
import { median, moveToCore } from './programs.ts';

const REGISTRY = 'whois.nic.example';

interface Ports {
  root: number;
  registry: number;
}

/** Every TLD is delegated to the one registry, where every name is registered. */
async function serve(): Promise<void> {
  const root = await startWhoisServer((tld, socket) =>
    socket.end(`refer:        ${REGISTRY}\n\ndomain:       ${tld.toUpperCase()}\n\nsource:       IANA\n`),
  );
  const registry = await startWhoisServer((name, socket) =>
    socket.end(
      thinForm.record({
        name,
        registrar: 'Kamome Names (sample)',
        created: '2001-02-03T04:05:06Z',
        expires: '2031-02-03T04:05:06Z',
        updated: '2026-01-02T03:04:05Z',
        nameServers: ['ns1.hosting.example', 'ns2.hosting.example'],
        status: ['clientTransferProhibited'],
      }),
    ),
  );
  process.send?.({ root: root.port, registry: registry.port } satisfies Ports);
}

function bareQuery(port: number, query: string): Promise<Buffer> {
  return new Promise((done, fail) => {
    const chunks: Buffer[] = [];
    const socket = net.connect({ host: '127.0.0.1', port });
    socket.on('connect', () => socket.write(`${query}\r\n`));
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('end', () => {
      socket.destroy();
      done(Buffer.concat(chunks));
    });
    socket.on('error', fail);
  });
}

let serial = 0;
/** A name in a TLD that nobody has asked for, so that the root is asked each time. */
function freshName(): { tld: string; name: string } {
  serial++;
  const tld = `bench${serial.toString().replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')}`;
  return { tld, name: `example.${tld}` };
}

async function perSecond(count: number, callers: number, once: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  let left = count;
  const caller = async () => {
    while (left-- > 0) await once();
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return (count * 1_000) / (performance.now() - startedAt);
}

async function measure(ports: Ports): Promise<void> {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '41' },
      lookups: { type: 'string', default: '500' },
      callers: { type: 'string', default: '1' },
    },
  });
  const [rounds, lookups, callers] = [Number(values.rounds), Number(values.lookups), Number(values.callers)];
  const at = (port: number) => ({ host: '127.0.0.1', port });
  const { readName, lookUp, stop } = createDomainLookUp(
    {
      ...DEFAULT_SETTINGS,
      whoisRoot: { host: 'whois.iana.org', port: 43 },
      hostMap: new Map([
        ['whois.iana.org', at(ports.root)],
        [REGISTRY, at(ports.registry)],
      ]),
      allowedCidrs: ['127.0.0.1/32'],
      perSecondPerRegistry: 0,
      concurrentPerRegistry: callers,
    },
    { clock: systemClock, log: silentLogger(), resolve: () => Promise.resolve([]) },
  );
  const contenders = {
    'bare sockets': async () => {
      const { tld, name } = freshName();
      const referral = await bareQuery(ports.root, tld);
      const answer = await bareQuery(ports.registry, name);
      if (referral.length === 0 || answer.length === 0) throw new Error('an answer is missing');
    },
    'bare, and answers read': async () => {
      const { tld, name } = freshName();
      const { endpoint } = readRootAnswer(decodeWhois(await bareQuery(ports.root, tld), 'whois.iana.org'));
      if (endpoint?.host !== REGISTRY) throw new Error('the referral is not read');
      const raw = decodeWhois(await bareQuery(ports.registry, name), REGISTRY);
      const { parsed } = parseWhoisText(raw, { server: REGISTRY, domain: name });
      if (parsed.registrar === null) throw new Error('the answer is not read');
    },
    'our look-up, root asked': async () => {
      const { parsed, hops } = await lookUp(readName(freshName().name), 'registry');
      if (parsed.registrar === null || hops.length !== 2) throw new Error('the answer is not read');
    },
    'our look-up, root known': async () => {
      const { parsed, hops } = await lookUp(readName(`${freshName().tld}.bench`), 'registry');
      if (parsed.registrar === null || hops.length !== 2) throw new Error('the answer is not read');
    },
  };
  const rates = new Map(Object.keys(contenders).map((name) => [name, [] as number[]]));
  for (const once of Object.values(contenders)) await perSecond(lookups, callers, once);
  for (let round = 0; round < rounds; round++) {
    for (const [name, once] of Object.entries(contenders)) {
      rates.get(name)?.push(await perSecond(lookups, callers, once));
    }
  }
  stop();
  const bare = median(rates.get('bare sockets') ?? []);
  const read = median(rates.get('bare, and answers read') ?? []);
  console.log(
    `One-referral look-ups a second, ${callers} at a time, median of ${rounds} rounds of ${lookups}:`,
  );
  for (const [name, each] of rates) {
    const rate = median(each);
    console.log(
      `  ${name.padEnd(24)} ${rate.toFixed(0).padStart(6)}   ${(rate / bare).toFixed(2)} of bare sockets, ${(rate / read).toFixed(2)} of those that read`,
    );
  }
}

if (process.argv[2] === 'serve') await serve();
else {
  const servers = fork(fileURLToPath(import.meta.url), ['serve']);
  const ports = await new Promise<Ports>((done) =>
    servers.once('message', (message) => {
      done(message as Ports);
    }),
  );
  moveToCore(servers.pid ?? 0, 0);
  moveToCore(process.pid, 1);
  await measure(ports);
  servers.kill();
}
