import { csvRecord } from '../csv.ts';
import type { LookUp, NameOutcome } from '../client/index.ts';
import { daysUntil, relativeDays } from '../words/relative-days.ts';
import { say, translated } from './say.ts';
import type { Column, Fact } from './table.ts';
import type { Terminal } from './terminal.ts';

/** `in 214 days`, as the page has it; nothing where the date cannot be read. */
function relativeDate(date: string, { now, language }: Terminal): string {
  const days = daysUntil(date, now());
  return days === null ? '' : relativeDays(language, days);
}

/** Whether a name could be had: `yes`, `no`, or nothing where nobody knows. As `/{domain}/availability` has it. */
function availableOf({ data, error }: Partial<NameOutcome>): 'yes' | 'no' | undefined {
  if (data !== undefined) return 'no';
  if (error?.code === 'not_registered') return 'yes';
  return error?.code === 'invalid_domain' || error?.code === 'unknown_tld' ? 'no' : undefined;
}

/** `No match for ... (sentence)`; a service of an earlier version says nothing. */
const becauseOf = (evidence: LookUp['evidence'] | undefined): string | undefined =>
  evidence ? `${evidence.line} (${evidence.kind})` : undefined;

/** The lines that speak against each other, or that nobody knows, one under the other. */
function whyUnreadable(details: unknown): Fact[] {
  const { contradictions } = (details ?? {}) as { contradictions?: unknown };
  if (!Array.isArray(contradictions) || contradictions.length === 0) return [];
  return [['Because', (contradictions as { line?: unknown }[]).map(({ line }) => String(line)).join('\n')]];
}

/** What a "no" says, for a person; of an unreadable answer the lines that make it so. */
export function factsOfFree(outcome: NameOutcome, terminal: Terminal): Fact[] {
  const { name, error } = outcome;
  if (error === undefined) return [];
  if (error.code !== 'not_registered') return whyUnreadable(error.details);
  const { whoisServer, protocol, evidence } = (error.details ?? {}) as Partial<LookUp>;
  return [
    ['Domain', name],
    ['State', translated(terminal, 'not registered')],
    ['Available', translated(terminal, 'yes')],
    ['Source', whoisServer === undefined ? undefined : `${whoisServer} (${protocol ?? 'whois'})`],
    ['Because', becauseOf(evidence)],
  ];
}

/** `a, b`, of what is known. */
const joined = (...parts: readonly (string | null | undefined)[]): string =>
  parts.filter((part) => part !== null && part !== undefined && part !== '').join(', ');

/** `Kamome Names (IANA 9999)` */
function registrarOf({ registrar, registrarDetails }: LookUp['parsed']): string {
  const ianaId = registrarDetails?.ianaId ?? null;
  return [registrar ?? '', ianaId === null ? '' : `(IANA ${ianaId})`].join(' ').trim();
}

/** What a registry says beside the seven fields. */
function detailsOf(parsed: LookUp['parsed'], terminal: Terminal): Fact[] {
  const { registrarDetails, registrant, dnssec, reseller } = parsed;
  const { url, abuseEmail, abusePhone } = registrarDetails ?? {};
  const records = (dnssec?.ds ?? []).map(
    ({ keyTag, algorithm, digestType, digest }) => `DS ${keyTag} ${algorithm} ${digestType} ${digest}`,
  );
  const signed = dnssec && translated(terminal, dnssec.signed ? 'signed' : 'unsigned');
  return [
    ['Contact', joined(url, abuseEmail, abusePhone)],
    ['Reseller', reseller ?? undefined],
    ['Held by', joined(registrant?.organization, registrant?.country)],
    ['DNSSEC', [...(signed === null ? [] : [signed]), ...records].join('\n')],
  ];
}

/** What a look-up says, for a person. */
export function factsOf(answer: LookUp, terminal: Terminal): Fact[] {
  const { parsed, hops } = answer;
  const dated = (date: string | null): string | undefined =>
    date === null ? undefined : `${date}  (${relativeDate(date, terminal)})`;
  const way = hops.map(({ server, outcome, ms }) => `${server}: ${outcome}, ${ms} ms`);
  const isOther = parsed.domainName !== null && parsed.domainName !== answer.domain;
  const brokeOff = answer.truncated
    ? ` (${say(terminal, 'the answer broke off: fields may be missing')})`
    : '';
  return [
    ['Domain', answer.domain],
    ['Name', isOther ? (parsed.domainName ?? undefined) : undefined],
    ['State', translated(terminal, answer.state) + brokeOff],
    ['Available', translated(terminal, 'no')],
    ['Registrar', registrarOf(parsed)],
    ['Created', dated(parsed.creationDate)],
    ['Expires', dated(parsed.expirationDate)],
    ['Updated', dated(parsed.updatedDate)],
    ['Name servers', parsed.nameServers.join('\n')],
    ['Status', parsed.status.join('\n')],
    ...detailsOf(parsed, terminal),
    ['Source', `${answer.whoisServer} (${answer.protocol})`],
    ['Because', becauseOf(answer.evidence)],
    ['Asked', way.join('\n')],
  ];
}

export const tableFor = (terminal: Terminal): Column<NameOutcome>[] => [
  { header: 'Name', value: ({ name }) => name, least: 12 },
  {
    header: 'State',
    // The error's code in words: `not registered`.
    value: ({ data, error }) => translated(terminal, data?.state ?? (error?.code ?? '').replaceAll('_', ' ')),
  },
  {
    header: 'Available',
    value: (outcome) => translated(terminal, availableOf(outcome) ?? ''),
    dispensable: 4,
  },
  {
    header: 'Expires',
    value: ({ data }) => {
      const date = data?.parsed.expirationDate;
      return date ? `${date.slice(0, 10)} (${relativeDate(date, terminal)})` : '';
    },
    dispensable: 1,
  },
  { header: 'Registrar', value: ({ data }) => data?.parsed.registrar ?? '', least: 10, dispensable: 2 },
  {
    header: 'Name servers',
    value: ({ data }) => data?.parsed.nameServers.join(' ') ?? '',
    least: 12,
    dispensable: 3,
  },
];

/** A column for each key. */
function csvRow(outcome: Partial<NameOutcome>) {
  const { name, data, error } = outcome;
  const parsed = data?.parsed;
  const { ianaId, url, abuseEmail, abusePhone } = parsed?.registrarDetails ?? {};
  return {
    ...{ name, state: data?.state ?? error?.code, domainName: parsed?.domainName },
    ...{ registrar: parsed?.registrar, creationDate: parsed?.creationDate },
    ...{ expirationDate: parsed?.expirationDate, updatedDate: parsed?.updatedDate },
    ...{ nameServers: parsed?.nameServers.join(' '), status: parsed?.status.join(' ') },
    ...{ whoisServer: data?.whoisServer, protocol: data?.protocol, available: availableOf(outcome) },
    ...{ dnssecSigned: parsed?.dnssec?.signed.toString(), registrarIanaId: ianaId },
    ...{ registrarUrl: url, abuseEmail, abusePhone },
    ...{
      registrantOrganization: parsed?.registrant?.organization,
      registrantCountry: parsed?.registrant?.country,
    },
    reseller: parsed?.reseller,
    daysLeft: data?.daysLeft?.toString(),
    /** Why there is no registration, for a person: the error's message. */
    reason: error?.message,
  };
}

export const csvHeader = (): string => csvRecord(Object.keys(csvRow({})));

export const csvOf = (outcome: NameOutcome): string => csvRecord(Object.values(csvRow(outcome)));

export function jsonOf({ name, data, error }: NameOutcome): string {
  if (data) return `${JSON.stringify(data)}\n`;
  const { code, message, details } = error;
  return `${JSON.stringify({ domain: name, error: { code, message, ...(details !== undefined && { details }) } })}\n`;
}
