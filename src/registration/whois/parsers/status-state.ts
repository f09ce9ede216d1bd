import type { RegistrationState } from '../../look-up/registration-record.ts';
import { LabelKey } from './label-key.ts';
import { STATE_OF_STATUS } from './state-phrases.ts';
import type { TextRecord } from './text-record.ts';

/** State that the record's own status values state; null where they state an ordinary registration or none. */
export function stateOfStatuses(record: TextRecord): RegistrationState | null {
  const key = new LabelKey();
  for (const status of record.status) {
    // .nz numbers its states: `220 Available`.
    key.read(status, isNumbered(status) ? 4 : 0, status.length);
    const state = STATE_OF_STATUS.full(key) ?? STATE_OF_STATUS.stem(key);
    if (state === 'withheld' && !record.isHeld()) return 'reserved';
    if (state !== undefined && state !== 'withheld') return state;
  }
  return null;
}

function isNumbered(status: string): boolean {
  const code = status.charCodeAt(0);
  return code >= 49 && code <= 57 && status.charCodeAt(3) === 32;
}
