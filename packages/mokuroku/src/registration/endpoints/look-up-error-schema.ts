import { z } from 'zod';
import { textSchema } from '@mokuroku/kit/http';
import { REGISTRY_ERRORS } from '../errors.ts';
import type { RegistryErrorCode } from '../errors.ts';
import { ANSWER, Evidence, EvidenceLine, Hops, textOrNull } from './look-up-schema.ts';

/** Details of an unusable answer. */
const shown = z.object(ANSWER).partial().shape;

export const registryWebsite = textOrNull(
  "The registry's web page, if known.",
  'レジストリの Web ページ（分かっていれば）。',
  'https://nic.example/',
);

export const NotRegisteredDetails = z.object({
  domainName: textSchema(
    'The name that a registrar would register: without its subdomains.',
    '登録の対象となる名前（サブドメインを除いたもの）。',
    'free-name.org',
  ),
  ...ANSWER,
  evidence: Evidence,
  hops: Hops,
});

export const InvalidDomainDetails = z.array(
  z.object({
    parameter: z.enum(['domain', 'path', 'target']).meta({
      en: '`path`: its percent-encoding is invalid.',
      ja: '`path` は、パーセント符号化が壊れているとき。',
      example: 'domain',
    }),
    reason: textSchema('What is wrong.', '誤り。', 'its label "-a" starts or ends with a hyphen'),
    given: textSchema(
      'The given value, 100 characters at most.',
      '指定された値（100 文字まで）。',
      '-a.com',
    ).optional(),
    allowed: textSchema('The allowed values.', '使用できる値。', 'percent-encoded UTF-8').optional(),
    ...shown,
    evidence: Evidence.optional(),
  }),
);

const UnknownTldDetails = z.object({
  tld: textSchema('The requested top-level domain.', '指定されたトップレベルドメイン。', 'nowhere'),
  hops: Hops,
});

const NoServiceDetails = z.object({
  zone: textSchema('The zone of registrations.', '登録の行われるゾーン。', 'va'),
  registryWebsite,
  hops: Hops,
});

const Control = z
  .object({
    name: textSchema('The control.', '確認に使った名前。', 'nic.uk.com'),
    outcome: textSchema('What its query gave.', '問い合わせの結果。', 'not_registered'),
  })
  .optional()
  .meta({
    en: 'Of a denial that does not count: the name that the server would have had to call registered.',
    ja: '根拠にならない「未登録」の応答で、サーバーが登録済みと答えるはずだった名前。',
  });

const RateLimitedDetails = z.object({
  whoisServer: ANSWER.whoisServer.optional(),
  limitedBy: z.enum(['registry', 'service']).meta({
    en: '`registry`: it throttles. `service`: our own limit for this registry is reached.',
    ja: '`registry` はレジストリがレート制限したとき、`service` はこのサービス自身の上限に達したとき。',
    example: 'registry',
  }),
  control: Control,
  hops: Hops,
});

const UnavailableDetails = z.object({
  hops: Hops,
  ...shown,
  evidence: Evidence.optional(),
  contradictions: z.array(EvidenceLine).optional().meta({
    en: 'The lines that contradict each other or are unknown, four at most.',
    ja: '互いに食い違う行、または未知の行。4 行まで。',
  }),
  control: Control,
  registryWebsite: registryWebsite.optional(),
});

/** Errors of a look-up, described in docs/registration.md. */
export const REGISTRATION_ERRORS = [
  'invalid_parameter',
  'not_found',
  ...(Object.keys(REGISTRY_ERRORS) as RegistryErrorCode[]),
] as const;

/** The published form of the details of an error, if it has any. */
export const REGISTRATION_ERROR_DETAILS: Partial<Record<RegistryErrorCode, z.ZodType>> = {
  invalid_domain: InvalidDomainDetails,
  unknown_tld: UnknownTldDetails,
  not_registered: NotRegisteredDetails,
  no_registry_service: NoServiceDetails,
  registry_rate_limited: RateLimitedDetails,
  registry_unavailable: UnavailableDetails,
  registry_timeout: UnavailableDetails,
};
