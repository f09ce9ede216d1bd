/*
 * Where no sentence of the table decides, these few patterns over masked lines do. What they guess too often harms
 * nobody: a server is not paused by them, and none of them says that a name is free.
 */

export type GuessedState = 'throttled' | 'refused' | 'invalid' | 'reserved';

/** Terms of use speak of limits, blocks and reservations in conditions. */
const CONDITIONAL =
  /\b(?:if|may|might|will|whether|unless|shall|should|agree|in case|does not imply|must not|in order to|reserves? the right|rights? reserved|terms)\b/;

const PATTERNS: readonly (readonly [GuessedState, RegExp])[] = [
  [
    'throttled',
    /\b(?:too (?:many(?! (?:hyphen|label|dot|character|argument)s)|much|fast|frequent(?:ly)?|often|quickly)|limit (?:has been )?(?:exceeded|reached)|(?:exceeded|reached) (?:\w+ ){0,6}(?:limit|quota|rate|number of)|quota (?:has been )?exceeded|exceeded your quota|rate limit(?:ed)? (?:exceeded|reached)|excessive (?:quer|request|use)\w*|slow down|been throttled|temporarily (?:blocked|banned)|ip (?:address )?(?:has been |is )?(?:blocked|banned|blacklisted)|blacklisted|connection rate|request denied)\b/,
  ],
  [
    'refused',
    /\b(?:can t process your request|cannot process your|tld is not supported|tld not supported|unsupported tld|(?:is|are) not (?:authori[sz]ed|permitted|allowed) to|not permitted|access denied|permission denied|unauthori[sz]ed|does not have any records for that zone|no whois server|not supported by this server|service is not available for|does not have any data for)\b/,
  ],
  [
    'invalid',
    /\b(?:(?:invalid|malformed|illegal|incorrect|bad|wrong) (?:domain|name|object|request|pattern|input|string|character|characters|idn|label)|(?:domain|name|query|{name})(?: name)?(?: {name})? (?:is )?(?:not valid|invalid)|not a valid (?:domain|name)|contains (?:special |invalid |illegal )?characters? not allowed|syntax error)\b/,
  ],
  [
    'reserved',
    /(?:\b(?:name|domain|string)\b|{name}).*\b(?:reserved|restricted|(?<!(?:client|server) \w{4,8} )prohibited|blocked by|protected by(?! law|.* lock)|can ?not be registered|not available for registration|not be registered|unassignable)\b|\b(?:reserved|restricted|prohibited) (?:domain|name|string)\b|^(?:registry )?reserved (?:by|name)\b|^(?:it )?can ?not be registered|^protected by\b|\bpremium name\b/,
  ],
];

/** The state that a masked line most likely states, of a server that no sentence of the table settles. */
export function guessState(masked: string): GuessedState | undefined {
  for (const [state, pattern] of PATTERNS) {
    const found = pattern.exec(masked);
    if (found !== null) {
      return CONDITIONAL.test(masked.slice(0, found.index + found[0].length)) ? undefined : state;
    }
  }
  return undefined;
}

/**
 * Words of trouble, in masked lines: beside them one fact makes no registration, and a "no" is not believed. They take
 * part where the answer is short or in the paragraph of the "no", so that terms of use have no say.
 */
const TROUBLE =
  /\b(?:errors?|fail(?:s|ed|ure)?|fatal|down|busy|time ?outs?|timed out|unavailable|maintenance|unable|refused|denied|exceptions?|offline|overload(?:ed)?|broken|unreachable|abort(?:ed)?|reject(?:ed)?|corrupt(?:ed)?|incomplete|truncated|partial|stale|retry|later|temporar(?:y|ily)|internal|warning|invalid|exceeded|blocked|banned|cannot|can t|could not|lost|reset|closed|interrupted|expired|(?<!rights? )(?:reserved|restricted)(?! by copyright)|taken|already|not available|not free|moved|not valid|malformed|bad|wrong|illegal|incorrect|ungültige\w*|unknown|authenticate)\b/;
/** Labels under which programs tell of an error, whatever the value is. */
const TROUBLE_LABEL =
  /^(?:error(?: code| message)?|reason|message|failure|fault|exception|code|warning|results?|records?) /;

/** Whether a masked line tells of trouble. */
export function isTrouble(masked: string): boolean {
  return TROUBLE.test(masked) || TROUBLE_LABEL.test(masked);
}
