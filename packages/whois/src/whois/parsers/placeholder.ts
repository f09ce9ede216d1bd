const LONGEST = 80;
/** `none`, `N/A`, `not available`, `no registrar found`, `To be assigned`, `(lookup failed)`, `<registrar>`, `${name}`. */
const PLACEHOLDER = new RegExp(
  [
    /^\P{L}*(?:(?:n[/.]?a|nan|yes|true|false|t\.?b\.?[acd]|none|null|nil|no|undefined|unspecified|unknown|empty|pending|nobody|loading|error|not ?applicable|try again|free|available|not? (?:yet )?\p{L}+(?: (?:yet|found|known|set|specified|registered|available|assigned))?|(?:to be|awaiting|pending) \p{L}+|未定|未設定|なし|[无無]|미정|없음)\P{L}*)?$/u,
    /^\P{L}*none[^\p{L}\p{N}-]|^\P{L}*(?:your|please|enter|insert) |\p{Ll} (?:is|are|was|has no) \p{L}|(?<!\p{L})(?:fail(?:ed|ure)|time[d-]? ?out|exception|refused|denied|error (?:while|in|\d))(?!\p{L})/u,
    /^\W*(?:<[%?]|\$\{|\{\{)|^<[^<>]*>$|\w\(\)|on line \d|\?$/u,
  ]
    .map(({ source }) => source)
    .join('|'),
  'u',
);

/** A handle of CoCCA's software in place of a name: `1498673-CoCCA`. */
const BARE_HANDLE = /^\d{5,}-\p{L}{2,}$/u;

/** Nominet: `No registration status listed.`, `No registrar listed.  This domain is registered directly with Nominet.` */
const NONE_LISTED = /^\(?no (?:\p{L}+ ){1,3}listed\b/iu;

/** Whether a value says that none is listed. */
export function isNoneListed(value: string): boolean {
  return NONE_LISTED.test(value);
}

/** Whether a value is a placeholder, not a name. */
export function isPlaceholder(value: string): boolean {
  if (value.length > LONGEST) return false;
  return PLACEHOLDER.test(value.toLowerCase()) || BARE_HANDLE.test(value) || isNoneListed(value);
}

/** Whether a value is a placeholder for an absent one. */
export const isNoValue = (value: string): boolean => isPlaceholder(value) && !/\d/.test(value);

/** Texts in place of a date: `see at www.register.bg`, `0000-00-00`, `0001-01-01T00:00:00Z`. */
const NO_DATE =
  /^(?:see|at|on|visit) |www\.|https?:|redact|^\W*0{3}[01]?\b|never|unlimited|perpetual|^\D*expir(?:y|ation)\D*$/i;

/** Whether a value says that no date is stated. `Registered: yes` says that there is one. */
export function isNoDate(value: string): boolean {
  return NO_DATE.test(value) || (isPlaceholder(value) && !/[1-9]|^\W*(?:yes|true)\W*$/i.test(value));
}

/** YAML quotes its values (whois.smallregistry.net). */
export function withoutQuotes(value: string): string {
  return value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
}

/** `Kamome Ltd. (http://kamome.example)` */
const WEBSITE_BEHIND = / ?\(https?:\/\/[^()]*\)$/i;

/** A registrar's name without the URL after it. */
export function withoutWebsite(name: string): string {
  return name.replace(WEBSITE_BEHIND, '');
}

/** Whether a value looks like a name: it has capitals, digits or letters of other scripts. */
export function looksLikeName(value: string): boolean {
  return /[^\p{Ll}\p{P}\p{Z}\s]/u.test(value);
}

/** A legal form at the end (`Kamome srl`), but no word of a sentence (`Rate limited`). */
const LEGAL_FORM =
  /[\s,.](?:a\.?g|a\/s|aps|b\.?v|corp|d\.?o\.?o|gmbh|inc|k\.?k|kft|kg|l\.?l\.?c|ltd|ltda|n\.?v|oy|plc|pty|pte|pvt|s\.?a\.?s?|sarl|s\.?p\.?a|s\.?r\.?l|s\.?r\.?o|株式会社)[\s.]*$|^株式会社/iu;
const LEGAL_WORD = /[\s,](?:AB|AS|Co|CO|Company|Corporation|Incorporated|Limited|LIMITED)[\s.]*$/;

/** .br states the holder's number: `Kamome (19057)`. */
const NUMBERED = /\p{L} \(\d{4,}\)$/u;

/** Whether a value is the name of a firm, by its legal form or number. */
export function isFirm(value: string | null): boolean {
  if (value === null || isPlaceholder(value)) return false;
  return [LEGAL_FORM, LEGAL_WORD, NUMBERED].some((pattern) => pattern.test(value));
}

/** Whether a value may be the name of a person or a firm. */
export function isPersonOrFirm(value: string | null): boolean {
  return value !== null && looksLikeName(value) && !isPlaceholder(value);
}
