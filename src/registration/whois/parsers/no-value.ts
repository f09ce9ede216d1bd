const LONGEST = 80;
/** What stands in the place of a name that nobody could tell. */
const NOTHING = anyOf([
  // `none`, `not available`, `no registrar found`, `free`
  /^[^\p{L}\p{N}]*(?:(?:n[/.]?a|nan|tbd|none|null|nil|no|0|[45]\d\d|loading|desconocid[oa]|desconhecid[oa]|unbekannt|inconnue?|false|undefined|unknown|unspecified|empty|error|failed|failure|timeout|unavailable|pending|free|available|nobody|try again|not? (?:applicable|available|defined|disclosed!?|found|known|set|specified|reachable|registered|delegated|assigned|allocated|one|data|value|answer|entry|entries|match|record|name|registrar|registrant|holder|owner)(?: (?:found|known|set|specified|registered|available))?)[^\p{L}\p{N}]*)?$/iu,
  // `none (domain is free)`, `this name has no owner`
  /^[^\p{L}\p{N}]*none[^\p{L}\p{N}-]|(?<!\p{L})has no (?:registrar|registrant|holder|owner)(?!\p{L})/iu,
  // `(lookup failed)`
  /(?<!\p{L})(?:fail(?:ed|ure)|time[d-]? ?out|error (?:while|in|\d)|\p{L}*exception|refused|denied|could not|unable to|cannot be|(?:look-?up|service|server|data ?base) (?:is )?(?:down|disabled|busy|offline))(?!\p{L})/iu,
  // `${registrar}`, `<registrar>`, `Warning: connect(): ... on line 3`
  /^\W*(?:<[%?]|\$\{|\{\{)|^<[^<>]*>$|\w\(\)|on line \d/,
  // `You?`, `This domain is free`
  /\?$|(?<!\p{L})(?:domain|name) is (?:still |currently |now )?(?:free|available|not registered|unregistered)(?!\p{L})/u,
]);

function anyOf(patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'), 'iu');
}

/** Whether a value names nobody. */
export function saysNothing(value: string): boolean {
  return value.length <= LONGEST && NOTHING.test(value);
}

/** Whether a value looks like a name, where nothing else is told: names have capitals, figures or letters of other scripts. */
export function looksLikeName(value: string): boolean {
  return /[^\p{Ll}\p{P}\p{Z}\s]/u.test(value);
}
