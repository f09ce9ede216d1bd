import type { Evidence, RegistrationState } from '../../record/registration-record.ts';
import type { RegistryAnswer, Statement } from './answer.ts';

/** The state of the name according to an answer, with its evidence. */
interface Classification {
  state: RegistrationState;
  evidence: Evidence | null;
  /** Of an unreadable answer: the contradictory or unknown lines. */
  contradictions: readonly Evidence[];
  /** The wait that a throttling answer states. */
  waitSeconds: number | null;
  /** A known sentence states the throttling, not a guess by pattern. */
  isKnownThrottling: boolean;
}

/**
 * Determines the state of the name: the first matching step decides. Without a match the answer is unreadable. A wrong
 * state may cost a user a domain; an unreadable answer costs one more query.
 */
export function classify(answer: RegistryAnswer): Classification {
  if (answer.isUnassigned()) return classified('not_registered', answer.recordEvidence());
  if (answer.isFullRecord()) return classified('registered', answer.recordEvidence());
  if (answer.isOtherProtocol() && answer.factCount() < 2) return unreadableText(answer.unknownLines());

  const isOfAnother = answer.isOfAnotherName();
  const facts = isOfAnother ? 0 : answer.factCount();
  const throttled = facts > 0 ? null : answer.findStatement('throttled');
  if (throttled !== null) return { ...throttling(answer, throttled), isKnownThrottling: true };

  const denials = answer.denials();
  if (denials.length > 0 && (answer.hasFacts() || answer.record.isDoubtful))
    return unreadableText([...denials, answer.recordEvidence()]);

  const stated =
    facts < 2 ? answer.findStatement('refused', 'invalid', 'reserved') : answer.findStatus('reserved');
  if (stated?.state === 'reserved') {
    // The reason may be that the server refuses: `>>> This name is not available for registration:` above `>>> TLD is not
    // supported.`
    const reason = answer.guessStatement();
    return reason?.state === 'refused' ? classified('refused', reason) : classified('reserved', stated);
  }
  if (stated !== null) {
    return denials.length > 0
      ? unreadableText([...denials, stated])
      : classified(stated.state as RegistrationState, stated);
  }
  if (answer.mentionsNameBesideAnother()) return unreadableText([...denials, answer.recordEvidence()]);
  const isRegistered = answer.isRegistered();
  if (isRegistered && !isOfAnother) return classified('registered', answer.recordEvidence());

  const guessed = answer.guessStatement();
  if (guessed?.state === 'throttled') return throttling(answer, guessed);
  const [denial] = denials;
  const against = denial === undefined ? [] : answer.contradictionsTo(denials);
  const isCredible = against.length === 0 && answer.isScannedWhole();
  if (denial !== undefined && isCredible) return classified('not_registered', denial);
  if (denial !== undefined) return unreadableText([denial, ...against]);
  if (guessed !== null) return classified(guessed.state as RegistrationState, guessed);
  // The record may be of another name: the look-up compares the names.
  return isRegistered
    ? classified('registered', answer.recordEvidence())
    : unreadableText(answer.unknownLines());
}

const NOTHING_DECIDED = { evidence: null, contradictions: [], waitSeconds: null, isKnownThrottling: false };

function classified(state: RegistrationState, { kind, line }: Evidence): Classification {
  return { ...NOTHING_DECIDED, state, evidence: { kind, line } };
}

function throttling(answer: RegistryAnswer, sentence: Statement): Classification {
  return { ...classified('throttled', sentence), waitSeconds: readStatedWait(answer.linesFrom(sentence)) };
}

function unreadableText(contradictions: readonly Evidence[]): Classification {
  return {
    ...NOTHING_DECIDED,
    state: 'broken',
    contradictions: contradictions.map(({ kind, line }) => ({ kind, line })),
  };
}

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

/** The wait in seconds that the lines of a throttling answer state, without the queried name; null if none. */
export function readStatedWait(lines: readonly string[]): number | null {
  const match = /(?<![\w.-])(\d{1,6})(\.\d{1,6})?[\s-]*(s|m|h)(?:ec|in|our)/i.exec(lines.join(' '));
  if (match === null) return null;
  const unit = UNITS[match[3]?.toLowerCase() ?? 's'] ?? 1;
  return Math.ceil((Number(match[1]) + Number(match[2] ?? 0)) * unit);
}
