import type { ExampleCall } from '../http/example-calls.ts';
import { text } from '../process/text.ts';

/**
 * Common tasks, in the order of the documents, with a call or more for each endpoint. `npm run examples` generates the
 * responses.
 */
export const REGISTRATION_CALLS: readonly ExampleCall[] = [
  {
    name: 'lookUp',
    endpoint: 'lookUpDomain',
    title: text('See who registered a name, and until when', '登録者の情報と有効期限を調べる'),
    path: { domain: 'example.com' },
  },
  {
    name: 'lookUpJapanese',
    endpoint: 'lookUpDomain',
    title: text('Look up an internationalised name', '日本語のドメイン名を調べる'),
    path: { domain: '見本.jp' },
  },
  {
    name: 'askRegistrar',
    endpoint: 'lookUpDomain',
    title: text('Query the registrar too', 'レジストラにも問い合わせる'),
    path: { domain: 'example.com' },
    query: { follow: 'registrar' },
  },
  {
    name: 'isFree',
    endpoint: 'getAvailability',
    title: text('Check whether a name is available', '空いているかどうかを調べる'),
    path: { domain: 'free-name.org' },
  },
  {
    name: 'manyNames',
    endpoint: 'lookUpMany',
    title: text('Look many names up in one request', '多くの名前を 1 回で調べる'),
    query: { names: 'example.com,example.jp,free-name.org' },
  },
  {
    name: 'calendar',
    endpoint: 'getExpiryCalendar',
    title: text('Get the expiry as a calendar', '有効期限をカレンダーに入れる'),
    path: { domain: 'example.com' },
  },
  {
    name: 'portfolio',
    endpoint: 'getPortfolioCalendar',
    title: text(
      'Get the expiry of many names as one calendar',
      '多くの名前の有効期限を 1 つのカレンダーに入れる',
    ),
    query: { names: 'example.com,example.jp' },
  },
  {
    name: 'probe',
    endpoint: 'probeExpiry',
    title: text('Monitor the expiry with Prometheus', 'Prometheus で有効期限を見張る'),
    query: { target: 'example.com' },
  },
  {
    name: 'about',
    endpoint: 'getAbout',
    title: text('Show the data of the service', 'サービスが使っているデータを確かめる'),
  },
];
