import { isRecord } from '@mokuroku/kit';
import { lazy } from '../record/lazy.ts';
import { NOTHING_STATED } from '../record/registration-record.ts';
import type { Evidence, ParsedRegistration } from '../record/registration-record.ts';
import { labelOf } from '../whois/parsers/lines.ts';
import { SentenceReader, knownSentences } from '../whois/parsers/sentence-table.ts';
import { GENERAL_LABELS } from '../whois/parsers/vocabulary.ts';
import type { DomainName } from './domain-name.ts';
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

/** The words of known sentences, and of the evidence of RDAP. Others may name a person. */
const publicWords = lazy(
  () =>
    new Set(['http', 'ldhname', ...knownSentences().flatMap(({ sentence }) => sentence.split(/[ ()|]+/))]),
);

/** Of an address of mail or the web, or of a phone number, in a sentence that no table knows. */
const CONTACT_SIGN = /@|:\/\/|www\.|(?:\d\D{0,3}){6}/;

/** Evidence without a line that may name a person. */
function publicEvidence(
  evidence: Evidence,
  { name }: DomainName,
  parsed: ParsedRegistration = NOTHING_STATED,
): Evidence {
  const { kind, line } = evidence;
  const reader = new SentenceReader(name, { server: null, zone: null });
  const masked = reader.mask(line);
  const isKnown = reader.stateOf(masked) !== undefined;
  const isGuessed =
    !CONTACT_SIGN.test(reader.withoutName(line)) &&
    masked.split(' ').every((word) => publicWords().has(word));
  const isSentence = kind !== 'record' && (isKnown || isGuessed);
  return isSentence || isPublished(line, parsed) ? evidence : { ...evidence, line: LEFT_OUT };
}

function withoutText(details: unknown, name: DomainName): unknown {
  if (Array.isArray(details)) return details.map((each) => withoutText(each, name));
  if (!isRecord(details)) return details;
  const { evidence } = details as { evidence?: Evidence };
  return {
    ...details,
    ...('raw' in details && { raw: '' }),
    // Contradicting lines are unread, and may state anything.
    ...('contradictions' in details && { contradictions: [] }),
    ...(evidence && { evidence: publicEvidence(evidence, name) }),
  };
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
        evidence: evidence && publicEvidence(evidence, name, parsed),
        ...(registry && { registry: { ...registry, raw: '' } }),
      };
    } catch (error) {
      if (!(error instanceof LookUpError)) throw error;
      const { code, message, details, retryAfterSeconds, cause } = error;
      throw new LookUpError(code, { message, cause, details: withoutText(details, name), retryAfterSeconds });
    }
  };
}
