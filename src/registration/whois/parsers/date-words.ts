/** Month names and abbreviations in the registries' languages. */
const MONTH_WORDS = [
  'jan january enero ene janeiro janvier janv januar gennaio gen ocak oca ianuarie styczeń',
  'feb february febrero fevereiro fev février févr februar febbraio şubat şub februarie luty',
  'mar march marzo março mars märz mär mart martie marzec',
  'apr april abril abr avril avr aprile nisan nis aprilie kwiecień',
  'may mayo maio mai maggio mag mayıs maj',
  'jun june junio junho juin juni giugno giu haziran haz iunie czerwiec',
  'jul july julio julho juillet juil juli luglio lug temmuz tem iulie lipiec',
  'aug august agosto ago août aout ağustos ağu sierpień',
  'sep sept september septiembre setembro set septembre settembre eylül eyl septembrie wrzesień',
  'oct october octubre outubro out octobre oktober okt ottobre ott ekim eki octombrie październik',
  'nov november noviembre novembro novembre kasım kas noiembrie listopad',
  'dec december diciembre dic dezembro dez décembre déc dezember dicembre aralık ara decembrie grudzień',
];

const MONTHS: ReadonlyMap<string, number> = new Map(
  MONTH_WORDS.flatMap((names, index) => names.split(' ').map((name) => [name, index + 1] as const)),
);

/** The month's number, 1 to 12; 0 for any other word. */
export function monthOf(word: string): number {
  return word.length < 3 || word.length > 12 ? 0 : (MONTHS.get(word.toLowerCase()) ?? 0);
}

/**
 * Time zone names in registries' answers, in minutes east of UTC (IANA time zone database). Ambiguous names are omitted
 * (IST, CST outside North America, BST outside Britain): the registry's zone applies.
 */
const ZONE_NAMES: readonly (readonly [minutes: number, names: string])[] = [
  [-480, 'PST'],
  [-420, 'MST PDT'],
  [-360, 'MDT'],
  [-300, 'EST CDT'],
  [-240, 'AST EDT CLT VET'],
  [-180, 'BRT ART CLST'],
  [-120, 'BRST'],
  [0, 'Z UTC GMT WET'],
  [60, 'WEST BST CET MEZ WAT'],
  [120, 'CEST MESZ CAT SAST EET'],
  [180, 'EEST EAT MSK'],
  [240, 'MSD'],
  [420, 'ICT WIB'],
  [480, 'HKT SGT MYT'],
  [540, 'JST KST'],
  [600, 'AEST'],
  [660, 'AEDT'],
  [720, 'NZST'],
  [780, 'NZDT'],
];

const ZONES: ReadonlyMap<string, number> = new Map(
  ZONE_NAMES.flatMap(([minutes, names]) => names.split(' ').map((name) => [name, minutes] as const)),
);

const MAX_ZONE_LENGTH = 24;
const NUMERIC_ZONE = /^[ (]*(?:UTC|GMT)?\s?([+-])(\d{1,2}):?(\d{2})?(?!\d)/;
const NAMED_ZONE = /^[ (]*([A-Za-z]{1,4})\b/;

/** Minutes east of UTC, from the text after a time; null without a zone. */
export function zoneOffset(suffix: string): number | null {
  if (suffix === 'Z') return 0;
  const rest = suffix.slice(0, MAX_ZONE_LENGTH);
  const [, sign, hours, minutes = 0] = NUMERIC_ZONE.exec(rest) ?? [];
  if (sign !== undefined) {
    const offset = Number(hours) * 60 + Number(minutes);
    return offset > 14 * 60 ? null : sign === '-' ? -offset : offset;
  }
  return ZONES.get(NAMED_ZONE.exec(rest)?.[1]?.toUpperCase() ?? '') ?? null;
}
