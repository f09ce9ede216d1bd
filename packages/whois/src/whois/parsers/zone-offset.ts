import facts from '../data/registry-dates.json' with { type: 'json' };

/** Names of time zones in registries' answers. Ambiguous ones are not among them: the registry's own zone applies. */
const ZONES: ReadonlyMap<string, number> = new Map(Object.entries(facts.offsets));

const MAX_ZONE_LENGTH = 24;
const NUMERIC_ZONE = /^[ (]*(?:UTC|GMT)?\s?([+-])(\d{1,2}):?(\d{2})?(?!\d)/;
const NAMED_ZONE = /^[ (]*([A-Za-z]{1,4})\b/;
/** `Asia/Tokyo` */
const ZONE_OF_PLACE = /^[ (]*[A-Z][a-z]+\/[A-Z]/;

/** Minutes east of UTC, from the text after a time; null without a zone, NaN for one that is not known. */
export function zoneOffset(suffix: string): number | null {
  if (suffix === 'Z') return 0;
  const rest = suffix.slice(0, MAX_ZONE_LENGTH);
  const [, sign, hours, minutes = 0] = NUMERIC_ZONE.exec(rest) ?? [];
  if (sign !== undefined) {
    const offset = Number(hours) * 60 + Number(minutes);
    return offset > 14 * 60 ? NaN : sign === '-' ? -offset : offset;
  }
  if (ZONE_OF_PLACE.test(rest)) return NaN;
  return ZONES.get(NAMED_ZONE.exec(rest)?.[1]?.toUpperCase() ?? '') ?? null;
}
