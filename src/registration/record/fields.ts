/** A text for people in each language. */
interface Words {
  en: string;
  ja: string;
}

export interface FieldRow {
  /** In the OpenAPI document. */
  text: Words;
  example: string | null;
  /** On the page; in the terminal too, unless `line` says otherwise. */
  label: Words;
  /** The line of the terminal, which several details may share; null: none of its own. */
  line?: string | null;
}

interface DateRow extends FieldRow {
  /** The registration ends with it: the page shows it first, and marks it when it is near. */
  isEnd?: true;
  /** Few registries state it: the page shows it only if stated. */
  isRare?: true;
}

/** A detail is a text. Its value has a name of its own in all groups. */
interface DetailRow extends FieldRow {
  /** The column of the CSV. */
  column: string;
  /** The form of its values; default: any text with a letter or a digit. */
  form?: RegExp;
  /** Registries may state a placeholder in its place; the contacts of registrars are public. */
  isRedactable?: true;
}

/*
 * A row declares a published field. The published schema, CSV, terminal, page, their Japanese, and the texts that remain
 * under RAW_CONTACTS=redact follow from it. The compiler demands its labels (whois/parsers/vocabulary.ts) and its place in
 * an RDAP object (rdap/domain-object.ts for dates, rdap/contact-card.ts for details).
 */

const dateRows = <Name extends string>(rows: Readonly<Record<Name, DateRow>>) => rows;
const detailRows = <Name extends string>(rows: Readonly<Record<Name, DetailRow>>) => rows;

export const DATES = dateRows({
  creationDate: {
    text: { en: 'When the name was registered.', ja: '登録日時。' },
    example: '1999-04-09T01:30:00Z',
    label: { en: 'Registered', ja: '登録' },
    line: 'Created',
  },
  expirationDate: {
    text: { en: 'When the registration ends.', ja: '有効期限。' },
    example: '2031-04-09T01:30:00Z',
    label: { en: 'Expires', ja: '有効期限' },
    isEnd: true,
  },
  updatedDate: {
    text: { en: 'When the registration was last changed.', ja: '最終更新。' },
    example: '2026-03-02T08:15:42Z',
    label: { en: 'Updated', ja: '更新' },
  },
  deletionDate: {
    text: { en: 'When the name is to be deleted.', ja: '名前が削除される日時。' },
    example: null,
    label: { en: 'To be deleted', ja: '削除予定' },
    isEnd: true,
    isRare: true,
  },
});
export type DateName = keyof typeof DATES;

export const REGISTRAR_DETAILS = detailRows({
  ianaId: {
    text: { en: "Number in IANA's list of registrars.", ja: 'IANA のレジストラ番号。' },
    example: '9999',
    label: { en: 'Registrar IANA ID', ja: 'レジストラの IANA 番号' },
    column: 'registrarIanaId',
    line: null,
    form: /^\d{1,6}$/,
  },
  url: {
    text: { en: 'Web address.', ja: 'Web サイトの URL。' },
    example: 'https://www.registrar.example',
    label: { en: 'Registrar website', ja: 'レジストラのサイト' },
    column: 'registrarUrl',
    line: 'Contact',
    form: /^(?:https?:\/\/)?[\w-]+(?:\.[\w-]+)+(?:[:/?#]\S*)?$/i,
  },
  abuseEmail: {
    text: { en: 'Where abuse is reported.', ja: '不正利用の報告先。' },
    example: 'abuse@registrar.example',
    label: { en: 'Abuse contact email', ja: '不正利用の連絡先（メール）' },
    column: 'abuseEmail',
    line: 'Contact',
    form: /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
  },
  abusePhone: {
    text: { en: 'Telephone number for reporting abuse.', ja: '不正利用の連絡先の電話番号。' },
    example: '+1.5555550100',
    label: { en: 'Abuse contact phone', ja: '不正利用の連絡先（電話）' },
    column: 'abusePhone',
    line: 'Contact',
    form: /^\+?[\d(][\d\s().x-]{4,30}$/i,
  },
});

/** The registrant without personal data: never a name, an address, an e-mail or a telephone number. */
export const REGISTRANT_DETAILS = detailRows({
  organization: {
    text: { en: 'The organisation that holds the name.', ja: '登録している組織。' },
    example: 'Sample Organisation',
    label: { en: 'Registrant', ja: '登録している組織' },
    column: 'registrantOrganization',
    line: 'Registrant',
    isRedactable: true,
  },
  country: {
    text: {
      en: 'Its country as stated, usually two letters.',
      ja: 'その国（レジストリの表記、多くは 2 文字）。',
    },
    example: 'JP',
    label: { en: 'Country', ja: '国' },
    column: 'registrantCountry',
    line: 'Registrant',
    form: /^[\p{L}][\p{L} .,'()-]{1,59}$/u,
    isRedactable: true,
  },
});

/** Details that are members of the record itself. */
export const OTHER_DETAILS = detailRows({
  reseller: {
    text: {
      en: 'Reseller of the name, if it is not the registrar.',
      ja: 'レジストラとは別の、登録を取り次いだ業者。',
    },
    example: 'Sample Reseller',
    label: { en: 'Reseller', ja: 'リセラー' },
    column: 'reseller',
    isRedactable: true,
  },
});

export const DETAILS = { ...REGISTRAR_DETAILS, ...REGISTRANT_DETAILS, ...OTHER_DETAILS };
export type DetailName = keyof typeof DETAILS;

/** Each name of a table with a value made of its row. */
export function mapRows<Rows extends object, Value>(
  rows: Rows,
  valueOf: (name: keyof Rows, row: Rows[keyof Rows]) => Value,
): Record<keyof Rows, Value> {
  const values = {} as Record<keyof Rows, Value>;
  for (const name in rows) values[name] = valueOf(name, rows[name]);
  return values;
}

/** The values of a group of details, with their rows. */
export const detailsIn = <Name extends string>(
  rows: Readonly<Record<Name, DetailRow>>,
  values: Readonly<Record<Name, string | null>> | null | undefined,
): { row: DetailRow; value: string | null }[] =>
  Object.values(mapRows(rows, (name, row) => ({ row, value: values?.[name] ?? null })));
