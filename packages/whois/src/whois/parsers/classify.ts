import { decided, unreadable } from '../../record/registration-record.ts';
import type {
  RegistrationReading,
  RegistrationState,
  StateReading,
} from '../../record/registration-record.ts';
import type { RegistryAnswer, Statement } from './answer.ts';

/**
 * Determines the state of the name, and the wait that a throttling answer states: the first matching step decides.
 * Without a match the answer is unreadable. A wrong state may cost a user a domain; an unreadable answer costs one more
 * query.
 */
export function classify(answer: RegistryAnswer): StateReading & Partial<ThrottledReading> {
  if (answer.isUnassigned()) return decided('not_registered', answer.recordEvidence());
  if (answer.isFullRecord()) return decided('registered', answer.recordEvidence());
  if (answer.isOtherProtocol() && answer.factCount() < 2) return unreadable(answer.unknownLines());

  const isOfAnother = answer.isOfAnotherName();
  const facts = isOfAnother ? 0 : answer.factCount();
  const throttled = facts > 0 ? null : answer.findStatement('throttled');
  if (throttled !== null) return throttling(answer, throttled, true);

  const denials = answer.denials();
  if (denials.length > 0 && answer.isBesideFacts()) return unreadable([...denials, answer.recordEvidence()]);

  const reserved = answer.findStatement('reserved');
  const reservedStatus = reserved?.kind === 'status' ? reserved : null;
  const stated = facts < 2 ? answer.findStatement('refused', 'invalid', 'reserved') : reservedStatus;
  if (stated?.state === 'reserved') {
    // The reason may be that the server refuses: `>>> This name is not available for registration:` above `>>> TLD is not
    // supported.`
    const reason = answer.guessStatement();
    return reason?.state === 'refused' ? decided('refused', reason) : decided('reserved', stated);
  }
  if (stated !== null) {
    return denials.length > 0
      ? unreadable([...denials, stated])
      : decided(stated.state as RegistrationState, stated);
  }
  if (answer.mentionsNameBesideAnother()) return unreadable([...denials, answer.recordEvidence()]);
  const isRegistered = answer.isRegistered();
  if (isRegistered && !isOfAnother) return decided('registered', answer.recordEvidence());

  const guessed = answer.guessStatement();
  if (guessed?.state === 'throttled') return throttling(answer, guessed, false);
  const [denial] = denials;
  const against =
    denial === undefined ? [] : [...answer.contradictionsTo(denials), ...(guessed ? [guessed] : [])];
  const isCredible = against.length === 0 && answer.isScannedWhole();
  if (denial !== undefined && isCredible) return decided('not_registered', denial);
  if (denial !== undefined) return unreadable([denial, ...against]);
  if (guessed !== null) return decided(guessed.state as RegistrationState, guessed);
  // The record may be of another name: the look-up compares the names.
  return isRegistered ? decided('registered', answer.recordEvidence()) : unreadable(answer.unknownLines());
}

type ThrottledReading = Pick<RegistrationReading, 'retryAfterSeconds' | 'isKnownThrottling'>;

/** A known sentence states it, or a pattern guesses it. */
function throttling(answer: RegistryAnswer, sentence: Statement, isKnownThrottling: boolean) {
  const retryAfterSeconds = readStatedWait(answer.linesFrom(sentence));
  return { ...decided('throttled', sentence), retryAfterSeconds, isKnownThrottling };
}

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

/** The wait in seconds that the lines of a throttling answer state, without the queried name; null if none. */
export function readStatedWait(lines: readonly string[]): number | null {
  const match = /(?<![\w.-])(\d{1,6})(\.\d{1,6})?[\s-]*(s|m|h)(?:ec|in|our)/i.exec(lines.join(' '));
  if (match === null) return null;
  const unit = UNITS[match[3]?.toLowerCase() ?? 's'] ?? 1;
  return Math.ceil((Number(match[1]) + Number(match[2] ?? 0)) * unit);
}
