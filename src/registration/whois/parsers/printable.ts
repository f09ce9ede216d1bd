/** Terminal control sequences (ECMA-48), such as colours and titles. */
const SEQUENCES =
  /(?:\x1b\[|\x9b)[0-?]{0,64}[ -/]{0,8}[@-~]|\x1b[\]PX^_][^\x07\x1b\n]{0,256}(?:\x07|\x1b\\)?|\x1b[ -/]?[0-~]/g;
/** Control characters except tab and line ends, and characters that reverse or hide text. */
const CONTROLS = /[\0-\x08\v\f\x0e-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
const SUSPECT = /[\0-\x08\v\f\x0e-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/;

/** Characters that `printable` or `withAsciiDigits` may change. Few texts have any. */
const UNUSUAL = /[^\t\n\r -~\xa0-\u065f]/;

/** Whether a text has no control characters and no digits of other scripts. */
export function isPlain(text: string): boolean {
  return !UNUSUAL.test(text);
}

/** Removes terminal sequences and control characters: published values may be printed on a terminal. */
export function printable(text: string): string {
  return SUSPECT.test(text) ? text.replace(SEQUENCES, '').replace(CONTROLS, '') : text;
}

/** The zeros of other scripts: Arabic, Persian, Indic, Thai, Lao, Khmer, full width. */
const ZEROS = '٠۰०০੦૦୦௦౦೦൦๐໐០０';
const BEYOND_LATIN = /[\u0660-\uffff]/;
const OTHER_DIGIT = /[٠-٩۰-۹०-९০-৯੦-੯૦-૯୦-୯௦-௯౦-౯೦-೯൦-൯๐-๙໐-໙០-៩０-９]/g;

/** Replaces digits of other scripts by ASCII digits. */
export function withAsciiDigits(text: string): string {
  // Most texts have none, and searching is faster than a replacement without matches.
  if (text.search(BEYOND_LATIN) < 0) return text;
  return text.replace(OTHER_DIGIT, (digit) => {
    const code = digit.charCodeAt(0);
    const zero = Array.from(ZEROS).find(
      (mark) => code - mark.charCodeAt(0) >= 0 && code - mark.charCodeAt(0) < 10,
    );
    return zero === undefined ? digit : String(code - zero.charCodeAt(0));
  });
}
