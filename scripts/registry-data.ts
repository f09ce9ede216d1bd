import { readBootstrap } from '../packages/whois/src/rdap/bootstrap.ts';

/** Content of one given file. */
export type RegistryFile =
  | { kind: 'bootstrap'; json: BootstrapFile }
  | { kind: 'root-zone'; whois: ReadonlyMap<string, string | null> };

export interface BootstrapFile {
  description?: string;
  publication: string;
  version?: string;
  services: [string[], string[]][];
}

const TLD = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/;
const HOST = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/;

/**
 * Recognises IANA's RDAP bootstrap (`services`), or a table of top-level domains to WHOIS servers (`{"com": "host",
 * "live": ""}`, also null or `{"host": ...}`). Throws with the reason for anything else.
 */
export function recogniseRegistryFile(json: unknown): RegistryFile {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw new Error('not a JSON object');
  // `services` is a top-level domain too.
  if ('services' in json && Array.isArray(json.services)) {
    readBootstrap(json);
    return { kind: 'bootstrap', json: json as BootstrapFile };
  }
  const rows: object =
    'whois' in json && typeof json.whois === 'object' && json.whois !== null ? json.whois : json;
  const whois = new Map(Object.entries(rows).map(([tld, value]) => [tld.toLowerCase(), hostOf(tld, value)]));
  const bad = [...whois.keys()].find((tld) => !TLD.test(tld));
  if (bad !== undefined) throw new Error(`"${bad}" is not a top-level domain`);
  if (whois.size < 2) throw new Error('it names no top-level domains');
  return { kind: 'root-zone', whois };
}

function hostOf(tld: string, value: unknown): string | null {
  const stated = typeof value === 'object' && value !== null && 'host' in value ? value.host : value;
  if (stated === null || stated === '') return null;
  if (typeof stated === 'string' && HOST.test(stated.toLowerCase())) return stated.toLowerCase();
  throw new Error(`the WHOIS server of "${tld}" is not a host name`);
}

/** The data file of WHOIS servers: a line per top-level domain, so that changes can be read in a diff. */
export function printRootZone(whois: ReadonlyMap<string, string | null>, date: string): string {
  const rows = [...whois]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([tld, host]) => `    ${JSON.stringify(tld)}: ${JSON.stringify(host)}`);
  const source = 'the `whois:` line of each top-level domain at whois.iana.org';
  return `{\n  "source": ${JSON.stringify(source)},\n  "date": ${JSON.stringify(date)},\n  "whois": {\n${rows.join(',\n')}\n  }\n}\n`;
}

/** The data file of RDAP servers: IANA's own form, a line per service. */
export function printBootstrap(file: BootstrapFile): string {
  const rows = file.services.map(
    ([labels, urls]) => `    [${JSON.stringify(labels).replaceAll('","', '", "')}, ${JSON.stringify(urls)}]`,
  );
  const head = {
    description: file.description ?? 'RDAP bootstrap file for Domain Name System registrations',
    publication: file.publication,
    version: file.version ?? '1.0',
  };
  const lines = Object.entries(head).map(
    ([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)},`,
  );
  return `{\n${lines.join('\n')}\n  "services": [\n${rows.join(',\n')}\n  ]\n}\n`;
}
