/**
 * Look-ups with one referral per second: query the root, follow its referral, decode and parse the answer. Compared
 * with three loops in turn, in one run; medians:
 *
 * - bare net.Socket connections to the same two servers, whose answers are discarded;
 * - the same, with both answers parsed;
 * - the look-up with a cached root answer, the usual case: it is cached for a day.
 *
 * The code is bundled, as shipped. The servers run in their own process on their own core.
 *
 *   npm run bench:registration-lookup [-- --rounds 41 --lookups 500 --callers 1]
 */
import { fork } from 'node:child_process';
import net from 'node:net';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { systemClock } from '@mokuroku/kit/process';
import { DEFAULT_SETTINGS, createDomainLookUp } from '../packages/whois/src/look-up/domain-look-up.ts';
import { readRootAnswer } from '../packages/whois/src/look-up/root.ts';
import { decodeWhois } from '../packages/whois/src/whois/charset.ts';
import { parseWhoisText } from '../packages/whois/src/whois/parsers/parse-whois-text.ts';
import { startWhoisServer } from '../packages/mokuroku/src/registration/sample/loopback-server.ts';
import { thinForm } from '../packages/mokuroku/src/registration/sample/record-forms.ts';
import { median, moveToCore } from './programs.ts';

const REGISTRY = 'whois.nic.example';

interface Ports {
  root: number;
  registry: number;
}

/** Serves a root that delegates every TLD to one registry, where every name is registered. */
async function serve(): Promise<void> {
  const root = await startWhoisServer((tld, socket) =>
    socket.end(`refer:        ${REGISTRY}\n\ndomain:       ${tld.toUpperCase()}\n\nsource:       IANA\n`),
  );
  const registry = await startWhoisServer((name, socket) => {
    const lines = thinForm.record({
      name,
      registrar: 'Kamome Names (sample)',
      created: '2001-02-03T04:05:06Z',
      expires: '2031-02-03T04:05:06Z',
      updated: '2026-01-02T03:04:05Z',
      nameServers: ['ns1.hosting.example', 'ns2.hosting.example'],
      status: ['clientTransferProhibited'],
    });
    socket.end(`${lines.join('\r\n')}\r\n`);
  });
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
/** A name in a new TLD, so that the root is queried each time. */
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
    { clock: systemClock, resolve: () => Promise.resolve([]) },
  );
  const contenders = {
    'bare sockets': async () => {
      const { tld, name } = freshName();
      const referral = await bareQuery(ports.root, tld);
      const answer = await bareQuery(ports.registry, name);
      if (referral.length === 0 || answer.length === 0) throw new Error('no answer');
    },
    'bare, with parsing': async () => {
      const { tld, name } = freshName();
      const root = decodeWhois(await bareQuery(ports.root, tld), 'whois.iana.org');
      const { endpoint } = readRootAnswer(root, tld);
      if (endpoint?.host !== REGISTRY) throw new Error('the referral was not parsed');
      const raw = decodeWhois(await bareQuery(ports.registry, name), REGISTRY);
      const { parsed } = parseWhoisText(raw, { server: REGISTRY, domain: name });
      if (parsed.registrar === null) throw new Error('the answer was not parsed');
    },
    'look-up, root queried': async () => {
      const { parsed, hops } = await lookUp(readName(freshName().name), 'registry');
      if (parsed.registrar === null || hops.length !== 2) throw new Error('the answer was not parsed');
    },
    'look-up, root cached': async () => {
      const { parsed, hops } = await lookUp(readName(`${freshName().tld}.bench`), 'registry');
      if (parsed.registrar === null || hops.length !== 2) throw new Error('the answer was not parsed');
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
  const read = median(rates.get('bare, with parsing') ?? []);
  console.log(
    `One-referral look-ups a second, ${callers} at a time, median of ${rounds} rounds of ${lookups}:`,
  );
  for (const [name, each] of rates) {
    const rate = median(each);
    console.log(
      `  ${name.padEnd(24)} ${rate.toFixed(0).padStart(6)}   ${(rate / bare).toFixed(2)} of bare sockets, ${(rate / read).toFixed(2)} of those with parsing`,
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
