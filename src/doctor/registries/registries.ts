import type { LookUpResult } from '../../registration/look-up/result.ts';
import type { Bootstrap } from './bootstrap.ts';

/** Context of the checks of registries. */
export interface Registries {
  /** Looks a name up, at least a second after the last one. Rejects with a ServiceError. */
  lookUp(name: string): Promise<LookUpResult>;
  /** The WHOIS server that the root named when the bundled table was generated. */
  readonly rootWhoisOf: (tld: string) => string | null | undefined;
  readonly rootZoneDate: string;
  readonly bundled: Bootstrap;
  /** The current bootstrap; undefined if the settings name a file. Rejects with a ServerFault. */
  fetchBootstrap: ((signal: AbortSignal) => Promise<Bootstrap>) | undefined;
  /** A random number from 0 up to 1, for unregistered names. */
  readonly random: () => number;
  /** The root's referral of each top-level domain so far: its WHOIS server, null for none. */
  readonly rootReferrals: Map<string, string | null>;
  /** Number of registries without an answer since the last that had one. */
  unansweredInRow: number;
}

/** Registered names of registries, and the zone of a random name. */
export const PROBED: readonly { readonly registered: string; readonly zone: string }[] = [
  { registered: 'verisign.com', zone: 'com' },
  { registered: 'internic.net', zone: 'net' },
  { registered: 'pir.org', zone: 'org' },
  { registered: 'nic.info', zone: 'info' },
  { registered: 'get.app', zone: 'app' },
  { registered: 'jprs.jp', zone: 'jp' },
  { registered: 'nominet.uk', zone: 'uk' },
  { registered: 'denic.de', zone: 'de' },
  { registered: 'afnic.fr', zone: 'fr' },
  { registered: 'sidn.nl', zone: 'nl' },
  { registered: 'eurid.eu', zone: 'eu' },
  { registered: 'nic.ch', zone: 'ch' },
  { registered: 'nic.at', zone: 'at' },
  { registered: 'nic.it', zone: 'it' },
  { registered: 'internetstiftelsen.se', zone: 'se' },
  { registered: 'norid.no', zone: 'no' },
  { registered: 'punktum.dk', zone: 'dk' },
  { registered: 'dns.pl', zone: 'pl' },
  { registered: 'nic.br', zone: 'com.br' },
  { registered: 'cira.ca', zone: 'ca' },
];

/** Number of look-ups: a registered and a random name each. */
export const LOOK_UPS = 2 * PROBED.length;
