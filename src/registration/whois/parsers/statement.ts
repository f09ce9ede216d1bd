import { evidenceOf } from '../../record/evidence.ts';
import type { Evidence } from '../../record/evidence.ts';
import type { AnswerLine } from './answer-line.ts';
import type { GuessedState } from './patterns.ts';
import type { SentenceState } from './sentence-table.ts';

/** A line with its state, usable as evidence. */
export class Statement implements Evidence {
  readonly kind: 'sentence' | 'status';
  readonly answerLine: AnswerLine;
  readonly state: SentenceState | GuessedState;

  constructor(kind: 'sentence' | 'status', answerLine: AnswerLine, state: SentenceState | GuessedState) {
    this.kind = kind;
    this.answerLine = answerLine;
    this.state = state;
  }

  get line(): string {
    return evidenceOf(this.kind, this.answerLine.text).line;
  }
}
