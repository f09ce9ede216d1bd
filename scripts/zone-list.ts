import type { ZoneFacts } from '../packages/whois/src/look-up/zones.ts';

// The list of docs/zones.md. `npm run zones` writes it between its markers.

const BEGIN = '<!-- zones: npm run zones -->';
const END = '<!-- end of zones -->';

/** A zone as the list names it: a service other than the root's over WHOIS has its kind beside it. */
const nameOf = ({ zone }: ZoneFacts, { protocol, source }: ZoneFacts['services'][number]): string => {
  const kinds = [protocol === 'whois' ? [] : protocol.toUpperCase(), source === 'root' ? [] : source].flat();
  return kinds.length === 0 ? `.${zone}` : `.${zone} (${kinds.join(', ')})`;
};

/** A line for each combination of facts, with the services that it is known of. */
function linesOf(zones: readonly ZoneFacts[]): string[] {
  const lines = new Map<string, string[]>();
  for (const zone of zones) {
    for (const service of zone.services) {
      const { expirationDate, registrar, status } = service.publishes;
      if ([expirationDate, registrar, status].every((value) => value === 'unknown')) continue;
      const facts = `expiry ${expirationDate}, registrar ${registrar}, status ${status}`;
      lines.set(facts, [...(lines.get(facts) ?? []), nameOf(zone, service)]);
    }
  }
  return [...lines]
    .map(([facts, names]) => `- ${facts}: ${names.join(', ')}`)
    .sort()
    .reverse();
}

/** A page with its list written anew. */
export function withZones(page: string, zones: readonly ZoneFacts[]): string {
  const [before, rest] = page.split(BEGIN);
  const [, after] = rest?.split(END) ?? [];
  if (before === undefined || after === undefined) throw new Error('The page has no list of zones.');
  return `${before}${BEGIN}\n\n${linesOf(zones).join('\n')}\n\n${END}${after}`;
}
