import { expect, it } from 'vitest';
import { REGISTRATION_ERRORS } from '../registration/endpoints/look-up-schema.ts';
import type { HopOutcome } from '../registration/look-up/hops.ts';
import type { EvidenceKind } from '../registration/record/registration-record.ts';
import { EVIDENCE_JA, LOOK_UP_ERRORS_JA, OUTCOMES_JA } from './look-up-ja.ts';

/** The compiler demands each. */
const OUTCOMES: Record<HopOutcome, true> = {
  registered: true,
  not_registered: true,
  reserved: true,
  throttled: true,
  refused: true,
  invalid: true,
  broken: true,
  referral: true,
  no_referral: true,
  unknown_tld: true,
  timeout: true,
  paused: true,
  busy: true,
  unreachable: true,
  forbidden_address: true,
  too_large: true,
  cut_off: true,
  bad_answer: true,
};
const KINDS: Record<EvidenceKind, true> = {
  sentence: true,
  status: true,
  record: true,
  rdap: true,
  witness: true,
};
const JAPANESE = /[ぁ-んァ-ヶ一-龠]/;

it.each([
  ['outcome of a query', Object.keys(OUTCOMES), OUTCOMES_JA],
  ['kind of evidence', Object.keys(KINDS), EVIDENCE_JA],
  [
    'error of a look-up',
    [...REGISTRATION_ERRORS, 'rate_limited', 'overloaded', 'unreachable', 'not_json'],
    LOOK_UP_ERRORS_JA,
  ],
])('each %s has a Japanese text', (_what, codes, texts) => {
  expect(codes.filter((code) => !JAPANESE.test(texts[code] ?? ''))).toEqual([]);
});
