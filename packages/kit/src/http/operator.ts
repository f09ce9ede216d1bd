import type { FastifyInstance } from 'fastify';
import type { Clock } from '../process/clock.ts';

/** The operator of this service, as far as the settings state it. */
export interface Operator {
  name?: string | undefined;
  /** `mailto:` or `https:` address. */
  contact?: string | undefined;
  termsUrl?: string | undefined;
  privacyUrl?: string | undefined;
}

const DAY_MS = 86_400_000;
/** RFC 9116 recommends less than a year. A short period marks abandoned instances. */
const VALID_DAYS = 90;

/** Serves `/.well-known/security.txt` (RFC 9116) if there is a contact. */
export function serveSecurityTxt(app: FastifyInstance, { contact }: Operator, clock: Clock): void {
  if (contact === undefined) return;
  app.get('/.well-known/security.txt', { config: { isExempt: true } }, (request, reply) => {
    request.outcome = 'page';
    // In whole days, so that all replicas agree.
    const expires = new Date((Math.floor(clock.now() / DAY_MS) + VALID_DAYS) * DAY_MS).toISOString();
    return reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'public, max-age=86400')
      .send(`Contact: ${contact}\nExpires: ${expires}\nPreferred-Languages: en, ja\n`);
  });
}

/** For OpenAPI: `contact` and `termsOfService` of `info`. */
export function operatorInfo({ name, contact, termsUrl }: Operator): Readonly<Record<string, unknown>> {
  const email = contact?.startsWith('mailto:') ? contact.slice('mailto:'.length) : undefined;
  return {
    ...(termsUrl !== undefined && { termsOfService: termsUrl }),
    contact: {
      name: name ?? 'The operator of this service',
      ...(email !== undefined && { email }),
      ...(email === undefined && contact !== undefined && { url: contact }),
    },
  };
}

/** Facts for the head of the pages, by name. */
export function operatorFacts({ name, contact, termsUrl, privacyUrl }: Operator): [string, string][] {
  const facts = [
    ['operator-name', name],
    ['operator-contact', contact],
    ['operator-terms', termsUrl],
    ['operator-privacy', privacyUrl],
  ] as const;
  return facts.flatMap(([fact, value]): [string, string][] => (value === undefined ? [] : [[fact, value]]));
}
