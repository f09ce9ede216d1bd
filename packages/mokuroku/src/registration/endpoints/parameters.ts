import { z } from 'zod';
import { NAMES_ALLOWED, NAMES_FAULTS } from '../errors.ts';
import { oneOf } from '@mokuroku/kit/http';
import type { About, ClientMethods, Parameter } from '@mokuroku/kit/http';
import { rejectValue } from '@mokuroku/kit/process';
import type { RegistrationClient } from 'mokuroku-client/source';
import { NAME_FAULTS } from 'mokuroku-whois/record';

/** The methods of an endpoint in `createRegistrationClient`. */
export type RegistrationMethods = ClientMethods<keyof RegistrationClient>;

export const nameParameter = (about: About): Parameter<string> => ({
  ...about,
  schema: z.string().min(1, NAME_FAULTS.emptyName.en),
  allowed: NAMES_ALLOWED.domainName.en,
});

const DOMAIN_IN_PATH = nameParameter({
  en: 'Any case, with or without trailing dot, in Unicode or punycode. A name below the registered one looks up that one; a top-level domain queries the root.',
  ja: '大文字・小文字、末尾のドットの有無、Unicode と Punycode は問いません。登録名より下の名前では登録名を、トップレベルドメインではルートを検索します。',
  example: 'www.example.com',
});

/** The name in a path, which every body about it repeats. */
export const DOMAIN: Parameter<string> = { ...DOMAIN_IN_PATH, isRepeated: true };

export const FOLLOW = oneOf(['registry', 'registrar'], {
  en: '`registrar`: query the registrar too, and return its text if it has the name.',
  ja: '`registrar` なら、レジストラにも問い合わせ、この名前の原文があればそれを返します。',
  byDefault: 'registry',
  example: 'registrar',
});

export const LANGUAGE = oneOf(['en', 'ja'], {
  en: 'Language of the calendar.',
  ja: 'カレンダーの言語。',
  byDefault: 'en',
  example: 'ja',
});

export const MAX_NAMES = 100;

/** A list of one name to `most`. */
export function namesParameter(about: About, most = MAX_NAMES): Parameter<string[]> {
  const schema = z.string().transform((list, context) => {
    const names = list.split(',').map((name) => name.trim());
    if (names.includes('')) return rejectValue(context, NAME_FAULTS.emptyName.en);
    if (names.length > most) return rejectValue(context, NAMES_FAULTS.tooManyNames(names.length, most).en);
    return names;
  });
  const published = { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: most };
  return { ...about, schema, allowed: NAMES_ALLOWED.names(most).en, separator: ',', published };
}

export const NAMES = (most = MAX_NAMES) =>
  namesParameter(
    {
      en: `Up to ${most} names.`,
      ja: `${most} 個までの名前。`,
      required: true,
      example: 'example.com,example.jp,free-name.org',
    },
    most,
  );
