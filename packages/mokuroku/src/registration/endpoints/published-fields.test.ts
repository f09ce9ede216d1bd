import { expect, it } from 'vitest';
import { RECORD_FIELDS } from '../../../../whois/src/record/registration-record.ts';
import { LookUpAnswer } from './look-up-schema.ts';

it('the published schema has the fields of a record, in their order', () => {
  expect(Object.keys(LookUpAnswer.shape.parsed.shape)).toEqual(RECORD_FIELDS);
});
