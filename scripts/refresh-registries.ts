/**
 * Updates the built-in facts about registries: packages/whois/src/look-up/data/root-zone.json and rdap-bootstrap.json.
 * registry-facts.json (servers that IANA does not name, web addresses) is maintained by hand.
 *
 *   npm run refresh:registries                                  from IANA: some six minutes, two queries at a time
 *   npm run refresh:registries -- dns.json whois.json [--date]  from files: IANA's RDAP bootstrap, and/or a table of
 *                                                               top-level domains to WHOIS servers (--date: of it)
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from '@mokuroku/kit/process';
import { createAddressGuard } from '../packages/whois/src/net/address-guard.ts';
import { createDialer } from '../packages/whois/src/net/dial.ts';
import { systemResolver } from '../packages/whois/src/net/resolve.ts';
import { IANA_BOOTSTRAP_URL, LIVE_ROOT } from '../packages/whois/src/look-up/client-settings.ts';
import { createHttpGet } from '../packages/whois/src/rdap/http-get.ts';
import { builtInTable } from '../packages/whois/src/look-up/services.ts';
import { readRootAnswer } from '../packages/whois/src/look-up/root.ts';
import { createWhoisClient } from '../packages/whois/src/whois/client.ts';
import type { BootstrapFile, RegistryFile } from './registry-data.ts';
import { printBootstrap, printRootZone, recogniseRegistryFile } from './registry-data.ts';

const DATA = path.join(import.meta.dirname, '../packages/whois/src/look-up/data');
const TLDS_URL = 'https://data.iana.org/TLD/tlds-alpha-by-domain.txt';
const MAX_BYTES = 4_194_304;
const AT_ONCE = 2;
const PAUSE_MS = 500;

const { values: flags, positionals: files } = parseArgs({
  allowPositionals: true,
  options: { date: { type: 'string' } },
});
const date = flags.date ?? new Date(systemClock.now()).toISOString().slice(0, 10);
if (!/^\d{4}-\d\d-\d\d$/.test(date)) throw new Error('--date must be YYYY-MM-DD');

const dial = createDialer({
  clock: systemClock,
  guard: createAddressGuard([]),
  hostMap: new Map(),
  resolve: systemResolver(),
});

async function fetchText(url: string): Promise<string> {
  const httpGet = createHttpGet(dial, 'mokuroku refresh:registries', systemClock);
  const { status, body } = await httpGet(new URL(url), MAX_BYTES, AbortSignal.timeout(30_000));
  if (status !== 200) throw new Error(`${url} answered ${status}`);
  return body.toString('utf8');
}

async function queryRoot(tlds: readonly string[]): Promise<Map<string, string | null>> {
  const queryWhois = createWhoisClient(dial);
  const whois = new Map<string, string | null>();
  const left = [...tlds];
  const queryNext = async () => {
    for (let tld = left.pop(); tld !== undefined; tld = left.pop()) {
      try {
        const bytes = await queryWhois(LIVE_ROOT, tld, AbortSignal.timeout(20_000));
        whois.set(tld, readRootAnswer(bytes.toString('utf8'), tld).endpoint?.host ?? null);
      } catch (error) {
        whois.set(tld, builtInTable.rootWhois.get(tld) ?? null);
        console.warn(`.${tld} is left as it was: ${reasonOf(error)}`);
      }
      await new Promise((done) => setTimeout(done, PAUSE_MS));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, queryNext));
  return whois;
}

async function fromIana(): Promise<RegistryFile[]> {
  const bootstrap = JSON.parse(await fetchText(IANA_BOOTSTRAP_URL)) as BootstrapFile;
  const tlds = (await fetchText(TLDS_URL)).split('\n').filter((line) => /^[A-Z0-9-]+$/.test(line));
  const whois = await queryRoot(tlds.map((tld) => tld.toLowerCase()));
  return [
    { kind: 'bootstrap', json: bootstrap },
    { kind: 'root-zone', whois },
  ];
}

function fromFile(file: string): RegistryFile {
  try {
    return recogniseRegistryFile(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new Error(`${file}: ${reasonOf(error)}`, { cause: error });
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function write(registry: RegistryFile): void {
  if (registry.kind === 'bootstrap') {
    writeFileSync(path.join(DATA, 'rdap-bootstrap.json'), printBootstrap(registry.json));
    console.log(
      `rdap-bootstrap.json: ${registry.json.services.length} services, published ${registry.json.publication}`,
    );
  } else {
    writeFileSync(path.join(DATA, 'root-zone.json'), printRootZone(registry.whois, date));
    const without = [...registry.whois.values()].filter((host) => host === null).length;
    console.log(
      `root-zone.json: ${registry.whois.size} top-level domains of ${date}, ${without} without WHOIS`,
    );
  }
}

try {
  for (const registry of files.length > 0 ? files.map(fromFile) : await fromIana()) write(registry);
} catch (error) {
  console.error(`Nothing more was renewed. ${reasonOf(error)}`);
  process.exitCode = 1;
}
