import { z } from 'zod';
import { integerSchema, textSchema } from '@mokuroku/kit/http';
import { PUBLISHED_FIELDS } from 'mokuroku-whois/service';
import {
  DATES,
  ENDINGS,
  OTHER_DETAILS,
  RECORD_FIELDS,
  REGISTRANT_DETAILS,
  REGISTRAR_DETAILS,
  mapRows,
} from 'mokuroku-whois/record';
import type { FieldRow } from 'mokuroku-whois/record';

export const textOrNull = (en: string, ja: string, example: string | null) =>
  z.string().nullable().meta({ en, ja, example });

const dateSchema = (_name: unknown, { text: { en, ja }, example }: FieldRow) =>
  textOrNull(
    `${en} \`YYYY-MM-DDTHH:MM:SSZ\` in UTC, or \`YYYY-MM-DD\` where the registry states only a day; null when it is not stated or cannot be read.`,
    `${ja} UTC の \`YYYY-MM-DDTHH:MM:SSZ\`、日だけが示されていれば \`YYYY-MM-DD\`。書かれていないか読めなければ null。`,
    example,
  );

const detailSchema = (_name: unknown, { text, example }: FieldRow) => textOrNull(text.en, text.ja, example);

const RegistrarDetails = z.object(mapRows(REGISTRAR_DETAILS, detailSchema)).nullable().meta({
  title: 'RegistrarDetails',
  en: 'Further data of the registrar; null if the registry states none.',
  ja: 'レジストラの詳細情報。記載がなければ null。',
});

const Registrant = z.object(mapRows(REGISTRANT_DETAILS, detailSchema)).nullable().meta({
  title: 'Registrant',
  en: "The registrant, if public. Never a person's name, address, e-mail or telephone number; `raw` has what the registry publishes.",
  ja: '公開されている登録者。個人の名前、住所、メール、電話は含めません（レジストリが公開したものは `raw` にあります）。',
});

const DelegationSigner = z
  .object({
    keyTag: integerSchema('Key tag.', '鍵タグ。', 12345),
    algorithm: integerSchema('Algorithm of the key.', '鍵のアルゴリズム。', 13),
    digestType: integerSchema('Digest type.', 'ダイジェストの方式。', 2),
    digest: textSchema('Digest, hexadecimal.', 'ダイジェスト（16 進）。', '00112233445566778899AABBCCDDEEFF'),
  })
  .meta({
    title: 'DelegationSigner',
    en: 'A DS record (RFC 4034, section 5.1).',
    ja: 'DS レコード（RFC 4034、5.1 節）。',
  });

const Dnssec = z
  .object({
    signed: z
      .boolean()
      .meta({ en: 'Whether the delegation is signed.', ja: '委任が署名されているか。', example: true }),
    ds: z
      .array(DelegationSigner)
      .meta({ en: 'Its DS records, if stated.', ja: '示されていれば、その DS レコード。' }),
  })
  .nullable()
  .meta({
    title: 'Dnssec',
    en: 'Null if the registry states nothing about DNSSEC.',
    ja: 'DNSSEC について書かれていなければ null。',
  });

const Parsed = z
  .object({
    domainName: textOrNull(
      'The name as the registry states it, lower case.',
      'レジストリの示す名前（小文字）。',
      'example.com',
    ),
    registrar: textOrNull('Name of the registrar.', 'レジストラの名前。', 'Kamome Names (sample)'),
    ...mapRows(DATES, dateSchema),
    nameServers: z.array(z.string()).meta({
      en: 'Host names, lower case, without addresses, in the order of the registry.',
      ja: 'ネームサーバー（小文字、アドレスなし、レジストリの順）。',
      example: ['ns1.hosting.example', 'ns2.hosting.example'],
    }),
    status: z.array(z.string()).meta({
      en: 'EPP status codes (https://icann.org/epp), or the words of the registry.',
      ja: 'EPP の状態コード（https://icann.org/epp）か、レジストリの言葉。',
      example: ['clientTransferProhibited'],
    }),
    registrarDetails: RegistrarDetails,
    registrant: Registrant,
    dnssec: Dnssec,
    ...mapRows(OTHER_DETAILS, detailSchema),
  })
  .meta({
    title: 'ParsedRegistration',
    en: 'Always all members; null or empty if the text does not state them.',
    ja: 'すべての項目が必ずあり、記載のないものは null または空です。',
  });

export const protocol = z
  .enum(['whois', 'rdap'])
  .meta({ en: 'Protocol of the query.', ja: '問い合わせに使ったプロトコル。', example: 'whois' });

/** An answer of a server. */
export const ANSWER = {
  whoisServer: textSchema(
    'Host that sent `raw`: a WHOIS server, or an RDAP server if `protocol` is `rdap`.',
    '`raw` の原文を返したホスト。WHOIS サーバー、`protocol` が rdap なら RDAP サーバー。',
    'whois.verisign-grs.com',
  ),
  raw: textSchema(
    "The server's text, decoded; JSON text if `protocol` is `rdap`. Of an unusable answer, the first 65,536 characters. Empty if the operator publishes no texts.",
    'サーバーが返した原文（デコード済み）。`protocol` が `rdap` なら JSON の文字列。使えない応答では先頭の 65,536 文字。運用者が原文を公開しない設定では空です。',
    'Domain Name: EXAMPLE.COM\r\n...',
  ),
  protocol,
};

export const EvidenceLine = z
  .object({
    kind: z.enum(['sentence', 'status', 'record', 'rdap']).meta({
      en: 'A known sentence, a status value, the record, or an RDAP object or status code.',
      ja: '既知の文、ステータス値、レコード、RDAP のオブジェクトか状態コード。',
      example: 'sentence',
    }),
    line: textSchema(
      'The line of `raw`, without blanks around it, 200 characters at most.',
      '`raw` の該当行。前後の空白を除き、200 文字まで。',
      'No match for "FREE-NAME.COM".',
    ),
    control: z
      .object({
        name: textSchema('The name.', 'その名前。', 'nic.uk.com'),
        at: textSchema('When it was answered, in UTC.', '応答のあった日時（UTC）。', '2026-11-28T04:53:57Z'),
      })
      .optional()
      .meta({
        en: 'Of a denial in a zone for which neither IANA nor the operator names a server: the name of the registry that this server called registered. Without one, such a denial is an unreadable answer.',
        ja: 'IANA も運用者もサーバーを指定していないゾーンでの「未登録」という応答で、そのサーバーが登録済みと答えた同じレジストリの名前。それがない応答は、読み取れない応答として扱います。',
      }),
  })
  .meta({ title: 'Evidence', en: 'A line that indicates a state.', ja: '状態の根拠となる行。' });

export const Evidence = EvidenceLine.nullable().meta({
  en: "The line of the registry's answer that decided the state (of `registry.raw` if present); null if no single line did.",
  ja: 'レジストリの応答の中で状態を決めた行（`registry.raw` があればその中）。1 行では決まらないとき null。',
});

const Hop = z
  .object({
    server: textSchema('Host name.', 'ホスト名。', 'whois.iana.org'),
    protocol,
    role: z
      .enum(['root', 'registry', 'registrar'])
      .meta({ en: 'Role of the server.', ja: 'サーバーの役割。', example: 'root' }),
    outcome: textSchema(
      'Its answer (`referral`, `registered` ...), or why there was none (`timeout` ...).',
      '応答の種類（`referral`、`registered` など）、または応答がなかった理由（`timeout` など）。',
      'referral',
    ),
    ms: integerSchema(
      'Milliseconds; 0 if the answer was cached.',
      'ミリ秒。キャッシュされた応答では 0。',
      41,
    ),
  })
  .meta({ title: 'Hop', en: 'One queried server.', ja: '問い合わせたサーバー 1 つ。' });

export const Hops = z.array(Hop).meta({
  en: 'The queried servers in order, five at most.',
  ja: '問い合わせたサーバー（順番どおり、5 つまで）。',
});

export const Ignored = z
  .array(z.string())
  .optional()
  .meta({
    en: 'Query parameters without effect; omitted if there are none.',
    ja: '無効なクエリパラメーター。なければ省略されます。',
    example: ['folow'],
  });

export const Ending = z.enum(ENDINGS).nullable().meta({
  en: 'Whether and how the registration ends, from its status and dates: `expired`, `redemption` (deleted, its registrant can restore it), `pending_delete`, `on_hold` (removed from the DNS). A registry may have renewed such a name by a year, so `daysLeft` alone does not show it. Null if neither a status nor a date is stated, or if the status or the expiry is unknown (`truncated`, `incomplete`).',
  ja: '登録が終わるかどうかと、その状態。status と日付から判定します: `expired`（期限切れ）、`redemption`（削除済みで、登録者が復旧可能）、`pending_delete`（削除待ち）、`on_hold`（DNS から除外）。レジストリがそのような名前を 1 年更新していることがあるため、`daysLeft` だけでは分かりません。status も日付も記載がないとき、または status か期限が不明なとき（`truncated`、`incomplete`）は null です。',
  example: 'none',
});

/** The published response. */
export const LookUpAnswer = z
  .object({
    domain: textSchema('The requested name as given.', 'リクエストされた名前。', 'www.example.com'),
    ...ANSWER,
    parsed: Parsed,
    state: z.enum(['registered', 'reserved']).meta({
      en: '`reserved`: withheld by the registry, neither registered nor available.',
      ja: '`reserved` は、レジストリが予約した名前。未登録ですが、取得できません。',
      example: 'registered',
    }),
    evidence: Evidence,
    daysLeft: integerSchema(
      'Days until `parsed.expirationDate`, rounded; negative after it, null if it is not stated. Computed at the look-up: see `Age`.',
      '`parsed.expirationDate` までの日数（四捨五入）。過ぎていれば負、記載がなければ null。検索時点の値で、`Age` がその古さを示します。',
      1598,
    ).nullable(),
    ending: Ending,
    hops: Hops,
    registry: z.object(ANSWER).optional().meta({
      en: "With `follow=registrar`, if `raw` is the registrar's: the registry's answer.",
      ja: '`follow=registrar` で `raw` がレジストラのものであるとき、レジストリの応答。',
    }),
    ignored: Ignored,
    truncated: z.literal(true).optional().meta({
      en: 'The connection broke during the answer: fields may be missing.',
      ja: '応答の途中で接続が切れました。欠けている項目がある可能性があります。',
      example: true,
    }),
    incomplete: z
      .array(z.enum(RECORD_FIELDS))
      .optional()
      .meta({
        en: 'Members of `parsed` that are unknown: stated in a form that cannot be read, or not received because the registrar, or RDAP for an expiry, gave no answer (see `hops`). Their values are null, or a part of the list. Absent if there are none.',
        ja: '`parsed` のうち不明な項目: 読み取れない形で書かれているか、レジストラ、または期限を照会した RDAP から応答がなかったもの（`hops` 参照）。値は null か、一覧の一部です。なければ省略されます。',
        example: ['dnssec'],
      }),
    unpublished: z
      .array(z.enum(PUBLISHED_FIELDS))
      .optional()
      .meta({
        en: 'Members of `parsed` without a value that this registry is known never to publish (`/-/zones`). Absent if there are none.',
        ja: '`parsed` のうち値がなく、このレジストリが公開しないと分かっている項目（`/-/zones` 参照）。なければ省略されます。',
        example: ['expirationDate'],
      }),
  })
  .meta({ title: 'LookUp' });
export type LookUpAnswer = z.infer<typeof LookUpAnswer>;
