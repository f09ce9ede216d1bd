import type { TextRecord } from './text-record.ts';
import { readStatedDate } from './stated-date.ts';

/** Corrects a record for a peculiarity of its registry, before publication. */
type Quirk = (record: TextRecord) => void;

/** Reads the expiration date from a status. */
const expiryIn =
  (pattern: RegExp): Quirk =>
  (record) => {
    const [stated] = record.status.flatMap((status) => pattern.exec(status)?.[1] ?? []);
    if (stated !== undefined) record.dates.expirationDate.date ??= readStatedDate(stated);
  };

/** MYNIC states a host's code before its name: `[Primary Name Server] NS1EXMP0.SER`. */
const hostCodes: Quirk = (record) => {
  record.nameServers = record.nameServers.filter((host) => !host.endsWith('.ser'));
};

const QUIRKS: ReadonlyMap<string, Quirk> = new Map([
  // JPRS, names under organisational types (.co.jp, .ne.jp ...): `[State] Connected (2027/03/31)` (jprs.jp, "WHOIS no
  // mikata", 2024).
  ['jp', expiryIn(/^(?:Connected|Registered) \((\d{4}\/\d\d\/\d\d)\)$/)],
  ['my', hostCodes],
  // Until 2012: `status: OK-UNTIL 20140903121852`.
  ['ua', expiryIn(/^OK-UNTIL (\d{14})$/)],
]);

/** Applies the peculiarity of a top-level domain's registry, if any. */
export function applyQuirk(tld: string, record: TextRecord): void {
  QUIRKS.get(tld)?.(record);
}
