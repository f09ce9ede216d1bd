const ENTITY = /&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|(amp|lt|gt|quot|apos));/gi;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function character(code: number, entity: string): string {
  const valid = code > 0 && code <= 0x10_ffff && !(code >= 0xd800 && code <= 0xdfff);
  return valid ? String.fromCodePoint(code) : entity;
}

/**
 * Undoes the HTML escaping of the upstream's strings, exactly once: `&amp;lt;` becomes `&lt;`, because that is what
 * the author wrote. Entities that the upstream does not make (`&hearts;`) stay as they are.
 */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(ENTITY, (entity: string, hex?: string, decimal?: string, name?: string) => {
    if (hex !== undefined) return character(Number.parseInt(hex, 16), entity);
    if (decimal !== undefined) return character(Number(decimal), entity);
    return NAMED[(name ?? '').toLowerCase()] ?? entity;
  });
}
