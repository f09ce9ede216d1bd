import { text } from '@mokuroku/kit';
import type { Text } from '@mokuroku/kit';

const CONTACT = text('Contact', 'レジストラの連絡先');
const REGISTRANT = text('Registrant', '登録者');

export interface FieldRow {
  /** In the OpenAPI document. */
  text: Text;
  example: string | null;
  /** On the page; in the terminal too, unless `line` says otherwise. */
  label: Text;
  /** The line of the terminal, which several details may share; null: none of its own. */
  line?: Text | null;
}

interface DateRow extends FieldRow {
  /** The registration ends with it: the page shows it first, and marks it when it is near. */
  isEnd?: true;
  /** Few registries state it: the page shows it only if stated. */
  isRare?: true;
}

/** A detail is a text. Its value has a name of its own in all groups. */
export interface DetailRow extends FieldRow {
  /** The column of the CSV. */
  column: string;
  /** The form of its values; default: any text with a letter or a digit. */
  form?: RegExp;
  /** Registries may state a placeholder in its place; the contacts of registrars are public. */
  isRedactable?: true;
}

/*
 * A row declares a published field. The published schema, CSV, terminal, page and their Japanese follow from it. The
 * compiler demands its labels (whois/parsers/vocabulary.ts) and its place in an RDAP object (rdap/parse.ts).
 */

const dateRows = <Name extends string>(rows: Readonly<Record<Name, DateRow>>) => rows;
const detailRows = <Name extends string>(rows: Readonly<Record<Name, DetailRow>>) => rows;

export const DATES = dateRows({
  creationDate: {
    text: text('When the name was registered.', '登録日時。'),
    example: '1999-04-09T01:30:00Z',
    label: text('Registered', '登録'),
    line: text('Created', '登録'),
  },
  expirationDate: {
    text: text('When the registration ends.', '有効期限。'),
    example: '2031-04-09T01:30:00Z',
    label: text('Expires', '有効期限'),
    isEnd: true,
  },
  updatedDate: {
    text: text('When the registration was last changed.', '最終更新。'),
    example: '2026-03-02T08:15:42Z',
    label: text('Updated', '更新'),
  },
  deletionDate: {
    text: text('When the name is to be deleted.', '名前が削除される日時。'),
    example: null,
    label: text('To be deleted', '削除予定'),
    isEnd: true,
    isRare: true,
  },
  registrarExpirationDate: {
    text: text(
      "When the registration ends at the registrar, which may differ from the registry's date: stated by the registrar (`follow=registrar`), or by the registry in RDAP.",
      'レジストラでの有効期限。レジストリの期限と異なることがあります。レジストラに問い合わせたとき（`follow=registrar`）、またはレジストリが RDAP で示したときの値。',
    ),
    example: null,
    label: text('Registrar expiry', 'レジストラの期限'),
    isRare: true,
  },
});
export type DateName = keyof typeof DATES;

export const REGISTRAR_DETAILS = detailRows({
  ianaId: {
    text: text("Number in IANA's list of registrars.", 'IANA のレジストラ番号。'),
    example: '9999',
    label: text('Registrar IANA ID', 'レジストラの IANA 番号'),
    column: 'registrarIanaId',
    line: null,
    form: /^\d{1,6}$/,
  },
  url: {
    text: text('Web address.', 'Web サイトの URL。'),
    example: 'https://www.registrar.example',
    label: text('Registrar website', 'レジストラのサイト'),
    column: 'registrarUrl',
    line: CONTACT,
    form: /^(?:https?:\/\/)?[\w-]+(?:\.[\w-]+)+(?:[:/?#]\S*)?$/i,
  },
  abuseEmail: {
    text: text('Where abuse is reported.', '不正利用の報告先。'),
    example: 'abuse@registrar.example',
    label: text('Abuse contact email', '不正利用の連絡先（メール）'),
    column: 'abuseEmail',
    line: CONTACT,
    form: /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
  },
  abusePhone: {
    text: text('Telephone number for reporting abuse.', '不正利用の連絡先の電話番号。'),
    example: '+1.5555550100',
    label: text('Abuse contact phone', '不正利用の連絡先（電話）'),
    column: 'abusePhone',
    line: CONTACT,
    form: /^\+?[\d(][\d\s().x-]{4,30}$/i,
  },
});

/** The registrant without personal data: never a name, an address, an e-mail or a telephone number. */
export const REGISTRANT_DETAILS = detailRows({
  organization: {
    text: text('The organisation that holds the name.', '登録している組織。'),
    example: 'Sample Organisation',
    label: text('Registrant', '登録している組織'),
    column: 'registrantOrganization',
    line: REGISTRANT,
    isRedactable: true,
  },
  country: {
    text: text('Its country as stated, usually two letters.', 'その国（レジストリの表記、多くは 2 文字）。'),
    example: 'JP',
    label: text('Country', '国'),
    column: 'registrantCountry',
    line: REGISTRANT,
    form: /^[\p{L}][\p{L} .,'()-]{1,59}$/u,
    isRedactable: true,
  },
});

/** Details that are members of the record itself. */
export const OTHER_DETAILS = detailRows({
  reseller: {
    text: text(
      'Reseller of the name, if it is not the registrar.',
      'レジストラとは別の、登録を取り次いだ業者。',
    ),
    example: 'Sample Reseller',
    label: text('Reseller', 'リセラー'),
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
