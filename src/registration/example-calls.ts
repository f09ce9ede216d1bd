import type { ExampleCall } from '../http/example-calls.ts';

/**
 * Common tasks, in the order of the documents, with a call or more for each endpoint. `npm run examples` generates the
 * responses.
 */
export const REGISTRATION_CALLS: readonly ExampleCall[] = [
  {
    name: 'lookUp',
    endpoint: 'lookUpDomain',
    title: 'See who registered a name, and until when',
    titleJa: '登録者の情報と有効期限を調べる',
    path: { domain: 'example.com' },
  },
  {
    name: 'lookUpJapanese',
    endpoint: 'lookUpDomain',
    title: 'Look up an internationalised name',
    titleJa: '日本語のドメイン名を調べる',
    path: { domain: '見本.jp' },
  },
  {
    name: 'askRegistrar',
    endpoint: 'lookUpDomain',
    title: 'Query the registrar too',
    titleJa: 'レジストラにも問い合わせる',
    path: { domain: 'example.com' },
    query: { follow: 'registrar' },
  },
  {
    name: 'isFree',
    endpoint: 'getAvailability',
    title: 'Check whether a name is available',
    titleJa: '空いているかどうかを調べる',
    path: { domain: 'free-name.org' },
  },
  {
    name: 'manyNames',
    endpoint: 'lookUpMany',
    title: 'Look many names up in one request',
    titleJa: '多くの名前を 1 回で調べる',
    query: { names: 'example.com,example.jp,free-name.org' },
  },
  {
    name: 'calendar',
    endpoint: 'getExpiryCalendar',
    title: 'Get the expiry as a calendar',
    titleJa: '有効期限をカレンダーに入れる',
    path: { domain: 'example.com' },
  },
  {
    name: 'portfolio',
    endpoint: 'getPortfolioCalendar',
    title: 'Get the expiry of many names as one calendar',
    titleJa: '多くの名前の有効期限を 1 つのカレンダーに入れる',
    query: { names: 'example.com,example.jp' },
  },
  {
    name: 'probe',
    endpoint: 'probeExpiry',
    title: 'Monitor the expiry with Prometheus',
    titleJa: 'Prometheus で有効期限を見張る',
    query: { target: 'example.com' },
  },
  {
    name: 'about',
    endpoint: 'getAbout',
    title: 'Show the data of the service',
    titleJa: 'サービスが使っているデータを確かめる',
  },
];
