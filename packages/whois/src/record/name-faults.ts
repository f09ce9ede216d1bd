import type { Text } from '@mokuroku/kit';

/** Its own: that of the kit, which other scripts of a page use too, would be a request for 42 bytes. */
const text = (en: string, ja: string): Text => ({ en, ja });

// prettier-ignore
/** The faults of a domain name, by their values: `reason` in the details of an `invalid_domain`. */
export const NAME_FAULTS = {
  emptyName: text('it is empty', '名前が空です'),
  unseenCharacters: text('it has blanks, control or invisible characters', '空白か、見えない文字が含まれています'),
  ipAddress: text('it is an IP address, not a domain name', 'ドメイン名ではなく IP アドレスです'),
  urlParts: text('give the name alone, without scheme, user, port, path or percent signs',
    '名前以外のもの（スキーム、ユーザー、ポート、パス、%）が含まれています'),
  notIdna: text('it is not a valid internationalised name (IDNA)', '国際化ドメイン名（IDNA）として正しくありません'),
  rootName: text('it is the root of the name space, which is not registered with anyone', '名前空間のルートで、誰も登録していません'),
  emptyLabel: text('it has an empty label (two dots together, or one at the start)', '点が続いているか、点で始まっています'),
  longName: (length: number, most: number) => text(`it has ${length} characters; at most ${most} are allowed`,
    `${length} 文字は、上限の ${most} 文字を超えています`),
  longLabel: (label: string, length: number, most: number) => text(`its label "${label}" has ${length} characters; at most ${most} are allowed`,
    `"${label}" の ${length} 文字は、上限の ${most} 文字を超えています`),
  labelCharacters: (label: string) => text(`its label "${label}" has characters other than letters, digits and hyphens`,
    `"${label}" に、英数字とハイフン以外の文字があります`),
  labelHyphen: (label: string) => text(`its label "${label}" starts or ends with a hyphen`, `"${label}" がハイフンで始まるか、終わっています`),
  labelPunycode: (label: string) => text(`its label "${label}" is not valid punycode`, `"${label}" は正しい Punycode ではありません`),
  notTopLevel: (label: string) => text(`its last label "${label}" cannot be a top-level domain: those have two letters or more`,
    `"${label}" は 2 文字以上の英字ではなく、トップレベルドメインになりません`),
  rejectedName: (server: string) => text(`${server} calls it invalid`, `${server} が無効な名前と応答しました`),
} as const;
