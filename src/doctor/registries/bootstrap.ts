import { readBootstrap } from '../../registration/rdap/bootstrap.ts';

/** An RDAP bootstrap by its zones. */
export interface Bootstrap {
  readonly publication: string;
  readonly zones: ReadonlySet<string>;
  readonly basesFor: (name: string) => readonly string[];
}

/** Throws if the JSON is not in the form of IANA's dns.json. */
export function parseBootstrap(json: unknown): Bootstrap {
  const { publication, basesFor } = readBootstrap(json);
  const { services } = json as { services: readonly (readonly [readonly string[], ...unknown[]])[] };
  const zones = new Set(services.flatMap(([labels]) => labels.map((label) => label.toLowerCase())));
  return { publication, zones, basesFor };
}

/** Zones that only one of two bootstraps contains, or for which they name different servers. */
export function differencesOf(bundled: Bootstrap, today: Bootstrap) {
  const both = new Set([...bundled.zones, ...today.zones]);
  const differing = [...both].filter(
    (zone) => bundled.basesFor(zone).join(' ') !== today.basesFor(zone).join(' '),
  );
  return { zones: both.size, differing: differing.sort() };
}
