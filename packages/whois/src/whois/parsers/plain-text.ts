/** Answers of another form, which shows in their head, are rewritten as lines with labels. */
type TextForm = readonly [shown: RegExp, rewrite: (text: string) => string];

/** A form shows in its first line, below a paragraph of terms at most. */
const MAX_HEAD_LENGTH = 600;
/** Far above the length of any known answer in these forms. */
const MAX_FORM_LENGTH = 65_536;

/** A line end among others of LF: CR stands beside it there. */
const LONE_CR = /(?<![\r\n])\r(?![\r\n])/g;

/** Converts an answer of any form to lines ended by LF, with ASCII digits and without control characters. */
export function plainTextOf(text: string): string {
  let plain = withAsciiDigits(printable(text));
  if (plain.includes('\r')) plain = plain.replace(plain.includes('\n') ? LONE_CR : /\r/g, '\n');
  const head = plain.slice(0, MAX_HEAD_LENGTH);
  const [, rewrite] = FORMS.find(([shown]) => shown.test(head)) ?? [];
  return rewrite === undefined ? plain : rewrite(plain.slice(0, MAX_FORM_LENGTH));
}

/** A server answered with a web page (whois.nic.nr, 2010-2018; maintenance pages). */
const PAGE = /^\s{0,64}<(?:head|body|table|meta|br|pre)\b/i;
const WHOLE_PAGE = /^[ \t]{0,64}<(?:!doctype )?html\b/im;
/** Elements without text content. */
const SILENT = ['script', 'style', 'head'];
const LINE_ENDS = /^(?:tr|p|br|div|li|table|h[1-4]|d[dt]|pre|form)$/;
const ENTITIES: Record<string, string> = { nbsp: ' ', amp: '&', lt: '<', gt: '>', quot: '"' };
const MAX_TAG_LENGTH = 2048;

/** The text of a web page, a line for each table row or paragraph, in linear time. */
function textOfPage(html: string): string {
  const parts: string[] = [];
  const lower = html.toLowerCase();
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open < 0) break;
    parts.push(html.slice(at, open));
    const tag = /^\/?[a-z\d]{0,10}/.exec(lower.slice(open + 1, open + 12))?.[0] ?? '';
    at = endOfTag(lower, open, tag);
    if (LINE_ENDS.test(tag.replace('/', ''))) parts.push('\n');
    else if (tag === '/td' || tag === '/th') parts.push(' ');
  }
  parts.push(html.slice(at));
  return parts.join('').replace(/&(nbsp|amp|lt|gt|quot);/g, (_, name: string) => ENTITIES[name] ?? ' ');
}

function endOfTag(lower: string, open: number, tag: string): number {
  const isRemark = lower.startsWith('<!--', open);
  const close = isRemark ? '-->' : '>';
  const end = lower.indexOf(close, open);
  if (end < 0 || (end - open > MAX_TAG_LENGTH && !isRemark)) return lower.length;
  if (!SILENT.includes(tag)) return end + close.length;
  const endTag = lower.indexOf(`</${tag}`, end);
  return endTag < 0 ? lower.length : endTag;
}

/** Answers of whois.tonic.to have the name without `.to`: in a denial, or in pairs of it and a name server. */
const TONIC = /^Tonic whoisd[^\n]*\n(?:[a-z\d-]{1,63} [a-z\d.-]{4,253}[ \r]*(?:\n|$))+/im;

function textOfTonic(text: string): string {
  const named = text.replace(/^(No match for [a-z\d-]{1,63})[ \r]*$/im, '$1.to');
  return named.replace(TONIC, (answer) => {
    const [, name = ''] = /\n(\S+)/.exec(answer) ?? [];
    const hosts = answer.replace(/^[^\n]*\n/, '').replace(/^\S+ (\S+)[ \r]*$/gm, 'Name Server: $1');
    return `Domain Name: ${name}.to\n${hosts}`;
  });
}

/** The whole of an answer of whois.nic.sn (2018): the name without its zone, glued to the denial. */
const GLUED_DENIAL = /^([a-z\d-]{1,63})(?:\.sn)?NOT FOUND\s*$/;

const FORMS: readonly TextForm[] = [
  [GLUED_DENIAL, (text) => text.replace(GLUED_DENIAL, 'Domain Name: $1.sn\nNOT FOUND\n')],
  [PAGE, textOfPage],
  [WHOLE_PAGE, textOfPage],
  // RWhois (RFC 2167 section 3.3.2) names the class before every attribute: `domain:Created:20090324`.
  [/^%rwhois /m, (text) => text.replace(/^domain:([^:;\n]{1,64})(?:;[A-Z])?:/gm, '$1: ')],
  [/^Tonic whoisd /m, textOfTonic],
  // JWhoisServer names the missing parts of a record by number: `NO OBJECT FOUND!` above `object: 210`.
  [/^This is JWhoisServer /m, (text) => text.replace(/^NO OBJECT FOUND!\s*\nobject: +\d+ *$/gm, '')],
  // whois.registry.pf names the domain in a sentence: `Informations about 'example.pf' :`.
  [/^This is the PF /m, (text) => text.replace(/^Informations about '([^'\n]{1,253})'/m, 'Domain Name: $1')],
];

const WEB = /^[ \t\ufeff]{0,64}(?:<[!?a-z]|HTTP\/\d|content-type: |x-powered-by: )/im;
const JSON_TEXT = /^\s{0,64}(?:\{|\[\s{0,64}[{"])/;

/** Whether servers other than WHOIS answer so: a web page, an HTTP head, JSON. It states nothing about the name. */
export function isForeignForm(text: string): boolean {
  const head = text.slice(0, 1000);
  return WEB.test(head) || JSON_TEXT.test(head);
}

/** Terminal control sequences (ECMA-48), such as colours and titles. */
const SEQUENCES =
  /(?:\x1b\[|\x9b)[0-?]{0,64}[ -/]{0,8}[@-~]|\x1b[\]PX^_][^\x07\x1b\n]{0,256}(?:\x07|\x1b\\)?|\x1b[ -/]?[0-~]/g;
/** Control characters except tab and line ends, and characters that reverse or hide text. */
const CONTROLS = /[\0-\x08\v\f\x0e-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** Removes terminal sequences and control characters: published values may be printed on a terminal. */
export function printable(text: string): string {
  return text.replace(SEQUENCES, '').replace(CONTROLS, '');
}

/** The zeros of other scripts: Arabic, Persian, Indic, Thai, Lao, Khmer, full width. */
const ZEROS = '٠۰०০੦૦୦௦౦೦൦๐໐០０';
const OTHER_DIGIT = /[٠-٩۰-۹०-९০-৯੦-੯૦-૯୦-୯௦-௯౦-౯೦-೯൦-൯๐-๙໐-໙០-៩０-９]/g;

/** Replaces digits of other scripts by ASCII digits. */
export function withAsciiDigits(text: string): string {
  return text.replace(OTHER_DIGIT, (digit) => {
    const code = digit.charCodeAt(0);
    const zero = Array.from(ZEROS).find(
      (mark) => code - mark.charCodeAt(0) >= 0 && code - mark.charCodeAt(0) < 10,
    );
    return zero === undefined ? digit : String(code - zero.charCodeAt(0));
  });
}
