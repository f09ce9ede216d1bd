import { z } from 'zod';
import { textSchema, defineEndpoint } from '@mokuroku/kit/http';
import type { Endpoint } from '@mokuroku/kit/http';
import { VERSION } from '@mokuroku/kit/process';
import type { RegistrationServices } from './look-up-domain.ts';
import { Ignored } from './look-up-schema.ts';
import { text } from '@mokuroku/kit';

const About = z
  .object({
    version: textSchema('Of the program.', 'プログラムのバージョン。', '1.0.0'),
    source: z.enum(['sample', 'live']).meta({
      en: 'Source of the data: invented registries, or the real root and registries.',
      ja: 'データの取得元: 架空のレジストリ、または実際のルートとレジストリ。',
      example: 'live',
    }),
    rdapBootstrap: z
      .object({
        source: z.enum(['bundled', 'file', 'url']).meta({
          en: 'Its source: bundled with the program, a file, or fetched.',
          ja: 'その入手元: 同梱、ファイル、取得。',
          example: 'url',
        }),
        publication: textSchema(
          'Its own publication date.',
          '公開日時（そこに書かれているもの）。',
          '2026-07-23T02:00:03Z',
        ),
      })
      .meta({ en: 'RDAP servers by zone.', ja: 'ゾーンごとの RDAP サーバー。' }),
    rootZone: z
      .object({
        source: z.literal('bundled').meta({ en: 'Where it comes from.', ja: '入手元。', example: 'bundled' }),
        date: textSchema('Date of the query to the root.', 'ルートに問い合わせた日。', '2026-08-08'),
      })
      .meta({
        en: "The root's answers for every top-level domain, used while the root is unavailable.",
        ja: '各トップレベルドメインについてのルートの応答。ルートが応答しない間に使います。',
      }),
    ignored: Ignored,
  })
  .meta({ title: 'About' });

/** GET /-/about */
export function getAbout({ domainLookUp, isSample }: RegistrationServices): Endpoint {
  return defineEndpoint({
    name: 'getAbout',
    path: '/-/about',
    group: 'Service',
    summary: text('Data of the service', 'サービスが使っているデータ'),
    description: text(
      'Version, source, and the dates of what is bundled or fetched.',
      'バージョン、取得元、同梱または取得したデータの日付。',
    ),
    tool: false,
    // prettier-ignore
    examples: [
      { name: 'about',
        title: text('Show the data of the service', 'サービスが使っているデータを確かめる') },
    ],
    answer: About,
    errors: ['invalid_parameter'],
    handle: () => ({
      key: '-about',
      load: () => {
        const source = isSample() ? 'sample' : 'live';
        return Promise.resolve({ data: { version: VERSION, source, ...domainLookUp.about() }, meta: {} });
      },
    }),
  });
}
