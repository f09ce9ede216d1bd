import { z } from 'zod';

/** The RDAP servers of each zone (RFC 9224). */
export interface RdapBootstrap {
  /** When IANA published it: `2026-07-23T02:00:03Z`. */
  publication: string;
  /** Base URLs, ending in `/`, for the longest zone that ends the name; https before http; empty if there is none. */
  basesFor: (name: string) => readonly string[];
  /** All zones that have a server. */
  zones: readonly string[];
}

/** RFC 9224, section 3. Other members are ignored. */
const BootstrapFile = z.object({
  publication: z.string(),
  services: z.array(z.tuple([z.array(z.string()), z.array(z.string())]).rest(z.unknown())),
});

/** Parses IANA's dns.json. Throws if it is invalid or empty. */
export function readBootstrap(json: unknown): RdapBootstrap {
  const { publication, services } = BootstrapFile.parse(json);
  const bases = new Map<string, string[]>();
  for (const [labels, urls] of services) {
    const usable = urls.filter(isBaseUrl).map((url) => (url.endsWith('/') ? url : `${url}/`));
    usable.sort((a, b) => Number(b.startsWith('https:')) - Number(a.startsWith('https:')));
    if (usable.length > 0) for (const label of labels) bases.set(label.toLowerCase(), usable);
  }
  if (bases.size === 0) throw new Error('the RDAP bootstrap names no server');
  return {
    publication,
    zones: [...bases.keys()],
    basesFor: (name) => {
      let zone = name;
      for (;;) {
        const base = bases.get(zone);
        if (base) return base;
        const dot = zone.indexOf('.');
        if (dot < 0) return [];
        zone = zone.slice(dot + 1);
      }
    },
  };
}

function isBaseUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.search === '';
}
