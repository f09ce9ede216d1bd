import { createHttpApp, builtPagesAbove } from '@mokuroku/kit/http';
import type { HttpApp, ServiceParts } from '@mokuroku/kit/http';
import { VERSION } from '@mokuroku/kit/process';
import { registrationEndpoints } from './endpoints/index.ts';
import { REGISTRATION_ENVELOPE } from './endpoints/look-up-domain.ts';
import type { DomainLookUp } from 'mokuroku-whois/service';
import { withServiceErrors } from './service-look-up.ts';
import answers from './example-answers.json' with { type: 'json' };
import { text } from '@mokuroku/kit';
import { REGISTRY_ERRORS } from './errors.ts';

interface RegistrationAppParts extends ServiceParts {
  domainLookUp: DomainLookUp;
}

const DESCRIPTION = text(
  `Registration data of a domain name as JSON, from the registry itself: the root server
names the registry, the registry is queried over WHOIS or RDAP, and its answer is returned as text and parsed fields.`,
  `ドメイン名の登録情報を、レジストリから直接取得して JSON で返します。ルートサーバーでレジストリを調べ、WHOIS または RDAP
で問い合わせ、その応答の原文と、解析した項目を返します。`,
);

/** The name that the page at an address shows. */
function titleOfPage(search: string): string | undefined {
  const domain = new URLSearchParams(search).get('domain')?.trim() ?? '';
  return /^[\p{L}\p{M}\p{N}.-]{1,253}$/u.test(domain)
    ? `${domain.toLowerCase()} ドメイン登録の照会`
    : undefined;
}

/** Creates the registration service; call `listen` on the result. */
export function createRegistrationApp({ domainLookUp, ...parts }: RegistrationAppParts): HttpApp {
  return createHttpApp({
    ...parts,
    // As a failing upstream: cached responses are still served.
    readinessFacts: () => ({
      status: 'ready',
      ...(domainLookUp.offline() && { registries: domainLookUp.offline() }),
    }),
    description: {
      name: 'registration',
      title: text('Domain Registration Lookup API', 'ドメイン登録照会 API'),
      version: VERSION,
      description: DESCRIPTION,
      tags: [
        {
          name: text('Registration', '登録情報'),
          description: text(
            'Who registered what, where and until when.',
            '誰が、どこで、いつまで登録しているか。',
          ),
        },
        {
          name: text('Service', 'サービス'),
          description: text(
            'What this service is and works with.',
            'このサービスと、使っているデータについて。',
          ),
        },
      ],
      answers,
      errors: REGISTRY_ERRORS,
    },
    endpoints: registrationEndpoints({ ...parts, domainLookUp: withServiceErrors(domainLookUp) }),
    envelope: REGISTRATION_ENVELOPE,
    malformedPathError: REGISTRY_ERRORS.invalid_domain,
    notFoundHint: 'Look up a domain name: /example.com. Documentation: /docs.',
    pages: { folder: builtPagesAbove(import.meta.dirname), front: 'domain', titleOf: titleOfPage },
  });
}
