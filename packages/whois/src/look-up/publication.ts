import type { ParsedRegistration, RecordField } from '../record/registration-record.ts';
import facts from './data/published-fields.json' with { type: 'json' };
import type { Protocol } from './hops.ts';

/** Fields that some registries never publish. */
export const PUBLISHED_FIELDS = ['expirationDate', 'registrar', 'status'] as const satisfies RecordField[];
export type PublishedField = (typeof PUBLISHED_FIELDS)[number];

/** Whether a registry publishes a field; `unknown` if too few of its answers were seen. */
export type Published = 'yes' | 'no' | 'unknown';

interface ZoneFacts {
  /** Number of names whose answers were read. */
  names: number;
  states?: string[];
  never?: string[];
}

const FACTS: Readonly<Record<Protocol, ReadonlyMap<string, ZoneFacts>>> = {
  whois: new Map(Object.entries<ZoneFacts>(facts.whois)),
  rdap: new Map(Object.entries<ZoneFacts>(facts.rdap)),
};

/** Date of the facts: `YYYY-MM-DD`. */
export const { date: PUBLICATION_DATE } = facts;

/** What a zone's registry publishes over a protocol. `zones`: the zone, then those above it with the same registry. */
export function publicationOf(
  protocol: Protocol,
  ...zones: readonly string[]
): Record<PublishedField, Published> {
  const known = zones.map((zone) => FACTS[protocol].get(zone)).find((each) => each !== undefined);
  const published = (field: PublishedField): Published =>
    known?.states?.includes(field) ? 'yes' : known?.never?.includes(field) ? 'no' : 'unknown';
  return {
    expirationDate: published('expirationDate'),
    registrar: published('registrar'),
    status: published('status'),
  };
}

/** The fields without a value that the registry never publishes. What could not be read is not among them. */
export function unpublishedFields(
  published: Record<PublishedField, Published>,
  parsed: ParsedRegistration,
  incomplete: readonly RecordField[],
): PublishedField[] {
  const isBlank = (field: PublishedField) => (parsed[field] ?? '').length === 0;
  return PUBLISHED_FIELDS.filter(
    (field) => published[field] === 'no' && isBlank(field) && !incomplete.includes(field),
  );
}
