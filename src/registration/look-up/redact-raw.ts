import { ServiceError } from '../../errors.ts';
import { redactEntities } from '../rdap/redact-entities.ts';
import { redactContacts } from '../whois/parsers/redact-contacts.ts';
import type { LookUpResult } from './result.ts';
import type { WalkToRegistry } from './walk.ts';

interface WithRaw {
  raw?: string;
  protocol?: string;
  whoisServer?: string | null;
}

/** Removes contacts from a registry's text. Invalid RDAP is treated as lines of text. */
function redactText(text: string, { protocol, whoisServer: server = null }: WithRaw, domain: string): string {
  if (protocol !== 'rdap') return redactContacts(text, { server, domain });
  try {
    return redactEntities(text);
  } catch {
    return redactContacts(text, { server, domain });
  }
}

function redactRaw<Value extends WithRaw>(value: Value, domain: string): Value {
  const { raw } = value;
  return raw === undefined ? value : { ...value, raw: redactText(raw, value, domain) };
}

function redactDetails(details: unknown, domain: string): unknown {
  if (Array.isArray(details)) return details.map((each) => redactDetails(each, domain));
  if (typeof details !== 'object' || details === null) return details;
  const { contradictions, ...rest } = details as WithRaw & { contradictions?: { line: string }[] };
  const { whoisServer: server = null } = rest;
  const lines = contradictions?.filter(({ line }) => redactContacts(line, { server, domain }) === line);
  return { ...redactRaw(rest, domain), ...(lines && { contradictions: lines }) };
}

function redactResult(result: LookUpResult, domain: string): LookUpResult {
  const { registry } = result;
  return { ...redactRaw(result, domain), ...(registry && { registry: redactRaw(registry, domain) }) };
}

/** Removes contacts from the texts in results and errors; `parsed` still comes from the whole texts. */
export function withoutContacts(lookUp: WalkToRegistry): WalkToRegistry {
  return async (name, follow, call) => {
    try {
      return redactResult(await lookUp(name, follow, call), name.name);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const { code, message, details, retryAfterSeconds, cause } = error;
      throw new ServiceError(code, {
        message,
        cause,
        details: redactDetails(details, name.name),
        ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
      });
    }
  };
}
