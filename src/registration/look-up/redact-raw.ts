import { ServiceError } from '../../errors.ts';
import { redactEntities } from '../rdap/redact-entities.ts';
import type { Evidence } from '../record/evidence.ts';
import { OMISSION, maskAddresses, redactContacts } from '../whois/parsers/redact-contacts.ts';
import type { LookUpResult } from './result.ts';
import type { WalkToRegistry } from './walk.ts';

interface WithRaw {
  raw?: string;
  protocol?: string;
  whoisServer?: string | null;
}

interface ErrorDetails extends WithRaw {
  evidence?: Evidence | null;
  contradictions?: readonly Evidence[];
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

/** Whether a redacted text contains the line, which may be cut. */
function hasLine(text: string, line: string): boolean {
  const start = line.endsWith('…') ? line.slice(0, -1) : undefined;
  return text
    .split('\n')
    .map((each) => each.trim())
    .some((each) => each === line || (start !== undefined && each.startsWith(start)));
}

/** Evidence is a line of the text. It remains if the redacted text has it, or if it is public by itself. */
function redactEvidence(evidence: Evidence, redacted: WithRaw, domain: string): Evidence {
  const { raw = '', protocol, whoisServer: server = null } = redacted;
  const line = maskAddresses(evidence.line);
  const isPublic = hasLine(raw, line) || redactContacts(line, { server, domain }) === line;
  return { ...evidence, line: protocol === 'rdap' || isPublic ? line : OMISSION };
}

function redactDetails(details: unknown, domain: string): unknown {
  if (Array.isArray(details)) return details.map((each) => redactDetails(each, domain));
  if (typeof details !== 'object' || details === null) return details;
  const redacted = redactRaw(details as ErrorDetails, domain);
  const { evidence, contradictions } = redacted;
  const lines = contradictions?.map((each) => redactEvidence(each, redacted, domain));
  return {
    ...redacted,
    ...(evidence && { evidence: redactEvidence(evidence, redacted, domain) }),
    ...(lines && { contradictions: lines.filter(({ line }) => line !== OMISSION) }),
  };
}

function redactResult(result: LookUpResult, domain: string): LookUpResult {
  const redacted = redactRaw(result, domain);
  const registry = redacted.registry && redactRaw(redacted.registry, domain);
  const evidence = redacted.evidence && redactEvidence(redacted.evidence, registry ?? redacted, domain);
  return { ...redacted, evidence, ...(registry && { registry }) };
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
