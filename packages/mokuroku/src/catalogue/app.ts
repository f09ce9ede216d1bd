import { createHttpApp, builtPagesAbove } from '@mokuroku/kit/http';
import type { HttpApp, ServiceParts } from '@mokuroku/kit/http';
import { VERSION } from '@mokuroku/kit/process';
import type { CatalogueSource } from '@mokuroku/narou/source';
import { formFacts } from './endpoints/forms.ts';
import { feedsOfPage, titleOfPage } from './forms/question-page.ts';
import { catalogueEndpoints } from './endpoints/index.ts';
import { rememberedTitle } from './endpoints/get-novel.ts';
import { CATALOGUE_ENVELOPE } from './endpoints/catalogue-answer.ts';
import answers from './example-answers.json' with { type: 'json' };
import { text } from '@mokuroku/kit';
import { NOVEL_ERRORS } from '@mokuroku/narou';

interface CatalogueAppParts extends ServiceParts {
  source: CatalogueSource;
  /** False: without adult novels and their genres. */
  withAdult?: boolean;
  /** The parts from which nothing can be answered at present: the page does not offer them. */
  lacking?: () => readonly string[];
}

const DESCRIPTION = text(
  `A read-only JSON service over the catalogue of a Japanese web-novel site: novels, rankings,
authors and the site's code tables. Data: なろうデベロッパー (https://dev.syosetu.com/), whose terms apply to them:
name the source, no commercial use, no storage beyond two weeks.

Lists in a query are separated by commas, the codes of \`of\` by hyphens. Times are Japan time. Every response except the
documents is \`{data, meta}\`, every error \`{error: {code, message, details?}}\`.`,
  `小説投稿サイトの小説、ランキング、作者、コード表を調べる読み取り専用の JSON API。データの出典はなろうデベロッパー
(https://dev.syosetu.com/) で、その利用規約に従います。出典を明記し、営利目的では使わず、2 週間を超えて保存しないでください。

クエリーのリストはカンマ、\`of\` のコードはハイフンで区切ります。時刻は日本時間です。文書以外のレスポンスは \`{data, meta}\`、エラーは
\`{error: {code, message, details?}}\` です。`,
);

const ADULT = text('Adult novels', '成人向け作品');

const TAGS = [
  {
    name: text('Novels', '小説'),
    description: text('Search, one novel, its history in the rankings.', '検索、1 作品、その順位の推移。'),
  },
  {
    name: text('Rankings', 'ランキング'),
    description: text(
      'Daily, weekly, monthly and quarterly, with and without novel data.',
      '日間、週間、月間、四半期。作品の情報つきでも、なしでも。',
    ),
  },
  { name: text('Users', 'ユーザー'), description: text('Authors and readers.', '作者と読者。') },
  {
    name: ADULT,
    description: text(
      'Metadata only; not to be shown to anyone under 18.',
      'メタデータのみ。18 歳未満の方には見せないでください。',
    ),
  },
  {
    name: text('Code tables', 'コード表'),
    description: text('Genre codes and their labels.', 'ジャンルのコードと名前。'),
  },
];

/** Creates the catalogue service over a source; call `listen` on the result. */
export function createCatalogueApp(services: CatalogueAppParts): HttpApp {
  const { source, withAdult = true, lacking = () => [], ...parts } = services;
  const endpoints = catalogueEndpoints({ ...parts, source }, withAdult);
  const forms = formFacts(endpoints);
  return createHttpApp({
    ...parts,
    description: {
      name: 'catalogue',
      title: text('Novel Catalogue Query API', '小説目録 API'),
      version: VERSION,
      description: DESCRIPTION,
      tags: TAGS.filter(({ name }) => withAdult || name !== ADULT),
      answers,
      errors: NOVEL_ERRORS,
    },
    endpoints,
    envelope: CATALOGUE_ENVELOPE,
    notFoundHint: 'The paths are listed at /docs.',
    pages: {
      folder: builtPagesAbove(import.meta.dirname),
      front: 'catalogue',
      facts: () => ({
        local: source.local && 'yes',
        changes: source.changes && 'yes',
        users: source.hasUsers === false ? 'off' : undefined,
        ...(!withAdult && { adult: 'off' }),
        forms,
        ...Object.fromEntries(lacking().map((part) => [part, 'off'])),
      }),
      feedsOf: (search) => feedsOfPage(search, withAdult),
      titleOf: (search) => titleOfPage(search, withAdult, (ncode) => rememberedTitle(parts, ncode)),
    },
  });
}
