import type { LookUp } from '../client/index.ts';
import type { Fact } from './facts.ts';

const DAY_MS = 86_400_000;

/** `in 214 days`, `today`, `3 days ago`; whole days between two instants. */
export function relativeDays(date: string, now: number): string {
  const days = Math.floor(Date.parse(date) / DAY_MS) - Math.floor(now / DAY_MS);
  if (!Number.isFinite(days)) return '';
  if (days === 0) return 'today';
  const count = `${Math.abs(days).toLocaleString('en')} ${Math.abs(days) === 1 ? 'day' : 'days'}`;
  return days > 0 ? `in ${count}` : `${count} ago`;
}

const dated = (date: string | null, now: number): string | undefined =>
  date === null ? undefined : `${date}  (${relativeDays(date, now)})`;

/** What a look-up says, for a person. */
export function registrationFacts(answer: LookUp, now: number): Fact[] {
  const { parsed, hops } = answer;
  const way = hops.map(({ server, outcome, ms }) => `${server}: ${outcome}, ${ms} ms`);
  const isOther = parsed.domainName !== null && parsed.domainName !== answer.domain;
  return [
    ['Domain', answer.domain],
    ['Name', isOther ? (parsed.domainName ?? undefined) : undefined],
    ['State', answer.state + (answer.truncated ? ' (the answer broke off: fields may be missing)' : '')],
    ['Registrar', parsed.registrar ?? undefined],
    ['Created', dated(parsed.creationDate, now)],
    ['Expires', dated(parsed.expirationDate, now)],
    ['Updated', dated(parsed.updatedDate, now)],
    ['Name servers', parsed.nameServers.join('\n')],
    ['Status', parsed.status.join('\n')],
    ['Source', `${answer.whoisServer} (${answer.protocol})`],
    ['Asked', way.join('\n')],
  ];
}
