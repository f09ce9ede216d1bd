import { text } from '@mokuroku/kit';
import type { Text } from '@mokuroku/kit';

/** Members of `meta` about what the data lack. */
export interface Lacks {
  unreadable?: number;
  unknown?: readonly string[];
  missing?: readonly string[];
}

const MAX_NAMED = 20;

function named(names: readonly string[]): string {
  const more = names.length > MAX_NAMED ? ` (+${names.length - MAX_NAMED})` : '';
  return `${names.slice(0, MAX_NAMED).join(', ')}${more}`;
}

/** A sentence for each lack, on the page and the terminal: the data alone look complete. */
export function describeLacks({ unreadable = 0, unknown = [], missing = [] }: Lacks): Text[] {
  const left = String(unreadable);
  const lacks = [
    unreadable > 0 &&
      text(`Unusable rows of the upstream, left out: ${left}.`, `取得元の使えない ${left} 件を除きました。`),
    // There may be no such novel, or its record may lack a field that a filter reads.
    unknown.length > 0 &&
      text(
        `Not known whether these novels belong here: ${named(unknown)}.`,
        `該当するかどうか不明な作品: ${named(unknown)}。`,
      ),
    missing.length > 0 &&
      text(`Missing rankings: ${named(missing)}.`, `取得できないランキング: ${named(missing)}。`),
  ];
  return lacks.filter((each) => each !== false);
}
