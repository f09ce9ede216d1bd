import { isRecord } from '@mokuroku/kit';
import type { Evidence, ParsedRegistration } from '../record/registration-record.ts';
import { labelOf } from '../whois/parsers/lines.ts';
import { GENERAL_LABELS } from '../whois/parsers/vocabulary.ts';
import { LookUpError } from './look-up-error.ts';
import type { LookUpResult } from './result.ts';
import type { LookUpFromRoot } from './look-up.ts';

/** Stands for the line of a record that may state a person. */
const LEFT_OUT = '(left out: RAW_CONTACTS=redact)';

/** Whether a line of a record states a published value, under a label or alone, and nothing else. */
function isPublished(line: string, parsed: ParsedRegistration): boolean {
  const { label, value } = labelOf(line);
  const isField = label !== null && GENERAL_LABELS.get(label)?.field != null;
  const stated = (isField ? value : line).trim().toLowerCase();
  const texts = [parsed.domainName, parsed.registrar, ...parsed.nameServers, ...parsed.status];
  return texts.some((text) => text?.toLowerCase() === stated);
}

/** Sentences and statuses are in a table, without persons; the line of a record is free text. */
function publicEvidence(evidence: Evidence | null, parsed: ParsedRegistration): Evidence | null {
  if (evidence?.kind !== 'record' || isPublished(evidence.line, parsed)) return evidence;
  return { ...evidence, line: LEFT_OUT };
}

function withoutText(details: unknown): unknown {
  if (Array.isArray(details)) return details.map(withoutText);
  if (!isRecord(details)) return details;
  // Contradicting lines are unread, and may state anything.
  const lines = 'contradictions' in details ? { contradictions: [] } : {};
  return { ...details, ...('raw' in details && { raw: '' }), ...lines };
}

/** Empties the texts of registries in results and errors (RAW_CONTACTS=redact). */
export function withoutTexts(lookUp: LookUpFromRoot): LookUpFromRoot {
  return async (name, follow, call) => {
    try {
      const result: LookUpResult = await lookUp(name, follow, call);
      const { evidence, parsed, registry } = result;
      return {
        ...result,
        raw: '',
        evidence: publicEvidence(evidence, parsed),
        ...(registry && { registry: { ...registry, raw: '' } }),
      };
    } catch (error) {
      if (!(error instanceof LookUpError)) throw error;
      const { code, message, details, retryAfterSeconds, cause } = error;
      throw new LookUpError(code, { message, cause, details: withoutText(details), retryAfterSeconds });
    }
  };
}
