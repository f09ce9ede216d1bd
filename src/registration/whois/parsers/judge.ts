import type { Evidence } from '../../record/evidence.ts';
import type { RegistrationState } from '../../record/registration-record.ts';
import type { RegistryAnswer } from './answer.ts';
import type { Statement } from './statement.ts';
import { waitIn } from './stated-wait.ts';

/** What an answer says of the name, and what decided it. */
export interface Judgement {
  state: RegistrationState;
  evidence: Evidence | null;
  /** Of an unreadable answer: the lines that speak against each other, or that nobody knows. */
  contradictions: readonly Evidence[];
  /** Seconds that a throttling answer asks to wait. */
  waitSeconds: number | null;
  /** A sentence of the table says that we ask too often. */
  isKnownThrottling: boolean;
}

/**
 * What an answer says of the name: the first step that applies decides. What none of them settles is unreadable: a wrong
 * state costs a user a domain, an unreadable answer one more question elsewhere.
 */
export function judge(answer: RegistryAnswer): Judgement {
  if (answer.isUnassigned()) return says('not_registered', answer.recordEvidence());
  if (answer.record.isMixed) return unreadable([]);
  if (answer.isFullRecord()) return says('registered', answer.recordEvidence());
  if (answer.isForeign() && answer.factCount() < 2) return unreadable(answer.unknownLines());

  const isOfAnother = answer.isRecordOfAnother();
  const facts = isOfAnother ? 0 : answer.factCount();
  const throttled = facts > 0 ? null : answer.find('throttled');
  if (throttled !== null) return { ...throttling(answer, throttled), isKnownThrottling: true };

  const denials = answer.denials();
  if (denials.length > 0 && answer.hasFacts()) return unreadable([...denials, answer.recordEvidence()]);

  const stated = facts < 2 ? answer.find('refused', 'invalid', 'reserved') : answer.findStatus('reserved');
  if (stated?.state === 'reserved') return says('reserved', stated);
  if (stated !== null) {
    return denials.length > 0
      ? unreadable([...denials, stated])
      : says(stated.state as RegistrationState, stated);
  }
  if (answer.isBesideAnother()) return unreadable([...denials, answer.recordEvidence()]);
  const isRegistered = answer.isRegistered();
  if (isRegistered && !isOfAnother) return says('registered', answer.recordEvidence());

  const guessed = answer.guess();
  if (guessed?.state === 'throttled') return throttling(answer, guessed);
  const [denial] = denials;
  const against = denial === undefined ? [] : answer.against(denials);
  if (denial !== undefined && against.length === 0) return says('not_registered', denial);
  if (denial !== undefined) return unreadable([denial, ...against]);
  if (guessed !== null) return says(guessed.state as RegistrationState, guessed);
  // Of another name: the look-up, which knows both, tells them apart.
  return isRegistered ? says('registered', answer.recordEvidence()) : unreadable(answer.unknownLines());
}

function says(state: RegistrationState, { kind, line }: Evidence): Judgement {
  return { state, evidence: { kind, line }, contradictions: [], waitSeconds: null, isKnownThrottling: false };
}

function throttling(answer: RegistryAnswer, sentence: Statement): Judgement {
  return { ...says('throttled', sentence), waitSeconds: waitIn(answer.linesFrom(sentence)) };
}

function unreadable(contradictions: readonly Evidence[]): Judgement {
  const plain = contradictions.map(({ kind, line }) => ({ kind, line }));
  return {
    state: 'broken',
    evidence: null,
    contradictions: plain,
    waitSeconds: null,
    isKnownThrottling: false,
  };
}
