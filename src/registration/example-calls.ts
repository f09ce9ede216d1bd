import type { ExampleCall } from '../http/example-calls.ts';

/**
 * What people come for, in the order of the documents; every endpoint has a call at least. The answers are written by
 * `npm run examples`.
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
    title: 'Look a name up in its own letters',
    titleJa: '日本語のドメイン名を調べる',
    path: { domain: '見本.jp' },
  },
  {
    name: 'askRegistrar',
    endpoint: 'lookUpDomain',
    title: 'Ask the registrar too',
    titleJa: 'レジストラにもたずねる',
    path: { domain: 'example.com' },
    query: { follow: 'registrar' },
  },
  {
    name: 'isFree',
    endpoint: 'getAvailability',
    title: 'Ask whether a name is free',
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
    title: 'Have the expiry in a calendar',
    titleJa: '有効期限をカレンダーに入れる',
    path: { domain: 'example.com' },
  },
  {
    name: 'portfolio',
    endpoint: 'getPortfolioCalendar',
    title: 'Have the expiry of many names in one calendar',
    titleJa: '多くの名前の有効期限を 1 つのカレンダーに入れる',
    query: { names: 'example.com,example.jp' },
  },
  {
    name: 'probe',
    endpoint: 'probeExpiry',
    title: 'Let Prometheus watch the expiry',
    titleJa: 'Prometheus で有効期限を見張る',
    query: { target: 'example.com' },
  },
  {
    name: 'about',
    endpoint: 'getAbout',
    title: 'See what the service works with',
    titleJa: 'サービスが使っているデータを確かめる',
  },
];
