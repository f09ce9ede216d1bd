/** A list of words as it is written here, over several lines. */
const joined = (list: string): string => list.replace(/\s*\n\s*/g, '');

/**
 * What a search came to, in registries' own words, 2004 to 2026, and in the same words in further languages. It is an
 * answer by itself: `Not found`.
 */
const NOTHING_FOUND = `no match(?:es|ing)?|not found|no entries found|no entry found|no data found|no records? (?:matching|found)|nothing found
  |no objects? found|object_not_found|no (?:entr(?:y|ies)|records?) (?:for|of)\\b
  |no information (?:is |was )?(?:available|found)|no such (?:domain|object|entry|name)|do not have an entry|no found
  |no object\\b|no data was found|no domains? (?:records|(?:name )?(?:was |were )?found)|no results
  |found no (?:domain|object|entry|match|record)|query returned 0 objects|did not match any
  |there is no (?:such )?(?:domain|object|entry|match|record|information available)
  |no_se_encontro|no (?:se )?(?:ha )?(?:sido )?encontrad[oa]|no se encontr(?:[oó]|aron)|no hay (?:registros|resultados|datos|entradas)
  |ningún (?:dominio|registro|objeto)|n[aã]o (?:foi )?encontrad[oa]|nenhum (?:domínio|registr?o|objeto)
  |(?:n'est |n'a )?(?:non|pas|pas été) trouvée?|aucune? (?:objet|(?:nom de )?domaine|résultat|enregistrement|entrée)
  |nicht gefunden|keine? (?:treffer|eintrag|einträge|objekt|domain)|non (?:è )?(?:stato )?trovato|nessun (?:dominio|record|oggetto)
  |niet gevonden|geen (?:domein|gegevens)|ikke (?:funnet|fundet)|hittades inte|ei (?:löydy|löytynyt)|nincs tal[aá]lat|nem található
  |nema podataka|nije pronađen[ao]?|nie znaleziono|nenalezena?|nebyla? nalezena?|bulunamad[iı]|nu a fost găsit
  |не (?:найден[оаы]?|знайдено)|δεν βρέθηκε|không tìm thấy|tidak ditemukan|ไม่พบ|לא נמצא`;

/**
 * What is said of a thing: `not registered`, `does not exist`. Alone it may be said of a copy, a port or a caller, so
 * that it is a "no" only beside the name or a word for what a registry keeps. What is not `here` may be elsewhere;
 * three registrars' `Domain x is not registered here.` is the one such sentence that was seen.
 */
const IS_NOT = `domain +is not registered here|objects? (?:does|do|did) not exist|does not exist|do not exist|not exists?\\b
  |not (?:yet )?been (?:registered|assigned)|not (?:currently |yet )?registered|not registred|unregistered|nothing known
  |not (?:yet )?a registered|isn't registered|(?:could|can) ?not (?:be found|find)|not find|not known
  |not in (?:the |our )?database|unallocated|not allocated|not assigned|not present|not listed in
  |domain unknown|unknown domain|not available in our whois database
  |no se encuentra registrado|no existen?\\b|no (?:est[aá] )?registrad[oa]|n[aã]o (?:est[aá] )?registrad[oa]|n[aã]o existe
  |n'existe pas|(?:n'est |n'a )?(?:non|pas|pas été) enregistrée?|nicht (?:registriert|vergeben|vorhanden|belegt)|existiert nicht
  |non (?:è )?(?:stato )?registrato|non esiste|niet geregistreerd|bestaat niet
  |(?:är )?inte registrerad|ikke (?:registreret|registrert)|(?:findes|finnes) ikke|finns inte|ej registrerad
  |ei ole rekisteröity|nincs regisztrálva|nem létezik
  |nije registr[oi]van[ao]?|ni registriran[ao]?|ne postoji|nie (?:istnieje|jest zarejestrowana|je registrovan[áýé])
  |není registrovan|není registrována?|neexistuje|nav reģistrēt\\p{L}*|neregistruotas
  |kay[ıi]tl[ıi] değil(?:dir)?|nu (?:este înregistrat|exist[aă])
  |не (?:зарегистрирован[оа]?|существует|зареєстрован[оий]*|існує|е регистриран)|δεν (?:είναι καταχωρημέν|υπάρχει)
  |chưa được đăng ký|không tồn tại|belum terdaftar|tidak terdaftar|غير مسجل`;

export const ABSENT = new RegExp(joined(`${NOTHING_FOUND}|${IS_NOT}`), 'u');

/** That a name can be had. A negation beside it turns it round: `no está disponible`. */
const FREE = `(?:is|are) (?:still |currently |now )?(?:free|available)(?= *(?:$|[.!"',]|for (?:registration|purchase)|to (?:be )?regist))
  |available: yes|- available$|available for (?:registration|purchase)|^[^\\p{L}\\d]*(?:domain (?:name )?status:)?[^\\p{L}\\d]*(?:available|free)[^\\p{L}\\d]*$
  |(?:está|es) (?:disponible|libre)\\b|está (?:disponível|livre)|est (?:disponible|libre)\\b|ist (?:noch )?(?:frei|verfügbar)\\b
  |è (?:disponibile|libero)\\b|(?:is|nog) (?:vrij|beschikbaar)\\b|(?:är|er) ledigt?|on (?:vapaa|vaba)|szabad|jest wolna|müsait|boşta(?:dır)?
  |(?<!\\p{L})je (?:voln[áýé]|voľn[áýé]|slobod[ae]?n[ao]?)|este (?:disponibil|liber)|ir brīvs|laisvas|er laust
  |(?<!\\p{L})свобод(?:ен|на|но)|доступ(?:ен|но|на) для регистрации|(?<!\\p{L})вільн(?:ий|а|е)`;
/** Where it stands beside what says that a name can be had, it cannot. */
export const NEGATION =
  /(?<![\p{L}\d])(?:not|no|never|hardly|\p{L}+n't|cannot|nicht|kein\p{L}*|pas|plus|ne|não|nao|non|niet|nie|ni|není|nu|inte|ikke|ekki|ej|ei|nem|nav|nėra|değil\p{L}*|не|ні|δεν|không|tidak|לא|غير)(?![\p{L}\d])/u;

// Sentences are split by some of these, so none has a group that captures.
export const FREE_NAME = new RegExp(joined(FREE), 'mu');
export const DENIAL = new RegExp(`${ABSENT.source}|${FREE_NAME.source}`, 'mu');

/** What a search came to in scripts that put no blanks between words. */
const UNSPACED_NOTHING_FOUND =
  '[未沒没]有?找到|找不到|[无無]此|查[無无]|見つかりません(?:でした)?|該当するデータ[はが]ありません|該当するドメイン名?[はが]ありません|찾을 ?수 ?없|없습니다';
/** Denials in them. */
export const UNSPACED_DENIAL = new RegExp(
  `${UNSPACED_NOTHING_FOUND}|未(?:被)?注[册冊]|未(?:被)?註冊|不存在|可以?[注註][册冊]|登録されていません|存在しません(?:でした)?|登録可能|등록되어 ?있지 ?않|등록되지 ?않|등록 ?가능|존재하지 ?않`,
);
/** A value that is a denial and nothing else. */
export const WHOLE_DENIAL = new RegExp(
  `^[^\\p{L}\\p{N}]*(?:${ABSENT.source}|${UNSPACED_DENIAL.source})[^\\p{L}\\p{N}]*$`,
  'u',
);

/** What is an answer by itself: what a search came to, and the one word of .za's servers and of CentralNic's. */
export const ANSWER = new RegExp(
  `${joined(NOTHING_FOUND)}|${UNSPACED_NOTHING_FOUND}|^[^\\p{L}\\d]*available(?:: yes)?[^\\p{L}\\d]*$`,
  'u',
);

/** Words that may stand beside a denial that is the whole of what is said. */
export const FILLER = new RegExp(
  `(?<![\\p{L}\\d])(?:${joined(`error:? ?\\d*|info|notice|sorry|the|an?|we|your|this|that|for|in|of|to|on|was|were|is|has|have|been|any
  |quer(?:y|ied)|request(?:ed)?|search(?:ed)?|data|records?|results?|information|unfortunately|found|not
  |es|wurde|ist|kein|gefunden|leider|el|la|se|no|lo|le|il|o|não|foi|für|kayıt|записей|запись`)})(?![\\p{L}\\d])|[^\\p{L}]+`,
  'gu',
);

/** What else may stand beside a denial about a domain, an object, an entry or a match. Any other word takes it back. */
export const AROUND = new RegExp(
  `(?<![\\p{L}\\d])(?:${joined(`a\\(z\\)|there|you|our|it|its|and|or|with the name|at|by|under|from|about|are|be|yet|still|now|currently|please|note|but|common
  |names?|status|state|specified|given|entered|supplied|submitted|looking|looked|consulted|concerning|regarding|matching|known|dot|tld
  |registration|registered|purchase|selected sources?(?:\\(s\\))?|criteria|following|exact|named|called|invalid query|invalid
  |marked private|ing|returned|with|available|free|which|does|do|did|can|be
  |diesem|die|der|das|den|dem|zu|zum|zur|unter|mit|dieser|diese|dieses|name|namen|domainname|angefragte|gesuchte|liegt|vor|noch|wurde
  |les|un|une|ce|cet|cette|de|du|d|des|nom|noms|pour|dans|est|a|été|ne|pas|à|correspond|demandé|recherché|encore|trouvée?s?
  |los|las|una|del|para|en|este|esta|nombre|ha|sido|está|consultado|solicitado|buscado|ningún|encontrado|registro|registros|resultados
  |os|as|um|uma|do|da|na|nome|pesquisado|nenhum|registo|livre|encontrad[oa]
  |di|per|nel|questo|è|stato|richiesto|cercato|nessun|trovato|record|het|een|voor|geen|gevonden|nog
  |bu|için|adlı|имя|доменное|доменного|имени|для|в|этот|данный|запрошенный|указанный
  |jest|ta|nazwa|domeny|een|er|det|dette|denne|az|tartomány|acest|nu|ce|tên miền|yang|е|το|όνομα|domeenimi|domēns|domenas|lénið|o|ο`)})(?![\\p{L}\\d])`,
  'gu',
);

/** The same in scripts that put no blanks between words. */
export const UNSPACED_AROUND =
  /該当する|域名|[网網]域|名[称稱]|[该該此您的所在中已被尚]|[查检檢][询詢]|[记記][录錄]|[资資]料|[结結]果|匹配|相[关關]|抱歉|[对對]不起|ドメイン|指定(?:された)?|お探しの|検索された|データ|情報|この|まだ|現在|[名はがをにのでたす]|です|도메인|이름|상기|요청하신|검색된|검색|결과|정보|데이터|해당|등록된|입니다|습니다|합니다|[이가은는을를의에]/gu;

/** What a registry keeps. */
export const SUBJECT =
  /(?<![\p{L}\d])(?:domains?|domainname|objects?|entr(?:y|ies)|match(?:es|ed|ing)?|dom[ií]nios?|domaines?|obje(?:to|t)s?|entradas?|domän(?:en|name)?|domein(?:naam)?|domen(?:a|y)?|domén\p{L}*|domæne\p{L}*|domene\p{L}*|domeniu\p{L}*|domeny|dominio|tal[aá]lat|домей?н\p{L}*|domeenim\p{L}*|domēn\p{L}*|domenas|lén\p{L}*|όνομα|tartomány|verkkotunnus\p{L}*|объект\p{L}*|запис\p{L}*|alan ad[iı])(?![\p{L}\d])|도메인|域名|網域|ドメイン|データ|โดเมน|ה?דומיין|النطاق/u;

/** The machinery between us and the registry's records: what is missing or free then is not the domain. */
export const MACHINERY = new RegExp(
  joined(`(?<![\\p{L}\\d])(?:servers?|services?|zones?|tlds?|top[ -]level|extensions?|suffix(?:es)?|address(?:es)?|ips?|ipv[46]
  |users?|user ?names?|hosts?|host ?names?|connections?|data ?bases?|access|log-?in|authenti\\p{L}*|authori[sz]\\p{L}*
  |passwords?|credentials?|accounts?|clients?|customers?|pages?|files?|paths?|urls?|uris?|routes?|resources?|apis?|endpoints?
  |modules?|methods?|functions?|classe?s?|handlers?|plugins?|templates?|commands?|tables?|relations?|columns?|schemas?
  |sql|sockets?|ports?|prox(?:y|ies)|gateways?|back-?ends?|upstreams?|clusters?|nodes?|process(?:es)?|cached?|sessions?
  |tokens?|certificates?|licen[cs]es?|config\\p{L}*|director(?:y|ies)|folders?|packages?|programs?|scripts?|index\\p{L}*
  |drivers?|devices?|networks?|interfaces?|peers?|queues?|workers?|pools?|replicas?|shards?|controllers?|systems?|search(?:es)?|protocols?|ports?|jobs?|countr(?:y|ies)
  |tenants?|realms?|namespaces?|buckets?|web ?sites?|vhosts?|subscriptions?|permissions?|privileges?|resolvers?|resolution|lookups?|instances?|references?|memory|disks?|storage|backups?|charge
  |servidor\\p{L}*|serveurs?|servizi\\p{L}*|servicios?|serviços?|dienste?|zonas?|zonen?|adress\\p{L}*|direcci\\p{L}*|endereços?
  |indirizz\\p{L}*|usuari\\p{L}*|utili[sz]\\p{L}*|utenti?|benutzer\\p{L}*|conexi\\p{L}*|conexão|connexion\\p{L}*|verbindung\\p{L}*
  |connessione|conexiune|datenbank\\p{L}*|bases? de (?:datos|dados|données)|acceso|accès|acesso|zugriff|zugang|usluga|usług\\p{L}*
  |serwer\\p{L}*|użytkownik\\p{L}*|połączeni\\p{L}*|sunucu\\p{L}*|hizmet\\p{L}*|kullanıcı\\p{L}*|bağlantı\\p{L}*|adresi
  |сервер\\p{L}*|сервис\\p{L}*|служб\\p{L}*|зон[аыеу]|адрес\\p{L}*|пользовател\\p{L}*|подключени\\p{L}*|соединени\\p{L}*
  |баз[аыеу] данных|доступ(?!ен|но|на)\\p{L}*)(?![\\p{L}\\d])
  |服务器|伺服器|服务|服務|サーバ|サービス|서버|서비스|数据库|資料庫|データベース|데이터베이스|接続|连接|連線|접속|연결|用户|用戶|ユーザ|사용자|地址|位址|アドレス|주소`),
  'u',
);

/** A "no" with an excuse, or that is taken back. */
export const EXCUSE =
  /(?<![\p{L}\d])(?:because|due to|owing to|since|while|until|as long as|maintenance|mainten\p{L}*|updat(?:ed|ing)|rebuil\p{L}*|temporar\p{L}*|at the moment|at this time|time[ds]?[ -]?out|fail\p{L}*|unreachable|exceptions?|refused|denied|offline|overload\p{L}*|corrupt\p{L}*|crash\p{L}*|unavailable|already|taken|occupied|however|although|unless|unable|could not be (?:read|loaded|processed|determined)|later|retry|why|wartung\p{L}*|mantenimiento|manuten\p{L}*|porque|weil|wegen|derzeit|momentan\p{L}*)(?![\p{L}\d])|(?:^|\D)[45]\d\d(?::| not found| error)|^\W*(?:error\W*)?[45]\d\d(?![\w.-])|\s[45]\d\d\W*$|\d\/\d|(?:^|\s)\/\w|found in (?:your|the|this) (?:query|request|input|message|command)(?![\p{L}\d])|(?<!(?:such|no) \p{L}+ )(?:has been|is) registered|\b(?:status|state)(?!\p{L}).* not known|\?\s*$|维护|維護|メンテナンス|점검/u;

/** A line that tells of an error, or of an answer instead of the name: a date or a status beside it may be its own. */
export const FAILURE =
  /^[ \t]{0,40}[%#*[!]{0,3}[ \t]?(?:(?:results?|records|errors?|error (?:code|message)|reason|message|failure|fault|exception|code|warning)[ \t.\]]{0,20}[:=][ \t]*(?!(?:ok|none|no|success|200|-)\s*$)\S|[\w -]{1,40}:[ \t]*(?:[\w-]{1,20} )?(?:busy|down|error|failed|timeout|unavailable|maintenance|offline)\s*$|(?:internal|fatal|server|system|backend|database) (?:error|failure)|(?:look-?up|query|request|search|connection)[ \w]{0,20} (?:failed|timed out|aborted|rejected))/im;

export const GONE =
  /(?<![\p{L}\d])(?:no longer|not in use|unused|any ?(?:longer|more)|moved|migrated|discontinued|decommissioned|shut|replaced|retired|instead|try)(?![\p{L}\d])/u;

/** A part of the register, or somebody else's: what is not in it may be registered all the same. */
export const ELSEWHERE =
  /(?<![\p{L}\d])(?:reserved|premium|disputed?|abuse|blocked|black ?list|white ?list|archive\p{L}*|history|historic\p{L}*|local|mirror|copy|secondary|test|demo|customer|registrants?|contacts?|holders?|owners?|keys?|registrar (?:data ?base|register)|(?:this|our) registrar|our own|(?:by|for) you(?! (?:have|entered|requested))|you (?:are|were|have|do) not?)(?![\p{L}\d])/u;
/** What a program did not fill: `No match for ""`, `Domain {name} not found`. */
export const PLACEHOLDER = /""|''|[{$][{(]?\p{L}|\[object/u;

/** An address or a number of the routing registries. */
export const NO_NAME = /(?<![\w.])(?:\d{1,3}(?:\.\d{1,3}){3}|as\d+)(?![\w.]*\w)/;

/** CentralNic tells of an earlier registration behind it. */
export const QUERIED_OBJECT = /^(\W*the queried object does not exist):.*$/;
