import { ServiceError } from '../../errors.ts';
import { publicMembers } from '../rdap/public-members.ts';
import type { Evidence } from '../record/registration-record.ts';
import { parseWhoisText } from '../whois/parsers/parse-whois-text.ts';
import { publicLines } from '../whois/parsers/public-lines.ts';
import type { LookUpResult } from './result.ts';
import type { WalkToRegistry } from './walk.ts';

/** Stands for a line of evidence that stated no published field. */
const LEFT_OUT = '(left out: RAW_CONTACTS=redact)';

interface WithRaw {
  raw?: string;
  protocol?: string;
  whoisServer?: string | null;
  evidence?: Evidence | null;
}

interface ErrorDetails extends WithRaw {
  contradictions?: readonly Evidence[];
}

function publicText(
  text: string,
  { protocol, whoisServer: server = null, evidence }: WithRaw,
  domain: string,
): string {
  // The line of a record is one of its fields, and judged as such.
  const decided = evidence == null || evidence.kind === 'record' ? undefined : evidence.line;
  const asLines = () => publicLines(text, { server, domain }, decided);
  if (protocol !== 'rdap') return asLines();
  try {
    return publicMembers(text, decided);
  } catch {
    // No JSON.
    return asLines();
  }
}

function withPublicRaw<Value extends WithRaw>(value: Value, domain: string): Value {
  return value.raw === undefined ? value : { ...value, raw: publicText(value.raw, value, domain) };
}

/** Evidence as far as the reduced text has it. */
function publicEvidence(evidence: Evidence, raw: string): Evidence {
  const isShown = evidence.kind !== 'record' || raw.split('\n').some((line) => line.trim() === evidence.line);
  return isShown ? evidence : { ...evidence, line: LEFT_OUT };
}

/** Whether a line alone is a known denial, which no person wrote. */
function isDenial({ line }: Evidence, domain: string): boolean {
  return parseWhoisText(line, { domain, server: null }).state === 'not_registered';
}

function publicDetails(details: unknown, domain: string): unknown {
  if (Array.isArray(details)) return details.map((each) => publicDetails(each, domain));
  if (typeof details !== 'object' || details === null) return details;
  const reduced = withPublicRaw(details as ErrorDetails, domain);
  const { raw = '', evidence, contradictions } = reduced;
  const lines = raw.split('\n').map((line) => line.trim());
  return {
    ...reduced,
    ...(evidence && { evidence: publicEvidence(evidence, raw) }),
    ...(contradictions && {
      contradictions: contradictions.filter((each) => lines.includes(each.line) || isDenial(each, domain)),
    }),
  };
}

function publicResult(result: LookUpResult, domain: string): LookUpResult {
  const reduced = withPublicRaw(result, domain);
  const registry =
    reduced.registry && withPublicRaw({ ...reduced.registry, evidence: result.evidence }, domain);
  const evidence = reduced.evidence && publicEvidence(reduced.evidence, (registry ?? reduced).raw);
  const { whoisServer, raw, protocol } = registry ?? reduced;
  return { ...reduced, evidence, ...(registry && { registry: { whoisServer, raw, protocol } }) };
}

/**
 * Reduces the texts in results and errors to what is published (RAW_CONTACTS=redact); `parsed` still comes from the whole
 * texts.
 */
export function withPublicTexts(lookUp: WalkToRegistry): WalkToRegistry {
  return async (name, follow, call) => {
    try {
      return publicResult(await lookUp(name, follow, call), name.name);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const { code, message, details, retryAfterSeconds, cause } = error;
      throw new ServiceError(code, {
        message,
        cause,
        details: publicDetails(details, name.name),
        ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
      });
    }
  };
}
