import { hostEndsAt, isHostChar } from './host-names.ts';

/** The name in a sentence such as `No match for "example.test".`; null where there is none. */
export function nameInStatement(words: string): string | null {
  const end = endOfLine(words);
  for (let dot = words.indexOf('.'); dot >= 0 && dot < end; dot = words.indexOf('.', dot + 1)) {
    let start = dot;
    while (start > 0 && isHostChar(words.charCodeAt(start - 1))) start--;
    let stop = dot;
    while (stop < end && isHostChar(words.charCodeAt(stop))) stop++;
    dot = stop;
    if (isAddressMark(words, start - 1) || isAddressMark(words, stop)) continue;
    while (words.charCodeAt(stop - 1) === 46) stop--;
    const name = words.slice(start, stop);
    const isServer = name.startsWith('www.') || name.startsWith('whois.');
    if (!isServer && hostEndsAt(name, 0, name.length) === name.length) return name;
  }
  return null;
}

function isAddressMark(words: string, at: number): boolean {
  const code = words.charCodeAt(at);
  return code === 47 || code === 64;
}

/** Seconds that a throttling answer asks to wait; null where it names none. */
export function waitInStatement(words: string): number | null {
  const match = /(\d{1,6})(\.\d{1,6})?[\s-]*(second|sec|minute|min|hour)/.exec(words);
  if (match === null) return null;
  const unit = match[3]?.startsWith('h') === true ? 3600 : match[3]?.startsWith('m') === true ? 60 : 1;
  return Math.ceil((Number(match[1]) + Number(match[2] ?? 0)) * unit);
}

function endOfLine(words: string): number {
  const end = words.indexOf('\n');
  return end < 0 ? words.length : end;
}
