import type { DateName, DetailName } from '../../record/fields.ts';
import { LabelTable, labelWords, wordsOfLists } from './label-table.ts';

/** The fields of a record. */
export type FieldName = 'domain' | 'registrar' | DateName | 'nameServer' | 'status' | 'registrarServer';

/** Details beside the seven fields. */
export type StatedDetail = DetailName | 'signed' | 'ds';

/** The section of a heading. `contact` covers every person, organisation and helper object. */
export type SectionName = 'none' | 'domain' | 'registrar' | 'contact' | 'nameServer' | 'status' | 'host';

/** How certain a label is: 0 overrides all others, 1 is certain, 2 is a word of contacts too, 3 is a fallback. */
export type Rank = 0 | 1 | 2 | 3;

/**
 * Meaning of a label. `opens` is the section that a label without a value opens. `block`: the label opens a block with a
 * value too (RPSL's `person: ...`).
 */
export interface Meaning {
  field: FieldName | null;
  rank: Rank;
  opens: SectionName;
  block: boolean;
  /** The section describes the registrant of the name. */
  registrant?: boolean;
  /** The detail that the label states. */
  detail?: StatedDetail;
}

/** Labels by field and rank. Case, blanks, dots, hyphens and underscores are ignored. */
const FIELD_LABELS: Record<FieldName, { 1?: string; 2?: string; 3?: string }> = {
  domain: {
    1: `complete domain name|dominio|nombre de dominio|nombre del dominio|nom de domaine|nome de domínio
      |nome do domínio|도메인이름|alan adi|alan adı|доменное имя|домен|назив домена|doménové jméno|doména|domänenname
      |nazwa domeny|domeinnaam|域名|網域名稱|ドメイン名|domain record`,
    2: `query|object|canonical name|domain idn`,
    3: `domain name ace|domain ace|ascii|ascii name|idn|domain name (utf8)|unicode domain|dom`,
  },
  registrar: {
    1: `registrar|registrar name|sponsoring registrar|sponsoring registrar name
      |sponsoring registrar organization|registrar organization|registrar organisation|registrar of record
      |current registrar|current registar|authorised registrar|authorized registrar|domain registrar
      |registrar company|registrar company name|authorized agency|registrador|registrador actual|registraire
      |kayıt operatörü|регистратор|registrátor|rejestrator|エージェント|注册商|所属注册机构|受理註冊機構|registering agent
      |registration agent|managing registrar|accredited registrar|delegate|registrado por
      |registrar compagnie name|registrar contact organization|maintained by registrar|created by registrar name`,
    2: `registration service provider|registered through|provider|last registrar|service provider`,
    3: `등록대행자|registrar handle|registrar id|account name|sponsoring registrar id|registrar code
      |mnt-lower registrar|created by registrar|registered by`,
  },
  creationDate: {
    1: `creation date|created date|domain create date|domain creation date|domain created
      |domain registration date|registration date|registered date|entry created|registration time
      |domain record activated|domain name commencement date|activated on|date registered|domain_dateregistered
      |date_approved|create date|first registration date|original created|date created|date of creation
      |date of registration|creation time|registration started|commencement date|delegated on|date de création
      |date d'enregistrement|fecha de creación|fecha de registro|fecha registro|fecha de alta|data de criação
      |data de registro|data de registo|data di creazione|data de inregistrare|erstellt am|등록일|登録年月日|登録日|有効開始日
      |注册时间|註冊日期|дата регистрации|дата створення|дата реєстрації|datum registracije|datum kreiranja
      |domain registration|acivated|activated|domain name registration date|domain added|record created date
      |registriert|reg date|domain create|reg_created|activation date|submission date|first registered date`,
    2: `created|registered|registration|creation|assigned|added|activation`,
    3: `connected date|接続年月日|record activated|delegation date|processed from`,
  },
  expirationDate: {
    1: `registry expiry date|expiration date|expiry date|domain expiration date|expire date|expires at|paid-till
      |renewal date|domain currently expires|expiration time|exp date|valid-date|valid until|valid to|validity
      |domain_datebilleduntil|date_renewal|record expired|registered until|domain expiry date|domain expiry
      |date of expiry|date of expiration|date expires|registration expiration date|expires-date|expired date
      |date d'expiration|fecha de vencimiento|fecha de expiración|vencimiento|data de expiração|data di scadenza
      |data de expirare|läuft ab am|사용 종료일|有効期限|有効限|过期时间|到期日期|有效期限|дата окончания|дата закінчення|datum isteka
      |renewal due|entry expires|record expiry|registration expires|registry expire date|registration ends
      |expired|expiration|next renewal date|domain renewal date|bill paid until|billed until|due date|expire on`,
    2: `expires|expire|expiry|renewal`,
    3: `registrar registration expiration date|option expiration date|registrar expiration date`,
  },
  updatedDate: {
    1: `updated date|last updated on|last updated date|last updated|last update|last modified|modified date
      |modification date|update date|domain last updated date|domain last updated|entry updated
      |domain record last updated|domain_datelastmodified|record last modified|record modified on
      |last modified date|updated on|date updated|date modified|modified on|last change|last changed
      |last modification|changed date|domain updated|domain modified|last update date
      |fecha de última modificación|última actualización|fecha de modificacion|última modificación
      |data de atualização|date de modification|dernière modification|ultima modifica|최근 정보 변경일|最終更新|更新时间|最後更新日期
      |letzte änderung|дата зміни|дата изменения|datum promene|modification time|updated time|update time
      |last edited|record updated|domain last modified|record last update|information last updated
      |information updated`,
    2: `changed`,
    3: `modified|updated|update|modification`,
  },
  // .ru and .su (free-date), .dk (delete date), .ee (delete), 2026.
  deletionDate: { 1: `free-date|delete date|deletion date|date of deletion|delete|scheduled deletion date` },
  // The expiry of a registrar's text: see look-up/registrar.ts. A registry's text may have no other.
  registrarExpirationDate: {},
  nameServer: {
    1: `name server|name servers|nserver|nservers|dns|dns server|dns servers|domain nameservers|domain servers
      |domain server|domain servers in listed order|domain name servers listed in order|name server information
      |name servers information|dns_name|ns|ns_name|ns hostname|servers|current nameservers
      |nameserver in listed order|nameservers in listed order|name servers in the listed order
      |servidor(es) de nombres de dominio|servidor de nombres|servidores de nombre|servidores dns
      |serveurs de noms|serveur de noms|serveurs dns|nom serveur|ns-list|delegated name servers
      |primary server hostname|primary server|primary nameserver|primary ns|primary dns|primary dns server
      |secondary server hostname|secondary server|secondary nameserver|secondary ns|secondary dns
      |secondary dns server|third server hostname|third server|third name server|tertiary server
      |tertiary nameserver|fourth server hostname|fourth server|fourth name server|fifth server hostname
      |fifth server|fifth name server|sixth server hostname|sixth server|nameserver list|nameservers list
      |domain dns|主dns|辅dns|域名服务器|ネームサーバ|네임서버|호스트이름|dns-сервер|сервер имен|сервери імен|nazwa serwera
      |namnservere|nameserver name|name server hostname|host servers|delegation|dns delegation|hostnames
      |authoritative name servers|dns hosts`,
    2: `host name`,
  },
  status: {
    1: `domain status|status|registration status|eppstatus|query_status|estatus del dominio|estado del dominio
      |statut|stato|durum|domain state|current status|flags|状態|상태|状态|域名状态|статус|состояние|registry status
      |status do domínio|domaintype|domain statuses|status information|name status|등록정보 보호|ロック状態|lock status`,
    2: `state|estado`,
    3: `ren-status|renewal status`,
  },
  registrarServer: {
    1: `registrar whois server|whois server|registrar whois|whois tcp uri|registrar whois host`,
  },
};

/** Labels that some registries write without a colon. Each is a label with a colon, too. */
const COLONLESS_LABELS: Partial<Record<FieldName, string>> = {
  creationDate:
    'record created on|record created|registered on|domain registered|domain registered on|created on',
  expirationDate:
    'record expires on|record expires|record will expire on|domain expires|domain expires on|expires on',
  domain: 'domain|domain name',
  updatedDate:
    'record last updated on|record last updated|record changed on|record updated on|record last modified on',
};

/** Headings by the section that they open without a value; those of the registrant are below. */
const HEADINGS: Partial<Record<SectionName, string>> = {
  registrar: `domain managers|registrar information|registrar details|registrar data|registrar info`,
  contact: `registrant contact information|registrant details|registrant contact details|registrant's address
    |registrant address|registrant type|domain contacts|administrative contact
    |administrative contact information|administrative contacts|admin contact|admin contacts
    |admin contact information|administrator|administrative|admin|technical contact|technical contacts
    |technical contact information|technical|tech contact|tech contacts|tech contact information|tech
    |billing contact|billing contacts|billing contact information|billing|zone contact|abuse contact
    |abuse contacts|contacts|contact information|registrar technical contacts
    |registrar technical contact|registrar abuse contact|registrar contact information|registrar admin contact
    |registrar contact|reseller|reseller information|on-site(s)|onsite|agent|contacto administrativo
    |contacto técnico|contacto de cobranza|contacto financiero|contacto de facturación|contact administratif
    |contact technique|adminstrative contact|公開連絡窓口|registrar's address|trading as|disclaimer|invoicing party
    |registrant code|administrative contact code|billing contact code|technical contact code
    |kontakt administracyjny|company|sponsoring organisation|security contact|support contact|manager|whois
    |domain owners / registrant|administrative contact/agent|tech-c|zone-c|admin-c|keys`,
};

/** First labels of other objects: they open a block with their value. */
const BLOCK_LABELS: Partial<Record<SectionName, string>> = {
  // RPSL style.
  contact: `contact|contact-id|contact-handle|person|personname|role|nic-hdl|nic-hdl-br|nic-handle|nsset|keyset
    |mntner|contact type|host|host record`,
  // Host records in Verisign's prefix matches: their fields are not the domain's.
  host: `server name`,
};

/** Headings of the registrant. */
const REGISTRANT_HEADINGS = labelWords(`registrant|registrants|registrant name|registrant contact
  |registrant information|domain registrant|domain holder|domain owner|holder|holder of domain name
  |holder contact|owner|owner contact|licensee|organization using domain name|titular|titulaire|propietario
  |registered for|registered to|subscriber|domain owner contact|organization|organisation`);

/** A field or a detail that a label states under one heading. */
export type Scoped = FieldName | StatedDetail;

/** Short labels with a meaning under one heading only; of contacts, under that of the registrant. */
const SCOPED_LABELS: Partial<Record<SectionName, Partial<Record<Scoped, string>>>> = {
  domain: { domain: 'name|domain name|domain' },
  registrar: {
    registrar: `name|organization|organisation|organization name|organisation name|company name|company`,
    ianaId: 'iana id|iana number|iana',
    url: 'url|website|web|www|homepage',
    abuseEmail: 'abuse email|abuse contact email|abuse contact',
    abusePhone: 'abuse phone|abuse contact phone|abuse telephone',
  },
  contact: {
    organization:
      'organization|organisation|org|company|company name|organization name|organisation name|orgname',
    country: 'country|country code',
  },
  nameServer: {
    nameServer: `hostname|host|name|server|nameserver|nserver|ns|dns|primary|secondary|tertiary|third|fourth
      |fifth|sixth|first|second`,
  },
};

/** Meaning of a label without a field or section. */
const NO_MEANING: Meaning = { field: null, rank: 1, opens: 'none', block: false };

const labelFor = (word: string, meaning: Partial<Meaning>): [string, Meaning] => [
  word,
  { ...NO_MEANING, ...meaning },
];
const fieldLabel = (word: string, field: FieldName, rank: Rank) =>
  labelFor(word, { field, rank, opens: sectionOf(field) });

const fieldMeanings = [
  ...Object.entries(FIELD_LABELS).flatMap(([field, ranks]) =>
    Object.entries(ranks).flatMap(([rank, list]) =>
      labelWords(list).map((word) => fieldLabel(word, field as FieldName, Number(rank) as Rank)),
    ),
  ),
  ...wordsOfLists(COLONLESS_LABELS).map(([word, field]) => fieldLabel(word, field, 1)),
];

function sectionOf(field: FieldName): SectionName {
  if (field === 'domain' || field === 'registrar' || field === 'nameServer' || field === 'status')
    return field;
  return 'none';
}

const headingMeanings = [
  ...wordsOfLists(BLOCK_LABELS).map(([word, opens]) => labelFor(word, { opens, block: true })),
  ...wordsOfLists(HEADINGS).map(([word, opens]) => labelFor(word, { opens, registrant: false })),
  ...REGISTRANT_HEADINGS.map((word) => labelFor(word, { opens: 'contact', registrant: true })),
];

/** Labels of details. Those without a prefix count for the registrant only. */
const DETAIL_LABELS: Record<StatedDetail, string> = {
  ianaId: 'registrar iana id|iana id|registrar iana number|iana registrar id',
  url: `registrar url|registrar website|registrar web|registrar website url|referral url|registrar homepage
    |registrar www`,
  abuseEmail: 'registrar abuse contact email|registrar abuse email|abuse contact email|abuse email',
  abusePhone: `registrar abuse contact phone|registrar abuse phone|abuse contact phone|abuse phone|abuse telephone
    |registrar abuse contact telephone`,
  organization: `registrant organization|registrant organisation|registrant org|registrant company
    |registrant contact organization|registrant contact organisation|org|organization|organisation
    |domain holder organization`,
  country: `registrant country|registrant country code|registrant contact country|registrant contact country code`,
  signed: 'dnssec|dnssec signed|dnssec status|secure dns|signed|dnssec delegation|signing key',
  ds: 'dnssec ds data|ds data|ds record|ds records|ds-rdata|ds|dnssec ds record|dnssec ds|ds key data|dnskey',
  reseller: 'reseller|reseller name|reseller organization|reseller organisation|domain reseller',
};

export const isDetail = (name: Scoped): name is StatedDetail => name in DETAIL_LABELS;

const PLAIN_LABELS = new LabelTable<Meaning>([...fieldMeanings, ...headingMeanings]);

/**
 * Labels of contacts without a meaning here: half of all lines. An exact match saves the further steps of a look-up.
 * Sources: ICANN's Registration Data Consistent Labeling and Display Policy, RPSL (RFC 2622).
 */
const CONTACT_LABELS = [
  ...['registrant', 'admin', 'tech', 'billing'].flatMap((contact) =>
    labelWords(`registry ${contact} id|${contact} name|${contact} organization|${contact} street|${contact} city
      |${contact} state/province|${contact} postal code|${contact} country|${contact} phone|${contact} phone ext
      |${contact} fax|${contact} fax ext|${contact} email`),
  ),
  ...labelWords(`address|phone|fax-no|fax|e-mail`),
];
/** Labels without a meaning here that describe no person. */
const OTHER_LABELS =
  labelWords(`registry domain id|url of the icann whois inaccuracy complaint form|source|domain id|roid
  |ip address|ip addresses|name server ip|name server handle|nsl-id|web-based whois
  |hold|sponsoring registrar iana id|sponsoring registrar url|sponsoring registrar country
  |registration service url|redemption expiry date|anniversary|nsstat|nslastaa|query_datetime|version
  |eligibility type|relevant dates`);
/** All labels with a meaning in every section. */
export const GENERAL_LABELS = new LabelTable<Meaning>([
  ...wordsOfLists(DETAIL_LABELS).map(([label, detail]) =>
    labelFor(label, { ...PLAIN_LABELS.getExact(label), detail }),
  ),
  ...fieldMeanings,
  ...headingMeanings,
  ...[...CONTACT_LABELS, ...OTHER_LABELS].map((label) => labelFor(label, {})),
]);

/** Labels by section. */
export const SECTION_LABELS: Partial<Record<SectionName, LabelTable<Scoped>>> = Object.fromEntries(
  Object.entries(SCOPED_LABELS).map(([section, lists]) => [section, new LabelTable(wordsOfLists(lists))]),
);

/** Patterns of labels without a colon, with the value as group 1: `Record expires on 2030-01-31`. */
export const COLONLESS_PATTERNS: readonly (readonly [FieldName, RegExp])[] = (
  Object.entries(COLONLESS_LABELS) as [FieldName, string][]
).map(([field, list]) => {
  const longestFirst = labelWords(list).sort((a, b) => b.length - a.length);
  return [field, new RegExp(`^(?:${longestFirst.join('|')})[ \\t]+(.*)$`, 'i')];
});
