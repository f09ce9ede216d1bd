import { expect, it } from 'vitest';
import { z } from 'zod';
import type { DomainLookUp } from '../../../../whois/src/look-up/domain-look-up.ts';
import { readDomainName } from '../../../../whois/src/look-up/domain-name.ts';
import { hashSchema, lookUpQuestion } from './look-up-domain.ts';
import { LookUpAnswer } from './look-up-schema.ts';

it('a release with another form of the response does not read the cached responses of this one', () => {
  const form = hashSchema(LookUpAnswer);
  const name = readDomainName('example.com', () => false);
  expect(lookUpQuestion({} as DomainLookUp, { name, client: '' }).key.split(' ')).toContain(form);
  expect(hashSchema(LookUpAnswer.extend({ added: z.string() }))).not.toBe(form);
  expect(hashSchema(LookUpAnswer.extend({ state: z.string() }))).not.toBe(form);
});
