/** Elements whose content is not text. */
const SILENT = ['script', 'style', 'head'];
/** Elements that end a line. */
const LINE_ENDS = new Set([
  'tr',
  'p',
  'br',
  'div',
  'li',
  'table',
  'h1',
  'h2',
  'h3',
  'h4',
  'dd',
  'pre',
  'form',
]);
const ENTITIES: Record<string, string> = { nbsp: ' ', amp: '&', lt: '<', gt: '>', quot: '"' };
const LONGEST_TAG = 2048;

/** Whether a server answered with a web page (whois.nic.nr, 2010-2018; maintenance pages). */
export function isHtmlPage(text: string): boolean {
  let start = 0;
  while (text.charCodeAt(start) <= 32) start++;
  if (text.charCodeAt(start) !== 60) return false;
  return /^<(?:!doctype html|html|head|body|table|meta|br|pre)\b/i.test(text.slice(start, start + 16));
}

/** The text of a page, a line a table row or paragraph. One pass from tag to tag. */
export function textOfPage(html: string): string {
  const parts: string[] = [];
  const lower = html.toLowerCase();
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open < 0) break;
    if (open > at) parts.push(html.slice(at, open));
    const tag = tagAt(lower, open + 1);
    at = endOfTag(lower, open, tag);
    if (LINE_ENDS.has(tag)) parts.push('\n');
    else if (tag === '/td' || tag === '/th') parts.push(' ');
  }
  if (at < html.length) parts.push(html.slice(at));
  return parts.join('').replace(/&(nbsp|amp|lt|gt|quot);/g, (_, name: string) => ENTITIES[name] ?? ' ');
}

function tagAt(lower: string, from: number): string {
  let at = lower.charCodeAt(from) === 47 ? from + 1 : from;
  while (at < from + 10 && isTagChar(lower.charCodeAt(at))) at++;
  return lower.slice(from, at);
}

function isTagChar(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
}

function endOfTag(lower: string, open: number, tag: string): number {
  const end = lower.startsWith('<!--', open) ? lower.indexOf('-->', open) : lower.indexOf('>', open);
  if (end < 0 || (end - open > LONGEST_TAG && !lower.startsWith('<!--', open))) return lower.length;
  if (!SILENT.includes(tag)) return end + 1;
  const close = lower.indexOf(`</${tag}`, end);
  return close < 0 ? lower.length : close;
}
