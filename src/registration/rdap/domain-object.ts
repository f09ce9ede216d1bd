import { z } from 'zod';
import { isRecord } from '../../process/json.ts';
import { DATES } from '../record/fields.ts';
import type { DateName } from '../record/fields.ts';
import type { ParsedRegistration, RecordField } from '../record/registration-record.ts';
import { printable } from '../whois/parsers/plain-text.ts';
import { addStatuses, eppStatusOf } from '../whois/parsers/status-words.ts';

/** The events that state the dates (RFC 9083, section 10.2.3). */
export const EVENTS: Readonly<Record<DateName, string>> = {
  creationDate: 'registration',
  expirationDate: 'expiration',
  updatedDate: 'last changed',
  deletionDate: 'deletion',
};

/** The used members of RFC 9083, section 5.3: each is optional, and dropped if it has another type. */
const text = z.string().transform(printable).optional().catch(undefined);
const href = z.string().transform(printable);
const code = z.coerce.number().int().optional().catch(undefined);
/** A list, or a single member, as some servers send it. */
const asList = (value: unknown): unknown[] =>
  (Array.isArray(value) ? value : [value]).filter((item) => item != null);
const listOf = <Item extends z.ZodType>(item: Item) => z.preprocess(asList, z.array(item));
/** The items that can be read. */
const listSchema = <Item extends z.ZodType>(item: Item) =>
  listOf(item.nullable().catch(null)).transform((items) => items.filter((entry) => entry !== null));
const words = listSchema(z.string());
/** EPP codes or the registry's own words, without URLs. */
const statuses = words.transform((stated) => {
  const list: string[] = [];
  for (const word of stated) addStatuses(list, printable(word));
  return [...new Set(list.map(eppStatusOf))];
});

const Named = z.object({ ldhName: text, unicodeName: text });
export type Named = z.infer<typeof Named>;
/** Some servers send only a host's name. */
const Host = z.union([z.string().transform((ldhName) => Named.parse({ ldhName })), Named]);

export const Entity = z.object({
  roles: words,
  handle: text,
  vcardArray: z.array(z.unknown()).catch([]),
  jscard: z.unknown().optional(),
  jsContactCard: z.unknown().optional(),
  jscontact_card: z.unknown().optional(),
  publicIds: listSchema(
    z.object({
      type: text,
      identifier: z.union([z.string().transform(printable), z.number().transform(String)]),
    }),
  ),
  links: listSchema(z.object({ rel: text, href })),
  url: text,
  entities: listSchema(z.unknown()),
});
export type Entity = z.infer<typeof Entity>;
const DsData = z.object({
  keyTag: z.number(),
  algorithm: z.number(),
  digestType: z.number(),
  digest: z.string().regex(/^[\da-f\s]{8,256}$/i),
});
export const Domain = Named.extend({
  objectClassName: text,
  handle: text,
  errorCode: code,
  status: statuses,
  events: listSchema(z.object({ eventAction: z.string(), eventDate: z.string() })),
  nameservers: listSchema(Host),
  entities: listSchema(z.unknown()),
  links: listSchema(z.object({ rel: text, href, type: text })),
  secureDNS: z
    .object({
      delegationSigned: z.boolean().optional().catch(undefined),
      dsData: listSchema(DsData),
    })
    .optional()
    .catch(undefined),
});
export type Domain = z.infer<typeof Domain>;

const statedText = z.string().nullish();
const jcard = z
  .array(z.unknown())
  .refine(([, rows = []]) => Array.isArray(rows) && rows.every(Array.isArray));
const WholeEntity = z.object({
  roles: listOf(z.string()),
  vcardArray: jcard.nullish(),
  publicIds: listOf(z.object({ type: statedText, identifier: z.union([z.string(), z.number()]).nullish() })),
});

/** The members that state published fields, in a readable form. */
const WHOLE = {
  status: listOf(z.string()),
  events: listOf(z.object({ eventAction: z.string(), eventDate: statedText })),
  nameservers: listOf(z.union([z.string(), z.object({ ldhName: statedText, unicodeName: statedText })])),
  entities: listOf(WholeEntity.extend({ entities: listOf(WholeEntity) })),
  links: listOf(z.object({ rel: statedText, href: statedText, type: statedText })),
  secureDNS: z
    .union([z.tuple([]), z.object({ delegationSigned: z.boolean().nullish(), dsData: listOf(DsData) })])
    .nullish(),
} satisfies Record<string, z.ZodType>;

export const isWhole = (json: unknown, member: keyof typeof WHOLE): boolean =>
  isRecord(json) && WHOLE[member].safeParse(json[member]).success;

const FIELDS_IN: readonly (readonly [keyof typeof WHOLE, readonly RecordField[]])[] = [
  ['status', ['status']],
  ['events', Object.keys(DATES) as DateName[]],
  ['nameservers', ['nameServers']],
  ['entities', ['registrar', 'registrarDetails', 'registrant', 'reseller']],
  ['secureDNS', ['dnssec']],
];

/** The fields that the object may state in a form that cannot be read. */
export const unreadableFields = (json: unknown, parsed: ParsedRegistration): RecordField[] =>
  FIELDS_IN.flatMap(([member, fields]) => (isWhole(json, member) ? [] : fields)).filter(
    (field) => !(field in DATES && parsed[field] !== null),
  );
