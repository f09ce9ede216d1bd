import type { Socket } from 'node:net';
import { createIso2022JpEncoder } from './iso-2022-jp.ts';
import type { SampleDomain } from './sample-domains.ts';
import { germanForm, japaneseForm, registrarForm, thickForm, thinForm } from './whois-texts.ts';
import type { WhoisForm } from './whois-texts.ts';

/** Answers one query line. */
export type Registry = (query: string, socket: Socket) => void;

const DRIP_EVERY_MS = 500;

/** The sample's WHOIS registries and registrars by host name. */
export function sampleRegistries(domains: readonly SampleDomain[]): ReadonlyMap<string, Registry> {
  const byName = new Map(domains.map((domain) => [domain.name, domain]));
  const answering = (form: WhoisForm) => (name: string) => {
    const domain = byName.get(name.toLowerCase());
    if (domain === undefined) return form.notFound(name);
    return domain.reserved ? `${name} is reserved by the registry.\r\n` : form.record(domain);
  };
  const [thin, thick, german] = [thinForm, thickForm, germanForm].map(answering) as [Say, Say, Say];
  const [japanese, registrar] = [japaneseForm, registrarForm].map(answering) as [Say, Say];
  const encodeJapanese = createIso2022JpEncoder();

  return new Map<string, Registry>([
    ['whois.verisign-grs.com', (query, socket) => socket.end(thinAnswer(query, thin))],
    ['whois.publicinterestregistry.org', (query, socket) => socket.end(thick(query))],
    ['whois.jprs.jp', (query, socket) => socket.end(encodeJapanese(japanese(query.replace(/\/e$/, ''))))],
    ['whois.denic.de', (query, socket) => socket.end(germanAnswer(query, german))],
    ['whois.registrar.example', (query, socket) => socket.end(registrar(query))],
    ['whois.nic.closed', (_, socket) => socket.end('Requests of this client are not permitted.\r\n')],
    ['whois.nic.busy', (_, socket) => socket.end(QUOTA_EXCEEDED)],
    ['whois.nic.slow', (query, socket) => dripText(thickForm.record(slowDomain(query)), socket)],
    ['whois.nic.broken', (_, socket) => socket.end('Doma')],
  ]);
}

type Say = (name: string) => string;

const QUOTA_EXCEEDED =
  'Error for "query".\r\n\r\nThe WHOIS query quota for 127.0.0.1 has been exceeded\r\n' +
  'and will be replenished in 30 seconds\r\n';

/** Without the keyword `domain` this registry lists everything that starts with the name. */
function thinAnswer(query: string, say: Say): string {
  const [, name] = /^(?:domain |=)(\S+)$/i.exec(query) ?? [];
  if (name !== undefined) return say(name);
  return 'Whois Server Version 2.0\r\nTo single out one record, look it up with "xxx", where xxx is one of the records\r\n';
}

/** Without `-T dn` this registry states only the status. */
function germanAnswer(query: string, say: Say): string {
  const [, options, name = ''] = /^(-T dn(?:,ace)? )?(\S+)$/.exec(query) ?? [];
  const answer = say(name);
  if (options !== undefined) return answer;
  return `${answer
    .split('\r\n')
    .filter((line) => /^(?:Domain|Status):/.test(line))
    .join('\r\n')}\r\n`;
}

function slowDomain(name: string): SampleDomain {
  return {
    name,
    registrar: 'Katatsumuri Names (sample)',
    created: '2010-01-01T00:00:00Z',
    expires: '2030-01-01T00:00:00Z',
    updated: '2020-01-01T00:00:00Z',
    nameServers: [],
    status: ['ok'],
  };
}

/** Sends a byte from time to time and never ends: a test of the total deadline. */
function dripText(text: string, socket: Socket): void {
  let at = 0;
  const timer = setInterval(() => {
    socket.write(text[at % text.length] ?? '');
    at++;
  }, DRIP_EVERY_MS);
  socket.once('close', () => clearInterval(timer));
}
