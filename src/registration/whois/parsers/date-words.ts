/** Month names, by their first letters where those suffice, in the languages that registries answer in. */
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

/** Number of the month a word names, 1 to 12; 0 for any other word. */
export function monthOf(word: string): number {
  return word.length < 3 || word.length > 12 ? 0 : (MONTHS.get(word.toLowerCase()) ?? 0);
}

/**
 * Zone names met in registry answers, in minutes east of UTC (IANA time zone database). Names that several
 * zones share (IST, CST outside North America, BST outside Britain) are left to the registry's own zone.
 */
const ZONES = new Map<string, number>(
  Object.entries({
    Z: 0,
    UTC: 0,
    GMT: 0,
    WET: 0,
    WEST: 60,
    BST: 60,
    CET: 60,
    CEST: 120,
    MEZ: 60,
    MESZ: 120,
    WAT: 60,
    CAT: 120,
    SAST: 120,
    EET: 120,
    EEST: 180,
    EAT: 180,
    MSK: 180,
    MSD: 240,
    AST: -240,
    EST: -300,
    EDT: -240,
    CDT: -300,
    MST: -420,
    MDT: -360,
    PST: -480,
    PDT: -420,
    BRT: -180,
    BRST: -120,
    ART: -180,
    CLT: -240,
    CLST: -180,
    VET: -240,
    ICT: 420,
    WIB: 420,
    HKT: 480,
    SGT: 480,
    MYT: 480,
    JST: 540,
    KST: 540,
    AEST: 600,
    AEDT: 660,
    NZST: 720,
    NZDT: 780,
  }),
);

const LONGEST_ZONE = 24;
const NUMERIC_ZONE = /^[ (]*(?:UTC|GMT)?\s?([+-])(\d{1,2}):?(\d{2})?(?!\d)/;
const NAMED_ZONE = /^[ (]*([A-Za-z]{1,4})\b/;

/** Minutes east of UTC that the text behind a time states; null where it states none. */
export function zoneOffset(value: string, from: number): number | null {
  const rest = value.slice(from, from + LONGEST_ZONE);
  const [, sign, hours, minutes = 0] = NUMERIC_ZONE.exec(rest) ?? [];
  if (sign !== undefined) {
    const offset = Number(hours) * 60 + Number(minutes);
    return offset > 14 * 60 ? null : sign === '-' ? -offset : offset;
  }
  return ZONES.get(NAMED_ZONE.exec(rest)?.[1]?.toUpperCase() ?? '') ?? null;
}
