import type { RegistrationState } from '../../look-up/registration-record.ts';
import { STATE_OF_STATUS } from './state-phrases.ts';
import type { TextRecord } from './text-record.ts';

/** State that the record's own status values state; null where they state an ordinary registration or none. */
export function stateOfStatuses(record: TextRecord): RegistrationState | null {
  for (const status of record.status) {
    // .nz numbers its states: `220 Available`.
    const state = STATE_OF_STATUS.exactly(status.replace(/^[1-9]\d\d /, ''));
    if (state === 'broken' && record.isServed()) continue;
    if (state === 'withheld' && !record.isHeld()) return 'reserved';
    if (state !== undefined && state !== 'withheld') return state;
  }
  return null;
}
