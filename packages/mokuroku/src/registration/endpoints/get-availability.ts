import { z } from 'zod';
import { ServiceError, text } from '@mokuroku/kit';
import { textSchema, defineEndpoint } from '@mokuroku/kit/http';
import type { Endpoint } from '@mokuroku/kit/http';
import {
  AVAILABILITY_OF_ERROR,
  AVAILABILITY_STATES,
  availabilityOf,
  availabilityOfError,
} from 'mokuroku-whois/service';
import { NOT_CACHED, REGISTRATION, findRegistration, lookUpQuestion } from './look-up-domain.ts';
import type { RegistrationServices } from './look-up-domain.ts';
import { REGISTRATION_ERRORS, REGISTRATION_ERROR_DETAILS } from './look-up-error-schema.ts';
import { Ending, Evidence, Ignored } from './look-up-schema.ts';
import { DOMAIN } from './parameters.ts';

const Availability = z
  .object({
    domain: textSchema('The requested name as given.', 'リクエストされた名前。', 'www.example.com'),
    available: z.boolean().nullable().meta({
      en: 'Whether the name is available; null if the registry publishes no service.',
      ja: '名前を取得できるかどうか。レジストリが照会サービスを公開していなければ null。',
      example: false,
    }),
    state: z.enum(AVAILABILITY_STATES).meta({
      en: '`reserved`: withheld by the registry. `invalid`: not accepted by this registry.',
      ja: '`reserved` はレジストリが予約した名前、`invalid` はこのレジストリが受け付けない名前です。',
      example: 'registered',
    }),
    reason: textSchema('For people.', '説明文。', 'whois.verisign-grs.com has a record of example.com.'),
    ending: Ending.optional(),
    evidence: Evidence,
    ignored: Ignored,
  })
  .meta({ title: 'Availability' });

/** GET /:domain/availability */
export function getAvailability(services: RegistrationServices): Endpoint {
  return defineEndpoint({
    name: 'getAvailability',
    path: '/:domain/availability',
    group: 'Registration',
    summary: text('Whether a name is available', '名前を取得できるか'),
    description: text(
      'The same look-up as yes, no or unknown. 200 whenever the question was answered; a registry that throttles, refuses or is unavailable is an error.',
      '同じ検索の結果を「取得可能」「取得不可」「不明」で返します。判定できれば 200 です。レジストリのレート制限、拒否、停止はエラーになります。',
    ),
    cache: REGISTRATION,
    // prettier-ignore
    examples: [
      { name: 'isFree', path: { domain: 'free-name.org' },
        title: text('Check whether a name is available', '空いているかどうかを調べる') },
    ],
    pathTable: { domain: DOMAIN },
    answer: Availability,
    errors: REGISTRATION_ERRORS.filter(
      (code) => code === 'invalid_domain' || AVAILABILITY_OF_ERROR[code] === undefined,
    ),
    details: REGISTRATION_ERROR_DETAILS,
    handle: ({ path }, { client }) => {
      const name = services.domainLookUp.readName(path.domain);
      const lookUp = lookUpQuestion(services.domainLookUp, { name, client });
      return {
        ...lookUp,
        key: `${name.name} availability`,
        memoryBytes: 0,
        // Composed each time: only the cached look-up knows its lifetime.
        load: async ({ cache }) => {
          const { data, asOf } = await findRegistration(services, { name, client }).then(
            ({ data: found, result }) => ({
              data: availabilityOf(name.name, found),
              asOf: result.entry.fetchedAt,
            }),
            (error: unknown) => {
              const known = error instanceof ServiceError ? availabilityOfError(error) : undefined;
              if (known === undefined) throw error;
              // The rejected look-up is cached if it is an absence.
              const absence = cache.find(lookUp);
              return { data: known, asOf: absence?.fetchedAt };
            },
          );
          return { data, asOf, meta: {}, policy: NOT_CACHED };
        },
      };
    },
  });
}
