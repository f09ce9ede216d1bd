import type { RegistrationState } from '../../look-up/registration-record.ts';
import { LabelTable } from './label-table.ts';

/** What an answer without a record may be told by. */
export interface StatePhrase {
  state: RegistrationState;
  /** Lower case, blanks single; matched from the start of a word. */
  phrase: string;
  /** Place in the deciding order: the lower wins. */
  order: number;
}

/**
 * Sentences of registries, in the order in which they decide: a throttled answer often goes on with "no
 * entries found" (AFNIC, Nominet), an invalid query with help, so those come first. From the registries'
 * own answers, 2004 to 2026. Terms of use speak of limits too: statements.ts tells them apart.
 */
const TABLE: [RegistrationState, string][] = [
  ['not_registered', `not available in our whois database|invalid query or domain name not known`],
  ['invalid', 'because it contravenes'],
  [
    'throttled',
    `access control limit reached|query quota for|quota exceeded|exceeded your quota|quota has been exceeded
    |exceeded the quota|request per second allowed|requests per second allowed|whois-limit exceeded
    |requests per minute exceeded|server too busy|server is busy|too many requests|too may requests
    |too many queries|too many connection|too many lookups|maximum query rate|maximum queries per
    |excessive querying|still in grace period|in grace period, wait|limit exceeded|limits exceeded
    |exceeded limit|please go away for|exceeded allowed connection rate|exceeded allowed query rate
    |time before starting another|maximum connection limit|query rate of|request denied|ip address blocked
    |ip address is blocked|slow down and try|number of allowed queries exceeded|queries exceeded
    |exceeded the maximum|exceeded maximum|you have reached the limit|limit reached|has been throttled
    |being throttled|you have been blocked|has been blocked|temporarily blocked
    |temporarily denied|temporary blocked|queries per hour|try again after
    |exceeded the established limit|exceeded the query|exceeded your|blacklisted for|your ip is blacklisted
    |looked up too many|wait and try again|please wait a
    |too fast|quota is exhausted|lookups exceeded|rate exceeded|exceeded rate|grace period of
    |ip addresses that may have failed|limit has been|been banned|interval is too short|incoming of a large amount|please try again in
    |exceeded this limit|will be replenished`,
  ],
  [
    'refused',
    `requests of this client are not permitted|tld is not supported|tld not supported|unsupported tld
    |does not have any records for that zone|can't process your request|cannot process your request
    |is not authorised to|is not authorized to|are not authorised or|access denied|permission denied|no whois server is known|is not supported by this server|not in our zone
    |unauthorized access|this tld has no whois|whois service is not available for|solo acepta consultas
    |this server does not have any data for|request is not permitted|not permitted to`,
  ],
  [
    'reserved',
    `reserved by|reserved name|reserved domain|reserved list|is reserved|has been reserved|domain reserved
    |name is restricted|domain is restricted|restricted from registration|restricted domain|usage restrictions
    |domain you requested is prohibited|name is prohibited|is prohibited from registration
    |not available for registration|not available for second level|name is not available|domain not available
    |domain is not available|domain name is not available|is not available or is reserved
    |cannot be registered|can not be registered|can't be registered|not be registered|protected by the
    |is protected by|blocked by|name is blocked|domain is blocked|not open to registration
    |unassignable|is premium|premium name|prohibited string|forbidden name|name is forbidden
    |not allowed by the policy|registry reserved|withheld from|is banned|available with restrictions
    |registration restricted|is on the reserved|in the list of reserved|reserved word|restricted list|object is blocked|is forbidden|forbiden name
    |domain is not allowed|domain name is not allowed|not eligible for registration`,
  ],
  [
    'invalid',
    `invalid domain name|invalid domain|invalid query|invalid query or|invalid input|invalid request
    |invalid parameter|invalid characters|invalid character|invalid pattern|invalid object|not a valid domain
    |not valid domain|is not valid|incorrect domain name|incorrect domain|syntax error|malformed
    |pattern starts with|non bijective|illegal domain|bad request|bad domain|cadena_invalida|invalid_string
    |improper character|unimplemented object|is invalid|domain name is not valid|ungültige
    |illegal character|unknown domain name syntax|wrong domain name|jprs whois help|domain format`,
  ],
  [
    'broken',
    `database is currently down|temporarily unavailable|service unavailable|currently unavailable
    |connection refused|connection reset by|connection timed out|connection attempt failed|unable to connect
    |internal error|internal server error|name or service not known|try again later|under maintenance
    |server error|backend error|system error|timeout`,
  ],
  [
    'not_registered',
    `no match|not found|no entries found|no entry found|no data found|no records matching|no record found
    |no records found|nothing found|no object found|object does not exist|object_not_found|does not exist
    |is free|no matching|not been registered|not registered|not registred|unregistered|no information available
    |no information was found|no such domain|is available|available for registration|available for purchase
    |key not found|do not have an entry|no results were found|no found|no se encuentra registrado|no_se_encontro
    |domain name not known|not find|no existe|no registrado|não registrado|nao registrado|não existe
    |nicht registriert|nincs találat|nincs talalat|nema podataka|not in database|not in the database|no object
    |not known in|no data was found|no information found|no entries for|no domain found|no results|n'existe pas|non trouvé
    |no encontrado|não encontrado|nie znaleziono|not exist
    |not yet registered|is not in use|isn't registered|available: yes|unallocated|not allocated|not assigned
    |not present|not listed in|bulunamadi|bulunamadı|no domain records|query returned 0 objects
    |did not match any|there is no|unused domain|domain unknown|unknown domain
    |could not be found|not exists|domain is available|nicht gefunden|no se encontro|no se encontró|data not found|no objects found`,
  ],
];

/** All sentences, flattened, in deciding order. */
export const STATE_PHRASES: readonly StatePhrase[] = TABLE.flatMap(([state, list]) =>
  list.split('|').map((phrase) => ({ state, phrase: phrase.trim() })),
).map((entry, order) => ({ ...entry, order }));

/**
 * Lines that tell by their shape: `exampleNOT FOUND` (whois.nic.sn, 2018), `Domain example.sh - Available`
 * (whois.nic.sh, 2012), `% reserved:    CG` (whois.registro.br, 2014).
 */
export const TELLING_LINES: readonly { state: RegistrationState; pattern: RegExp }[] = [
  { state: 'not_registered', pattern: /^[a-z0-9.-]{1,253}NOT FOUND/m },
  { state: 'not_registered', pattern: /^(?:Domain )?[a-z0-9.-]{1,253} - Available *\r?$/m },
  { state: 'reserved', pattern: /^% reserved: {1,8}[A-Z]/m },
];

/** Sentences in scripts that put no blanks between words. */
export const UNSPACED_PHRASES: readonly { state: RegistrationState; phrase: string }[] = [
  { state: 'invalid', phrase: '網域名稱不合規定' },
  { state: 'reserved', phrase: 'ドメイン名は予約' },
  { state: 'not_registered', phrase: '등록되어 있지 않' },
  { state: 'not_registered', phrase: '未注册' },
  { state: 'not_registered', phrase: '未註冊' },
  { state: 'not_registered', phrase: '該当するデータがありません' },
];

/** Answers that state less because of a limit, but state it (whois.registro.br, 2009). */
export const REDUCED_ANSWERS: readonly string[] = ['reduced information'];

/** First lines that are the whole answer, by their letters and digits. */
export const WHOLE_ANSWERS = new LabelTable<RegistrationState>([
  ['available', 'not_registered'],
  ['free', 'not_registered'],
  ['not found', 'not_registered'],
  ['no match', 'not_registered'],
  ['restricted', 'reserved'],
  ['reserved', 'reserved'],
  ['prohibited', 'reserved'],
  ['unavailable', 'reserved'],
]);

/**
 * What a status value says where it states no ordinary registration. `withheld` says "no" of a name without a
 * record, and nothing of a name with one: `NOT AVAILABLE` is EURid's word for a withheld name, and DNS
 * Belgium's for any registered one.
 */
const STATUS_WORDS: Partial<Record<RegistrationState | 'withheld', string>> = {
  not_registered: `free|available|not registered|no object found|no match|not found|unregistered|no data found
    |not exist|does not exist|available for registration|disponible|inexistent|libre|frei|nonexistent|unassigned
    |not in use|vacant|inexistente|no registrado|libero|vrij|ledig`,
  reserved: `reserved|restricted|unassignable|prohibited string - object cannot be registered|prohibited string
    |reserved by registry|reserved by the registry|reservado|not assignable|premium name|registry reserved
    |not open|reserved name|restricted name|premium`,
  invalid: `domain is not managed by this register|invalid|not allowed|invalid domain|invalid domain name|not valid
    |invalid characters in query string`,
  throttled: `request denied|too many requests`,
  withheld: `not available|unavailable|forbidden|blocked|prohibited|withheld`,
};

/** Status values by their letters and digits. */
export const STATE_OF_STATUS = new LabelTable<RegistrationState | 'withheld'>(
  Object.entries(STATUS_WORDS).flatMap(([state, list]) =>
    list
      .split('|')
      .map((word): [string, RegistrationState | 'withheld'] => [
        word.trim(),
        state as RegistrationState | 'withheld',
      ]),
  ),
);
