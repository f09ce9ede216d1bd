/*
 * Patterns over masked lines for answers without a known sentence. A wrong guess pauses no server
 * and is no denial, but makes one unreadable.
 */

export type GuessedState = 'throttled' | 'refused' | 'invalid' | 'reserved';

/** Words of conditions, in which terms of use mention limits, blocks and reservations. */
const CONDITIONAL =
  /\b(?:if|may|might|will|whether|unless|shall|should|agree|in case|does not imply|must not|in order to|reserves? the right|rights? reserved|(?:derechos|direitos) reservados|droits réservés|terms)\b/;

const PATTERNS: readonly (readonly [GuessedState, RegExp])[] = [
  [
    'throttled',
    /\b(?:too (?:many(?! (?:hyphen|label|dot|character|argument)s)|much|fast|frequent(?:ly)?|often|quickly)|limit (?:has been |is )?(?:exceeded|reached)|(?:exceed(?:ed|ing|s)?|reached) (?:\w+ ){0,6}(?:limit|quota|rate|number of(?! (?:hyphen|label|dot|character)s)|allowed (?:quer|request|connection)\w*)|(?:quota|rate|number of (?:\w+ ){0,3}(?:quer|request|look ?up|connection|search)\w*(?: per \w+| allowed){0,2}) (?:has |have |is |was )?(?:been )?exceeded|blocked for exceeding|quota for {n} (?:has been )?exceeded|maximum (?!(?:\w+ )*(?:length|label|character)s?)(?:\w+ ){1,4}reached|requests? per (?:second|minute|hour|day) allowed|too busy|please (?:wait (?:a while|and try)|go away)|grace period|rate limit(?:ed)? (?:exceeded|reached)|excessive (?:quer|request|use)\w*|slow down|been throttled|temporarily (?:blocked|banned)|ip (?:address )?(?:has been |is )?(?:blocked|banned|blacklisted)|blacklisted|connection rate|request denied)\b/,
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
    /(?:\b(?:name|domain|string)\b|{name}).*\b(?:reserved|usage restrictions|restricted|(?<!(?:client|server) \w{4,8} )prohibited|blocked by|protected by(?! law|.* lock)|(?:is|has been) blocked|can ?not be registered|not available for registration|not be registered|unassignable)\b|\b(?:reserved|restricted|prohibited) (?:domain|name|string)\b|^(?:registry )?reserved (?:by|for|name)\b|^(?:it )?can ?not be registered|^protected by\b|\bpremium name\b/,
  ],
];

/** Words of liability and permission: `The registry cannot be held liable`. */
const LEGAL =
  /\b(?:liab(?:le|ility)|warrant\w*|guarantee\w*|(?:in)?accura(?:te|cy)|purposes?|copyright|(?<!restricted )rights|reproduction|compl(?:y|iance)|disclosure|permission of)\b/;

/** Whether a masked line may be one of terms of use, which mention limits, blocks and failures. */
export function isOfTerms(masked: string): boolean {
  return CONDITIONAL.test(masked) || LEGAL.test(masked);
}

/** The likely state of a masked line that the table does not contain. */
export function guessState(masked: string): GuessedState | undefined {
  for (const [state, pattern] of PATTERNS) {
    const match = pattern.exec(masked);
    if (match !== null) {
      return CONDITIONAL.test(masked.slice(0, match.index + match[0].length)) ? undefined : state;
    }
  }
  return undefined;
}

/**
 * Words of trouble in masked lines. Beside them a single fact is no registration and a denial is not credible. They count
 * in short answers and in the paragraph of the denial, so that terms of use do not match.
 */
const TROUBLE =
  /\b(?:errors?|fail(?:s|ed|ure)?|fatal|down|busy|time ?outs?|timed out|unavailable|maintenance|unable|refused|denied|exceptions?|offline|overload(?:ed)?|broken|unreachable|abort(?:ed)?|reject(?:ed)?|corrupt(?:ed)?|incomplete|truncated|partial|stale|retry|later|temporar(?:y|ily)|internal|warning|invalid|exceeded|blocked|banned|cannot|can['’ ]t|could not|lost|reset|closed|interrupted|expired|(?<!rights? )(?:reserved|restricted)(?! by copyright| rights)|taken|already|not available|not free|moved|not valid|malformed|bad|wrong|illegal|incorrect|ungültige\w*|unknown|authenticate|hidden|discontinued|rebuil[dt]|migrat(?:ed|ion)|being migrated|retired|decommissioned|obsolete|no longer (?:available|maintained|operated|provided|supported|updated)|test (?:server|system|environment)|sandbox)\b/;
/** Words of names that not everybody can register now: no denial beside them is credible. */
const NOT_OPEN =
  /\b(?:(?:auction|pending|redemption|quarantine|on hold|withheld|premium(?! domains)|sunrise|back ?order|for sale|waiting list|land ?rush|collision)(?! (?:no|false|none)$)|(?:allowed|available|be registered|eligible|free|registrable) (?:no|false)|(?:exists|registered|taken) (?:yes|true))\b/;

/** An error, in other languages than English. */
export const ERROR_WORDS =
  /エラー|错误|錯誤|오류|ошибк[аи]?|помилк[аи]?|خطأ|fehler|erreur|\berro\b|\berrore|błąd|\bhata/;

/** The like, and trouble, in the languages of registries that do not write English alone. */
const IN_OTHER_LANGUAGES = new RegExp(
  [
    ERROR_WORDS,
    /制限|超え|しばらく|混雑|予約|失敗|預留|预留/,
    /频繁|頻繁|[过過]多|超[过過]|稍[后後]|限制|保留(?!.{0,4}[权權]利)|失败|[暂暫]停/,
    /초과|제한|잠시 후|예약|실패/,
    /лимит|ліміт|превыш|перевищ|попробуйте|повторите|спробуйте|зарезерв|стоп лист|(?:домен|имя|ім.я|регистр|реєстр).{0,60}(?:запрещ|заборон)/,
    /تجاوز|لاحق|محجوز|שמור(?!ות)|δεσμευ|κατοχυρ|สงวน(?!ลิขสิทธิ์|สิทธิ์)|bảo vệ|đăng ký rồi/,
    /überschritten|zu viele|später|gesperrt|reserviert|te veel|overschreden|gereserveerd/,
    /trop de|dépass|ultérieurement|plus tard|réservé|(?:nom|domaine|enregistrement).{0,60}\binterdit/,
    /demasiad|\b(?:superad|superat|excedid)[ao]|m[áa]s tarde|mais tarde|più tardi|troppe|\b(?:reservad|riservat)[ao]\b/,
    /przekrocz|zbyt wiele|później|zarezerwowan|překroč|příliš|rezerv(?!ate)|chráněn|foglalt|(?<!jog )fenntart|frátek|k[ıi]s[ıi]tl|aş[ıi]l|doldu/,
    /liian mon|myöhemmin|varattu|för många|for mange|reserver[ae]|overskre|överskr/,
  ]
    .map(({ source }) => source)
    .join('|'),
);

/** Whether a masked line says that not everybody can register the name now, or trouble in another language. */
export function isNotOpen(masked: string): boolean {
  return NOT_OPEN.test(masked) || IN_OTHER_LANGUAGES.test(masked);
}

/** Whether a masked line reports trouble. */
export function isTrouble(masked: string): boolean {
  return TROUBLE.test(masked) || isNotOpen(masked);
}

/** Labels that report an error with any value. */
export const TROUBLE_LABEL =
  /^\W*(?:error(?: code| message)?|reason|message|failure|fault|exception|code|warning|results?|records?)\W*$/i;
