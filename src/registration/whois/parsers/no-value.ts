import { WHOLE_DENIAL } from './denial-words.ts';
import { plainLabel } from './label-table.ts';
import { STATE_OF_STATUS } from './state-phrases.ts';
import { GENERAL_LABELS } from './vocabulary.ts';

const LONGEST = 80;
/** What stands in the place of a name that nobody could tell. */
const NOTHING = anyOf([
  // `none`, `not available`, `no registrar found`, `free`
  /^[^\p{L}\p{N}]*(?:(?:n[/.]?a|nan|yes|true|t\.?b\.?[acd]|name|text|string|value|placeholder|template|todo|fixme|object object|x{3,}|none|null|nil|no|0|[45]\d\d|loading|desconocid[oa]|desconhecid[oa]|unbekannt|inconnue?|false|undefined|unspecified|empty|unallocated|pending|nobody|未定|未設定|なし|[无無]|不[详詳]|미정|없음|try again|not? (?:yet )?(?:applicable|available|defined|disclosed!?|known|set|specified|reachable|registered|delegated|assigned|one|data|value|answer|entry|entries|match|record|name|registrar|registrant|holder|owner)(?: (?:yet|(?:yet )?(?:found|known|set|specified|registered|available|assigned)))?)[^\p{L}\p{N}]*)?$/u,
  // `none (domain is free)`, `this name has no owner`
  /^[^\p{L}\p{N}]*none[^\p{L}\p{N}-]|(?<!\p{L})has no (?:registrar|registrant|holder|owner)(?!\p{L})/u,
  // `(lookup failed)`
  /(?<!\p{L})(?:fail(?:ed|ure)|time[d-]? ?out|error (?:while|in|\d)|refused|denied|could not|unable to|cannot be|(?:look-?up|service|server|data ?base) (?:is )?(?:down|disabled|busy|offline))(?!\p{L})|exception(?!\p{L})/u,
  // `${registrar}`, `<registrar>`, `Warning: connect(): ... on line 3`
  /^\W*(?:<[%?]|\$\{|\{\{)|^<[^<>]*>$|\w\(\)|on line \d/,
  // `To be assigned`, `awaiting assignment`
  /^[^\p{L}\p{N}]*(?:(?:still |yet )?to be \p{L}+(?:ed|en|wn)|(?:pending|awaiting) \p{L}+(?:ment|tion|al)|por (?:asignar|definir)|a definir|à (?:attribuer|définir)|da (?:assegnare|definire)|noch nicht \p{L}+)(?![\p{L}\p{N}])/u,
  // `You?`, `This domain is free`
  /\?$|(?<!\p{L})(?:domain|name) is (?:still |currently |now )?(?:free|available|not registered|unregistered)(?!\p{L})/u,
]);

function anyOf(patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'), 'u');
}

/** Most names have a comma, a full stop or a figure, and no label or word of status has. */
const LABEL_LIKE = /^[^,.\d]{3,40}$/;
/** What asks to be replaced, by its letters: `Your registrar name here`. */
const ASKED_FOR =
  /^(?:please|enter|insert|add|your|the|any|an|a|some|nameof)+|(?:name)?(?:goes)?here$|name$/g;

/**
 * Whether a value names nobody: it says so, or is a word of status, or a label once more, as where nobody has filled a
 * template in.
 */
export function saysNothing(value: string): boolean {
  if (value.length > LONGEST) return false;
  const words = value.toLowerCase();
  if (NOTHING.test(words) || WHOLE_DENIAL.test(words)) return true;
  if (!LABEL_LIKE.test(value)) return false;
  const plain = plainLabel(value);
  if (STATE_OF_STATUS.knows(plain) || GENERAL_LABELS.knows(plain)) return true;
  const rest = plain.replace(ASKED_FOR, '');
  return rest.length < plain.length && GENERAL_LABELS.knows(rest);
}

/** Whether a value looks like a name, where nothing else is told: names have capitals, figures or letters of other scripts. */
export function looksLikeName(value: string): boolean {
  return /[^\p{Ll}\p{P}\p{Z}\s]/u.test(value);
}
