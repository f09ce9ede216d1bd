import { PROBLEMS_JA } from '../../words/problems-ja.ts';

export const ja = {
  skip: '本文へ移動',
  language: '言語',
  theme: '明るさ',
  themes: { auto: '自動', light: '明', dark: '暗' },
  documentation: 'API の説明',
  openapi: 'OpenAPI',
  behind: 'API',
  showCall: '呼び出しの全文',
  copyCurl: 'curl をコピー',
  copied: 'コピーしました',
  notCopied: 'コピーできませんでした',
  openJson: 'JSON を開く',
  showAll: (more: number) => `残り${more.toLocaleString('ja')}字も表示`,
  loading: '読み込み中',
  retry: 'もう一度試す',
  requestNumber: (id: string) => `要求番号 ${id}`,
  sample: '見本',
  asOf: (when: string, age: string) => `${when} 時点のデータです(${age}前)。`,
  otherPages: { 'page-catalogue': 'Web小説の目録', 'page-domain': 'ドメイン登録の照会' },
  stale: (age: string) => `取得元につながらないため、${age}前の内容を表示しています。`,
  limited: {
    title: '少しお待ちください',
    text: '1分間に受け付ける回数を超えました。待ち時間が過ぎると、自動で続きを読み込みます。',
    seconds: (seconds: string) => `あと${seconds}秒`,
  },
  retryIn: (seconds: string) => `${seconds}秒後に、自動でもう一度試します。`,
  given: '指定された値:',
  possible: (values: string) => `使える値: ${values}`,
  unusable: 'この値は使えません。',
  problems: PROBLEMS_JA,
};

export type ShellWords = typeof ja;
