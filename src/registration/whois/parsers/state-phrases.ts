import type { RegistrationState } from '../../look-up/registration-record.ts';
import { LabelTable, wordsOfLists } from './label-table.ts';

/** Terms of use speak of limits, blocks and availability in conditions; statements do not. */
export const CONDITIONAL =
  /\b(?:if|may|will|whether|unless|shall|should|agree|in case|not guarantee|does not imply|not indicative|must not|in order to|reserves? the right|terms|accepts? (?:only|no))\b/;

/**
 * Sentences of registries, in the order in which they decide: a throttled answer often goes on with "no
 * entries found" (AFNIC, Nominet), an invalid query with help, so those come first. From the registries'
 * own answers, 2004 to 2026. Terms of use speak of limits too: statements.ts tells them apart.
 */
const TABLE: [RegistrationState, string][] = [
  ['invalid', 'because it contravenes'],
  [
    'throttled',
    `too (?:many|much|quick(?:ly)?|fast|frequent(?:ly)?|often|rapid(?:ly)?|busy)(?!.{0,24}(?:label|character|dot|hyphen|level|argument|parameter))
    |too may requests|quota|(?<!(?:services?|access) (?:is|are) )rate[- ]?limit|limit has been|requests? per second allowed|query rate
    |(?:limits?|maximum|allowance|threshold)\\b.{0,60}\\b(?:exceed|reach|surpass|hit\\b|used up)(?!.*(?:length|character))
    |(?:exceed|reach|surpass)\\w*.{0,60}\\b(?:limits?|rate|number of|maximum|allow|threshold|quer(?:y|ies)|requests|connections|lookups|your)(?!.*(?:length|character))
    |lookups exceeded|queries exceeded
    |(?:concurrent|simultaneous|parallel) (?:connection|quer|request|session|look-?up|client)
    |(?:you|your ip|your address|client|this client|your client|your (?:host|network|country|connection|access|isp)|ip address)\\b.{0,60}\\b(?:block|bann|blacklist|throttl|limited|suspend)
    |(?:blocked|banned|blacklisted|throttled|suspended) (?:for|from|in|by|due|because)\\b.{0,40}\\b(?:your|ip|address|client|country|network|region|abus|access|requests?\\b|queries)
    |blacklisted for|(?:has been|temporarily|temporary) (?:throttled|blocked|denied)|being throttled|been (?:throttled|banned)
    |your (?:access|requests|queries|look-?ups|connections)\\b.{0,60}\\b(?:blocked|banned|throttled|suspended|limited to)
    |access control limit|whois-limit|server (?:is )?busy|excessive|grace period|please go away|request denied
    |slow(?:ing)? down|wait and try|please wait|wait (?:for )?(?:at least )?\\d+ ?(?:s|min|h)|time before starting another|interval is too short
    |try again after|(?:please )?(?:try|retry)(?: again)? in (?:a few|\\d)|please try again in|queries per hour
    |failed validation|ip addresses that may have failed|incoming of a large amount|replenished
    |l[ií]mite (?:de |máximo ).{0,40}(?:exced|super|alcan|ultrapass|atte?int|dépass)|(?:exced|super|ultrapass|alcan)\\p{L}*.{0,40}l[ií]mite|quota (?:dépass|supera)
    |demasiad[ao]s|muitas (?:consultas|requisi|liga)|trop (?:de (?:requêtes|connexions|demandes)|souvent|fréquent)|limite.{0,40}(?:atteinte|dépassée)
    |zu (?:viele|häufig|oft|schnell)|überschritten|troppe|te veel|zbyt (?:wiele|często)|przekroczon|příliš|prekročen|för många|for mange
    |çok fazla|слишком (?:много|часто)|превышен|перевищен|забагато|ограничени`,
  ],
  [
    'refused',
    `requests of this client are not permitted|tld is not supported|tld not supported|unsupported tld
    |does not have any records for that zone|can't process your request|cannot process your request
    |is not authori[sz]ed to|are not authorised or|access denied|permission denied|no whois server is known|is not supported by this server|not in our zone
    |unauthorized access|this tld has no whois|whois service is not available for|solo acepta consultas
    |this server does not have any data for|request is not permitted|not permitted to`,
  ],
  [
    'reserved',
    `reserved by|reserved name|reserved domain|reserved list|is reserved|has been reserved|domain reserved
    |name is restricted|domain is restricted|restricted from registration|restricted domain|usage restrictions
    |domain you requested is prohibited|name is prohibited|is prohibited from registration
    |not available for registration|not available for second level|name is not available|domain not available
    |domain is not available(?! in our whois)|is not available or is reserved
    |cannot be registered|can't be registered|not be registered|protected by the
    |is protected by|blocked by|name is blocked|domain is blocked|not open to registration
    |unassignable|is premium|premium name|prohibited string|forbidden name
    |not allowed by the policy|registry reserved|withheld from|is banned|available with restrictions
    |registration restricted|is on the reserved|in the list of reserved|reserved word|restricted list|object is blocked|is forbidden|forbiden name
    |domain is not allowed|domain name is not allowed|not eligible for registration|application (?:is )?pending|reserved: {1,8}[a-z]`,
  ],
  [
    'invalid',
    `invalid domain|invalid query(?! or domain name not known)|invalid input|invalid request
    |invalid parameter|invalid character|invalid pattern|invalid object|not a valid domain
    |not valid domain|is not valid|incorrect domain|syntax error|malformed
    |pattern starts with|non bijective|illegal domain|bad request|bad domain|cadena_invalida|invalid_string
    |improper character|unimplemented object|is invalid|ungültige
    |illegal character|unknown domain name syntax|wrong domain name|jprs whois help|domain format`,
  ],
  [
    'broken',
    `database is currently down|temporarily unavailable|service unavailable|currently unavailable
    |connection refused|connection reset by|connection timed out|connection attempt failed|unable to connect
    |internal error|name or service not known|try again later|under maintenance
    |server error|backend error|system error|timeout`,
  ],
];

/**
 * All sentences but the "no", in deciding order: not-registered.ts has that one. Each finds what states it in a sentence
 * in lower case, and in a text of a sentence a line.
 */
export const STATE_SENTENCES: readonly (readonly [RegistrationState, RegExp])[] = [
  // The whole of a first line.
  ['reserved', /^\W*(?:restricted|reserved|prohibited)\W*(?:\n|$)/],
  ...TABLE.map(([state, list]): [RegistrationState, RegExp] => [
    state,
    new RegExp(`(?<![a-z\\d\\x80-\\uffff])(?:${list.replace(/\n\s*/g, '')})`, 'm'),
  ]),
  // In scripts that put no blanks between words.
  [
    'throttled',
    /频繁|頻繁|过多|過多|超过.{0,12}限|超過.{0,12}限|制限を超え|アクセス制限|초과|너무 (?:많|자주)/,
  ],
  ['invalid', /網域名稱不合規定/],
  ['reserved', /ドメイン名は予約/],
];

/**
 * What a status value says where it states no ordinary registration. `withheld` says "no" of a name without a
 * record, and nothing of a name with one: `NOT AVAILABLE` is EURid's word for a withheld name, and DNS
 * Belgium's for any registered one.
 */
const STATUS_WORDS: Partial<Record<RegistrationState | 'withheld', string>> = {
  not_registered: `free|available|not registered|no object found|no match|not found|unregistered|no data found
    |not exist|does not exist|available for registration|disponible|inexistent|libre|frei|nonexistent|unassigned
    |vacant|inexistente|no registrado|libero|vrij|ledig`,
  reserved: `reserved|restricted|unassignable|prohibited string - object cannot be registered|prohibited string
    |reserved by registry|reserved by the registry|reservado|not assignable|premium name|registry reserved
    |not open|reserved name|restricted name|premium`,
  invalid: `domain is not managed by this register|invalid|not allowed|invalid domain|invalid domain name|not valid
    |invalid characters in query string`,
  throttled: `request denied|too many requests`,
  broken: `error|failed|failure|lookup failed|query failed|unknown|timeout|timed out|try again later|internal error`,
  withheld: `application pending|pending application|not available|unavailable|forbidden|blocked|prohibited|withheld`,
};

/** Status values by their letters and digits. */
export const STATE_OF_STATUS = new LabelTable(wordsOfLists(STATUS_WORDS));
