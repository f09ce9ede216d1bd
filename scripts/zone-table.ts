import type { ZoneFacts } from '../packages/whois/src/look-up/zones.ts';

// The table of docs/zones.md. `npm run zones` writes it between its markers.

const BEGIN = '<!-- zones: npm run zones -->';
const END = '<!-- end of zones -->';

const HEAD = '| Zone | Service | Named by | Expiry | Registrar | Status |\n| - | - | - | - | - | - |';

/** A row for each service that is known to publish a field, or not to. */
function rowsOf({ zone, services }: ZoneFacts): string[] {
  return services.flatMap(({ protocol, source, publishes }) => {
    const { expirationDate, registrar, status } = publishes;
    const values = [expirationDate, registrar, status];
    if (values.every((value) => value === 'unknown')) return [];
    return [`| .${zone} | ${protocol.toUpperCase()} | ${source} | ${values.join(' | ')} |`];
  });
}

/** A page with its table written anew. */
export function withZoneTable(page: string, zones: readonly ZoneFacts[]): string {
  const [before, rest] = page.split(BEGIN);
  const [, after] = rest?.split(END) ?? [];
  if (before === undefined || after === undefined) throw new Error('The page has no table of zones.');
  return `${before}${BEGIN}\n\n${[HEAD, ...zones.flatMap(rowsOf)].join('\n')}\n\n${END}${after}`;
}
