import type { ExampleCall } from '@mokuroku/kit/http';
import { text } from '@mokuroku/kit';

/**
 * Common tasks, in the order of the documents, with a call or more for each endpoint. `npm run examples` generates the
 * responses.
 */
// prettier-ignore
export const REGISTRATION_CALLS: readonly ExampleCall[] = [
  { name: 'lookUp', endpoint: 'lookUpDomain', path: { domain: 'example.com' },
    title: text('See who registered a name, and until when', '登録者の情報と有効期限を調べる') },
  { name: 'lookUpJapanese', endpoint: 'lookUpDomain', path: { domain: '見本.jp' },
    title: text('Look up an internationalised name', '日本語のドメイン名を調べる') },
  { name: 'askRegistrar', endpoint: 'lookUpDomain', path: { domain: 'example.com' }, query: { follow: 'registrar' },
    title: text('Query the registrar too', 'レジストラにも問い合わせる') },
  { name: 'isFree', endpoint: 'getAvailability', path: { domain: 'free-name.org' },
    title: text('Check whether a name is available', '空いているかどうかを調べる') },
  { name: 'manyNames', endpoint: 'lookUpMany', query: { names: 'example.com,example.jp,free-name.org' },
    title: text('Look many names up in one request', '多くの名前を 1 回で調べる') },
  { name: 'calendar', endpoint: 'getExpiryCalendar', path: { domain: 'example.com' },
    title: text('Get the expiry as a calendar', '有効期限をカレンダーに入れる') },
  { name: 'portfolio', endpoint: 'getPortfolioCalendar', query: { names: 'example.com,example.jp' },
    title: text('Get the expiry of many names as one calendar', '多くの名前の有効期限を 1 つのカレンダーに入れる') },
  { name: 'probe', endpoint: 'probeExpiry', query: { target: 'example.com' },
    title: text('Monitor the expiry with Prometheus', 'Prometheus で有効期限を見張る') },
  { name: 'zones', endpoint: 'listZones', query: { zones: 'de,io' },
    title: text('See what a registry publishes', 'レジストリが何を公開しているかを調べる') },
  { name: 'about', endpoint: 'getAbout',
    title: text('Show the data of the service', 'サービスが使っているデータを確かめる') },
];
