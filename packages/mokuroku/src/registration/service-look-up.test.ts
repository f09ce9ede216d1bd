import { expect, it } from 'vitest';
import { ServiceError } from '@mokuroku/kit';
import { REGISTRY_ERRORS } from './errors.ts';
import type { DomainLookUp } from '../../../whois/src/look-up/domain-look-up.ts';
import { LookUpError } from '../../../whois/src/look-up/look-up-error.ts';
import { LOOK_UP_ERRORS } from '../../../whois/src/record/look-up-errors.ts';
import type { LookUpErrorCode } from '../../../whois/src/record/look-up-errors.ts';
import { withServiceErrors } from './service-look-up.ts';

it.each(Object.keys(LOOK_UP_ERRORS) as LookUpErrorCode[])(
  'the error %s of a look-up is one of the service with the same text',
  async (code) => {
    const { status, message } = REGISTRY_ERRORS[code];
    const cause = new Error('for the log');
    const options = { details: { hops: [] }, retryAfterSeconds: 7, cause };
    const thrown = new LookUpError(code, options);
    const failing = {
      readName: () => {
        throw thrown;
      },
      lookUp: () => Promise.reject(thrown),
    };
    const service = withServiceErrors(failing as unknown as DomainLookUp);
    const name = { spelling: 'a.test', name: 'a.test', tld: 'test', zone: 'test' };
    const error: unknown = await service.lookUp(name, 'registry').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ code, status, ...options, message });
    expect(() => service.readName('-a')).toThrow(ServiceError);
  },
);

it('any other failure of a look-up stays what it is', async () => {
  const failure = new TypeError('ours');
  const failing = { lookUp: () => Promise.reject(failure) };
  const { lookUp } = withServiceErrors(failing as unknown as DomainLookUp);
  const name = { spelling: 'a.test', name: 'a.test', tld: 'test', zone: 'test' };
  await expect(lookUp(name, 'registry')).rejects.toBe(failure);
});
