import { z } from 'zod';
import { textSchema, defineEndpoint } from '@mokuroku/kit/http';
import type { Endpoint } from '@mokuroku/kit/http';
import { text } from '@mokuroku/kit';
import { PUBLICATION_DATE } from 'mokuroku-whois/service';
import { NOT_CACHED, hashSchema } from './look-up-domain.ts';
import type { RegistrationServices } from './look-up-domain.ts';
import { registryWebsite } from './look-up-error-schema.ts';
import { Ignored, protocol } from './look-up-schema.ts';
import { MAX_NAMES, namesParameter } from './parameters.ts';
import type { RegistrationMethods } from './parameters.ts';

const published = (en: string, ja: string) =>
  z.enum(['yes', 'no', 'unknown']).meta({ en, ja, example: 'yes' });

const Service = z
  .object({
    protocol,
    server: textSchema(
      'Host of a WHOIS server, base URL of an RDAP server.',
      'WHOIS サーバーのホスト、または RDAP サーバーの URL。',
      'whois.denic.de',
    ),
    source: z.enum(['root', 'bootstrap', 'operator', 'list']).meta({
      en: "Who names it: IANA's root, IANA's RDAP bootstrap, the operator's bootstrap, or a list of other servers (whose denials need a control).",
      ja: '指定元: IANA のルート、IANA の RDAP ブートストラップ、運用者のブートストラップ、その他のサーバーの一覧（「未登録」という応答には確認が必要）。',
      example: 'root',
    }),
    date: textSchema('Date of that source.', 'その日付。', '2026-08-08'),
    publishes: z
      .object({
        expirationDate: published('Whether it states an expiry.', '有効期限を示すか。'),
        registrar: published('Whether it states the registrar.', 'レジストラを示すか。'),
        status: published('Whether it states a status.', '状態を示すか。'),
      })
      .meta({
        en: `According to its answers about several names, as of ${PUBLICATION_DATE}; \`unknown\` where too few were seen.`,
        ja: `複数の名前についての応答から判定したもの（${PUBLICATION_DATE} 現在）。応答が足りなければ \`unknown\`。`,
      }),
  })
  .meta({ title: 'ZoneService' });

export const ZonesAnswer = z
  .object({
    zones: z.array(
      z
        .object({
          zone: textSchema('The zone, in A-labels.', 'ゾーン（A ラベル）。', 'de'),
          services: z.array(Service).meta({
            en: 'Best first; empty if none is known.',
            ja: '優先する順。知られていなければ空。',
          }),
          registryWebsite,
        })
        .meta({ title: 'Zone' }),
    ),
    ignored: Ignored,
  })
  .meta({ title: 'Zones' });
export type ZonesAnswer = z.infer<typeof ZonesAnswer>;

const ZONES = namesParameter({
  en: `Only these, up to ${MAX_NAMES}; zones that are not known are left out. Default: all.`,
  ja: `取得するゾーン（${MAX_NAMES} 個まで）。知られていないゾーンは含まれません。省略するとすべて。`,
  example: 'com,de,uk.com',
});

/** GET /-/zones */
export function listZones({ domainLookUp }: RegistrationServices): Endpoint {
  return defineEndpoint({
    name: 'listZones',
    path: '/-/zones',
    group: 'Service',
    summary: text('Zones and their registries', 'ゾーンとそのレジストリ'),
    description: text(
      'Services of the registry of each zone, who names them, and whether expiry, registrar and status are published. Look-ups query the root first: it may name a newer WHOIS server.',
      '各ゾーンのレジストリのサービスと、その指定元、有効期限・レジストラ・状態が公開されているか。検索ではまずルートに問い合わせるため、新しい WHOIS サーバーが使われることがあります。',
    ),
    cache: { ...NOT_CACHED, freshSeconds: 300 },
    client: { method: 'zones', first: 'zones' } satisfies RegistrationMethods,
    tool: false,
    // prettier-ignore
    examples: [
      { name: 'zones', query: { zones: 'de,io' },
        title: text('See what a registry publishes', 'レジストリが何を公開しているかを調べる') },
    ],
    queryTable: { zones: ZONES },
    answer: ZonesAnswer,
    errors: ['invalid_parameter'],
    handle: ({ query }) => {
      const zones = query.zones?.map((zone) => zone.toLowerCase().replace(/^\./, '')).sort();
      const wanted = zones && new Set(zones);
      return {
        key: `-zones ${wanted === undefined ? '' : [...wanted].join(',')} ${hashSchema(ZonesAnswer)}`,
        load: () => {
          const found = domainLookUp.zones().filter(({ zone }) => wanted?.has(zone) ?? true);
          return Promise.resolve({ data: { zones: found }, meta: {} });
        },
      };
    },
  });
}
