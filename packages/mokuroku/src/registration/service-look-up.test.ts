import { expect, it } from 'vitest';
import { ServiceError } from '@mokuroku/kit';
import { REGISTRY_ERRORS } from './errors.ts';
import type { DomainLookUp } from '../../../whois/src/look-up/domain-look-up.ts';
import { LOOK_UP_ERRORS, LookUpError } from '../../../whois/src/look-up/look-up-error.ts';
import type { LookUpErrorCode } from '../../../whois/src/look-up/look-up-error.ts';
import { withServiceErrors } from './service-look-up.ts';

const STATUSES: Record<LookUpErrorCode, number> = {
  invalid_domain: 400,
  unknown_tld: 404,
  not_registered: 404,
  no_registry_service: 501,
  registry_rate_limited: 503,
  registry_unavailable: 502,
  registry_timeout: 504,
};

it.each(Object.entries(STATUSES) as [LookUpErrorCode, number][])(
  'the error %s of a look-up is one of the service with status %i and the same text',
  async (code, status) => {
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
    expect(error).toMatchObject({ code, status, ...options, message: REGISTRY_ERRORS[code].message });
    expect(LOOK_UP_ERRORS[code]).toBe(REGISTRY_ERRORS[code].message);
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
