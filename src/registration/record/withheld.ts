/*
 * Statuses by which a registry withholds a name that nobody holds, in WHOIS and RDAP. At some registries a registered
 * name is `not available` too: they count only without facts of a registration.
 */
const WITHHELD =
  /^(?:(?:not |un)available|(?:un|not )assignable|forbidden|blocked|prohibited|withheld|not open|stop-?list|(?:pending )?application(?: pending)?|(?:registry )?(?:reserved|restricted|premium)(?: (?:by (?:the )?registry|(?:domain )?name))?|reservado)$/;

export function isWithheld(status: string): boolean {
  return WITHHELD.test(status.trim().toLowerCase());
}
