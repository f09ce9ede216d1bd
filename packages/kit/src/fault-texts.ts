import type { Text } from './process/text.ts';

/** Its own: the one of `process/text.ts`, which other scripts of a page use too, would be a request for 42 bytes. */
const text = (en: string, ja: string): Text => ({ en, ja });

// prettier-ignore
/** The faults of parameters (`reason`), and what is right (`allowed`), by their values. Services have more of their own. */
export const FAULTS = {
  unknownValue: text('unknown value', 'ない値です'),
  notUsable: text('not usable', '使えない値です'),
  missing: text('missing', '指定がありません'),
  notDate: text('not a date in the form YYYY-MM-DD', 'YYYY-MM-DD の形の日付ではありません'),
  notPercentEncoded: text('broken percent-encoding', 'パーセント符号化が壊れています'),
  repeated: (times: number) => text(`given more than once (${times} times)`, `${times} 回指定されています`),
} as const;

// prettier-ignore
export const ALLOWED = {
  once: (allowed: string) => text(`at most one: ${allowed}`, `1 つまで: ${allowed}`),
  oneOf: (values: string) => text(`one of: ${values}`, `次のどれか: ${values}`),
  date: text('a date (YYYY-MM-DD)', '日付（YYYY-MM-DD）'),
  percentEncoded: text('percent-encoded UTF-8', 'パーセント符号化した UTF-8'),
} as const;
