import type { LookUpResult } from '../../registration/look-up/result.ts';
import type { RdapBootstrap } from '../../registration/rdap/bootstrap.ts';

/** Context of the checks of registries. */
export interface Registries {
  /** Looks a name up, at least a second after the last one. Rejects with a ServiceError. */
  lookUp(name: string): Promise<LookUpResult>;
  /** The current bootstrap; undefined if the settings name a file. Rejects with a ServerFault. */
  fetchBootstrap: ((signal: AbortSignal) => Promise<RdapBootstrap>) | undefined;
  /** A random number from 0 up to 1, for unregistered names. */
  readonly random: () => number;
  /** The root's referral of each top-level domain so far: its WHOIS server, null for none. */
  readonly rootReferrals: Map<string, string | null>;
  /** Number of registries without an answer since the last that had one. */
  unansweredInRow: number;
}

/** Registered names of registries. */
export const PROBED = `
  verisign.com internic.net pir.org nic.info get.app jprs.jp nominet.uk denic.de afnic.fr sidn.nl eurid.eu nic.ch
  nic.at nic.it internetstiftelsen.se norid.no punktum.dk dns.pl nic.br cira.ca`
  .trim()
  .split(/\s+/);

/** Number of look-ups: a registered and a random name each. */
export const LOOK_UPS = 2 * PROBED.length;
