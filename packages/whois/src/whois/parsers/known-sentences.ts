/** Parts of rows: the name that is denied, what was searched for, and where. */
const DOMAIN =
  'domain|domain name|the domain|the domain name|this domain|this domain name|requested domain|the requested domain|the domain you requested|the domain you have requested|{name}';
const ABOUT =
  '{name}|(for|matching) (|object|query|domain|domain name|the domain|the domain name) {name}|(for|matching) (this|your|the) (query|request)|(for|in) the selected source (|s)';
const PLACE = 'in (|the|our) (|registry|whois) (database|registry)';

/**
 * Sentences of registries, masked (see masked-line.ts). A line is a row:
 *
 *     state | masked sentence | servers | source, year and month of collection
 *
 * A registry program is a row whose parts vary: `(a|b)` is one of several, `(|a)` is optional.
 *
 * State: `no` (a denial), `reserved`, `throttled`, `refused`, `invalid`, or `neutral` (allowed in the paragraph
 * of a denial). Servers: `any`, or `only` with servers and zones, if the sentence means something else at others.
 *
 * `npm run check:sentences` masks an original sentence and checks the table: docs/registration-parser.md.
 */
export const KNOWN_SENTENCES = `
no | (|the queried object does not exist|domain status|status) no object found (|for {name}) | any | CoCCA, as .af .bi .ci .cm .gs .hn .mz .nf .so .td, 2026-11
no | the queried object does not exist (|{name}|(|common) no match|no object found|object not found|no matching objects found|(|previous registration (|{n} cnic was purged on {n})) (|domain not found)) | any | CoCCA and CentralNic, as .cm .fm .la .nz .ws .berlin .scot .xn--ses554g, 2026-11
no | (status|domain status|registration status|query status {n}) (available|free|not registered|unregistered|available for registration|inexistent) | any | CoCCA and others, as .bg .ca .de .ec .eu .it .ke .lt .lv .nz whois.gg, 2026-11
no | no (match|matches|matching (domain|domains|domain name|entry|entries|object|objects|record|records)) (|found) (|${ABOUT}) | any | whois.verisign-grs.com .am .br .cn .jp .no .sa .th .tr whois.pairnic.com, 2026-11
no | (|error|error {n}) no (data|domain|domains|domain name|domain record|domain records|entry|entries|information|object|objects|record|records|result|results) (|matching {name}) (|was|were) found (|${ABOUT}) (|${PLACE}|in the (afnic|{zone}) (database|registry)) | any | RIPE's and others, as .dk .cz .fr .hr .in .ir .is .ls .ma .mc .mk .nc .ru .st .ua, 2026-11
no | no records found for object | only whois.in.ua .in.ua | whois.in.ua, 2026-11
no | nothing found (|${ABOUT}) | any | .at .kz, 2026-11
no | no information (|is|was) (available|found) (about|for|on) (|domain|domain name|the domain|the domain name) {name} (|in the registry nask database) | any | .pl, 2026-11
no | there (is|are|was|were) no (data|domain|domain name|entry|entries|information|match|record|records) (|found|available) (|about|for|of|on|matching|with the name) (|domain|domain name|the domain|the domain name) {name} (|${PLACE}) | any | .es, 2026-11
no | not found (|domain|object) (|{name}) | any | .ae .au .biz .io .org .so .us, 2026-11
no | (|error|sorry) (${DOMAIN}|object|the object) (|{name}) (|was|is|could|can) (cannot|not) (|be) found (|{name}|${PLACE}) | any | .ci .fi .fj .fo .im .la .nu .se .sg .tn whois-frogans.nic.fr whois.cat, 2026-11
no | (|sorry) (${DOMAIN}) (|{name}) (|domain name) (does not exist|doesn t exist|not exists) (|${PLACE}) | any | .bg .in.ua .my whois.007names.com whois.co.nl whois.od.ua, 2026-11
no | (object|record|the record) does not exist | any | .by whois.cctld.by, 2026-11
no | (|error|error {n}|sorry) (${DOMAIN}) (|{name}) (is|has|is currently) not (|yet) (|been|currently) (registered|assigned) (|yet) | any | .ch .hk .mt .pr .rs .uk whois.adamsnames.com, 2026-11
no | (domain|the domain|domain {name}|the domain {name}|{name}) not (registered|registred|assigned) (|yet) | any | .ai .pe, 2026-11
no | (|domain) not registered {name} | any | .ie, 2026-11
no | (domain|domain name|the domain) {name} is unregistered | any | no registry seen, 2026-11
no | (could not|can not|cannot|unable to) find (|the) (|domain|domain name|object) {name} | any | RDAP servers, 2026-11
no | (${DOMAIN}) (|{name}) is (|currently|now|still) (available|free) (|for registration|to be registered) | any | .ac .aw .co.ca .hk.com .love .nl .sexy, 2026-11
no | (|error|error {n}) no such domain (|name) (|{name}) | any | .lu whois.ja.net whois.za.net, 2026-11
no | {name} (no match|no entries found|no existe) | any | .cl .pt, 2026-11
reserved | (status|state|domain|domain status) reserved | any | .dk .io .it .jp .pt .uz, 2026-11
reserved | (reserved|restricted) (name|domain name|by (|the) registry|by registry policy|by (dotasia|qdr)|name reserved brand name) | any | .am .asia .io .qa .tw .xxx whois.afilias.net, 2026-11
reserved | (second level domain name|the domain you want to register|this name) is (reserved|registry reserved by uniregistry|not available for registration) | any | .cn .name whois.uniregistry.net, 2026-11
reserved | the domain (|name) you apply (can not|cannot) be registered online (|please consult your domain (|name) registrar) | any | .cn whois.cnnic.cn, 2026-11
reserved | domain is not available or is reserved by the registry | any | whois.co.ca, 2026-11
reserved | (|this name is reserved) qdr has restricted this term | any | .qa whois.registry.qa, 2026-11
reserved | not available for (|second level) registration | any | .name, 2026-11
reserved | (sorry the domain you requested is in the reserved list|the domain you requested is prohibited) | any | .cn, 2026-11
reserved | stop list domain can not be registered | any | whois.tcinet.ru .ru .su, 2026-11
reserved | the domain name is not available | any | whois.registry.qa .qa, 2026-11
throttled | (|{server}) maximum number of requests per (second|minute|hour|day) exceeded | any | whois.domain-registry.nl .nl, 2026-11
throttled | (|request|whois|whois query rate|your connection|{server} daily whois) limit exceeded (|for {n}|for client {n}|see {server} whois for details|please wait and try again|please slow down and try again later) | any | .cz .me .nl .org .pe .pl whois.afilias.net, 2026-11
throttled | too (many|may) (requests|connections) | any | .dk .fr .th, 2026-11
throttled | you have exceeded (allowed connection rate|your quota of queries) | any | .ru whois.markmonitor.com, 2026-11
throttled | maximum (query rate|queries per hour) reached (|{n}) | any | .be .lu, 2026-11
throttled | {server} (server too busy|only {n} request per second allowed) try again later | any | .nl, 2026-11
throttled | (excessive querying|{n} still in) grace period (of|wait) {n} seconds | any | .be .eu, 2026-11
throttled | and will be replenished in (0|{n}) seconds | any | .uk, 2026-11
throttled | (looup|lookup|query|whois) quota (|may be) exceeded | any | .pe and issue reports of WHOIS clients, 2026-11
no | (record|the record) (not found|was not found|could not be found) | any | issue reports of WHOIS clients, 2026-11
no | not (registered|exist|exists) | any | .gr and issue reports of WHOIS clients, 2026-11
no | (domain|domain name) available | any | issue reports of WHOIS clients, 2026-11
no | (dominio|domínio) (disponible|disponivel|disponível) | any | issue reports of WHOIS clients, 2026-11
no | available | any | .za .africa .cologne .koeln capetown-whois.registry.net.za coza-whois.registry.net.za and 3 more, 2026-11
no | 상기 도메인이름은 등록되어 있지 않습니다 | only whois.kr .kr | whois.kr .kr, 2026-11
no | no data was found to match the request criteria | any | .il whois.isoc.org.il, 2026-11
no | no found | any | .tw whois.twnic.net.tw, 2026-11
no | invalid query or domain name not known in dot (tk|cf|ga|gq|ml) domain registry | any | Freenom, as .tk .cf whois.dot.tk, 2026-11
no | no se encontro el objeto object not found | any | .mx whois.mx, 2026-11
no | the requested domain was not found in the registry or registrar s whois server | any | whois.kr .kr, 2026-11
no | you queried for {name} but this server does not have | only whois.iana.org .int | whois.iana.org .int, 2026-11
no | this query returned 0 objects | only whois.iana.org .int | whois.iana.org .int, 2026-11
no | domain {name} is not registered here | any | whois.1und1.info whois.schlund.info whois.wildwestdomains.com, 2026-11
no | nincs találat no match | any | .hu whois.nic.hu, 2026-11
no | (domain {name}|{name}) is available for purchase | any | .tm whois.nic.tm, 2026-11
no | data not found this domain is available for registration | any | .kg whois.kg, 2026-11
no | el dominio (|{name}) no (existe|esta registrado|está registrado|se encuentra registrado) (|en nic argentina) | any | .ar, 2026-11
no | (|o) (dominio|domínio) (|{name}) (no|nao|não) (|foi) encontrado | any | .mx .br in earlier texts, 2026-11
no | (|le) (|nom de) domaine (|{name}) (n existe pas|non trouvé|non trouve|n est pas enregistré) | any | African registries in earlier texts, 2026-11
no | no (domain|domain name|entries|match|object|record|records) matching {name} | any | whois.ax whois.nic.bj .bn, 2026-11
no | sorry but domain {name} not found in database | any | .uz whois.cctld.uz, 2026-11
no | there is no information available on the domain consulted | any | .es whois.nic.es, 2026-11
no | we do not have an entry in our database matching your query | any | whois.nic.ch whois.nic.li, 2026-11
no | no match for | only whois.nic.md .md | .md whois.nic.md, 2026-11
no | no match for {label} | only whois.tonic.to .to | .to whois.tonic.to, 2026-11
no | nincs talalat no match | any | .hu, 2026-11
no | above domain name is not registered to krnic | only whois.kr .kr | whois.kr, 2026-11
no | available yes | any | .hk.com, 2026-11
no | this domain is available for registration please visit | any | .hk.com, 2026-11
no | key not found | only whois.eu.org .eu.org | whois.eu.org, 2026-11
no | no domain records were found to match {name} | any | whois.nic.coop, 2026-11
no | not registered the domain you have requested {name} is not a registered {zone} domain name | any | .ie, 2026-11
no | this domain is not available in our whois database | only whois.nic.lk .lk | whois.nic.lk, 2026-11
no | status available no match for domain {name} | any | whois.sx, 2026-11
no | unfortunately no results were found | any | whois.co.pl, 2026-11
no | we could not find the requested domain on our system | only whois.udag.net | whois.udag.net, 2026-11
no | no information was found matching that query | any | .za, 2026-11
no | no object found object (|{name}) | any | .dz .gf .tg .tn whois.nic.dz, 2026-11
reserved | status not open | any | whois.nic.fr, 2026-11
reserved | reserved cg | only whois.registro.br .br | whois.registro.br, 2026-11
reserved | this request domain name is restricted to specifically qualified registrants for stable management of domain names and public interest | any | whois.kr, 2026-11
reserved | 등록자격이 제한된 도메인이름입니다 | any | whois.kr, 2026-11
reserved | domain not available | only whois.fi .fi | whois.fi, 2026-11
reserved | error message the domain name requested has usage restrictions applied to it please see your registrar for more details | any | whois.cira.ca, 2026-11
reserved | restricted | any | whois.registry.om, 2026-11
reserved | this domain name has been reserved by sita for exclusive use by holder of the corresponding industry designator if you are the holder of this industry designator and would like to take active control of this domain name then please visit our registration page {url} or contact sita at {mail} | any | whois.aero, 2026-11
reserved | the registration of this domain is restricted as it is protected by the (donuts|identity digital) dpml brand protection policy additional information can be found at {url} | any | whois.nic.systems, 2026-11
throttled | the ip address used to perform the query is not authorised or has exceeded the established limit for | only whois.nic.es .es | whois.nic.es, 2026-11
throttled | the whois query quota for {n} has been exceeded | any | .uk whois.nic.uk, 2026-11
throttled | please maintain at least {n} second time before starting another enquiry | any | .hk, 2026-11
throttled | query status {n} request denied | any | .nz whois.srs.net.nz, 2026-11
throttled | please wait a while and try again thanks | any | whois.verisign-grs.com, 2026-11
throttled | service currently unavailable due to incoming of a large amount of | any | .jp, 2026-11
throttled | error {n} connection refused access control limit reached | any | whois.denic.de, 2026-11
throttled | please go away for {n} seconds | any | coza-whois.registry.net.za, 2026-11
throttled | {n} ip address blocked | any | whois.dns.be, 2026-11
refused | query status {n} domain is not managed by this register | any | .nz, 2026-11
invalid | unimplemented object service | any | .ua, 2026-11
invalid | pattern starts with improper character | any | .au .pro, 2026-11
invalid | status invalid | any | .de whois.denic.de, 2026-11
invalid | status not allowed | any | whois.dns.be, 2026-11
invalid | this domain cannot be registered because it contravenes the nominet uk | any | .uk whois.nic.uk, 2026-11
invalid | invalid query | only whois.registro.br .br | .br, 2026-11
invalid | invalid syntax | any | whois.registro.br, 2026-11
invalid | error {n} non bijective ace idn convertible domain | any | whois.denic.de, 2026-11
invalid | invalid parameter {name} | any | .cn, 2026-11
invalid | the domain name contains too few parts | any | whois.nic.uk, 2026-11
invalid | 網域名稱不合規定 | any | .tw, 2026-11
invalid | the domain {name} is not valid | any | .vu, 2026-11
neutral | url of the icann whois inaccuracy complaint form {url} | any | .in .us .me .info .app, 2026-11
neutral | notes his name is restricted and can be registered but will require approval before it can be delegated | any | whois.cmc.iq .iq .sb, 2026-11
neutral | if you would like to register this or any {zone} domain go to {url} | any | .ai whois.nic.ai, 2026-11
neutral | domain information | any | .no .co_jp .jp .ai .cm, 2026-11
neutral | tonic whoisd v1 {n} | any | .to whois.tonic.to, 2026-11
neutral | searching for {name} | any | whois.ax whois.nic.bj, 2026-11
neutral | swhoisd {n} | any | whois.ax whois.nic.bj, 2026-11
neutral | benin {zone} | any | whois.nic.bj, 2026-11
neutral | this premium domain is available for purchase if you would like to make an offer please contact {mail} | any | whois.nic.systems, 2026-11
neutral | url of the icann whois data problem reporting system {url} | any | .com .xyz .icu .cc .cam, 2026-11
neutral | any data for {name} | any | whois.iana.org, 2026-11
neutral | domain {name} | any | whois.kg .kg, 2026-11
neutral | whois {name} | any | whois.eu .eu, 2026-11
neutral | {n} request v md5 {n} {name} | any | whois.nic.fr .fr, 2026-11
neutral | information related to {name} | any | whois.nic.ir .ir, 2026-11
neutral | please visit {url} for more information | any | whois.nic.tm .tm, 2026-11
neutral | go to {url} to register it now | any | whois.usp.ac.fj .fj, 2026-11
neutral | note failure to locate a record in the whois database is not indicative of the availability of a domain name | any | .za .joburg, 2026-11
neutral | query rate limit exceeded reduced information | any | whois.registro.br, 2026-11
no | no domains matched | any | whois.registry.gov.mm .mm, 2026-11
reserved | reserved | only whois.isnic.is .is | whois.isnic.is, 2026-11
no | domain unknown | any | read in three collections of answers, 2026-11
no | no match record found | any | whois.dn.ua whois.net.ua in the table of Net::Whois::Raw 2.99031, 2026-11
no | nomatch | only whois.i-dns.net | whois.i-dns.net in the table of Net::Whois::Raw 2.99031, 2026-11
reserved | (|{name}|domain {name}|the domain {name}) (|is in|in) (|the) release process (|waiting|open|closed|{n}|waiting {n}) | any | whois.registro.br .br, issue reports of WHOIS clients, 2026-11
reserved | status (at auction|atauction|auction|pending auction|disputed) | any | whois.tld.ee .ee, 2026-11
reserved | (|${DOMAIN}|this name|this string|registration) (|{name}) (|is|has been) (blocked|protected|reserved|restricted) (by|under|through|with) (|the) (|donuts|identity digital) (bsa|globalblock|global block|dpml|domains protected marks list|domains protected marks list dpml) (|service|program|policy|brand protection policy) (|{url}|{name}) | any | GSO, Identity Digital, BSA of .lol, 2026-11
neutral | type {zone} | only whois.nic.dz .dz | whois.nic.dz, 2026-11
`;
