import type { PhpRecord, PhpValue } from './php-json.ts';

// Plain where nothing in it can mean anything in YAML: no indicator, no blank at the ends, no line break.
const PLAIN = /^[^\s\-?:,[\]{}#&*!|>'"%@`~=\\\u3000][^:#\n\r\t\u0085\u2028\u2029\ufeff]*$/u;
const BLANK_END = /[\s\u3000]$/u;
const UNSAFE = /["\\\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff]/g;
const NOT_ASCII = /["\\]|[^\u0020-\u007e]/gu;

const escapeOne = (character: string): string => {
  const code = character.codePointAt(0) ?? 0;
  if (character === '"' || character === '\\') return `\\${character}`;
  if (character === '\n') return '\\n';
  if (code > 0xffff) return `\\U${code.toString(16).toUpperCase().padStart(8, '0')}`;
  return `\\u${code.toString(16).toUpperCase().padStart(4, '0')}`;
};

/** The old library: text stands plain where it can, also where it then reads as a number (`404`) or as null. */
const looseScalar = (value: PhpValue): string => {
  if (typeof value !== 'string') return value === null ? 'null' : String(value);
  if (PLAIN.test(value) && !BLANK_END.test(value)) return value;
  return `"${value.replace(UNSAFE, escapeOne)}"`;
};

/** The new library: text is always quoted, and all but ASCII escaped. */
const strictScalar = (value: PhpValue): string => {
  if (typeof value !== 'string') return value === null ? 'null' : String(value);
  return `"${value.replace(NOT_ASCII, escapeOne)}"`;
};

/**
 * Writes a list of records as YAML. `libtype` of 2 and more is the stricter library: quoted strings, escaped
 * characters (manuals, August 2025). The exact lay-out of either is not known; both read back as the same data,
 * but for the text of the loose one that looks like a number, a date or null.
 */
export function toYaml(rows: readonly PhpRecord[], libtype: number): string {
  const scalar = libtype >= 2 ? strictScalar : looseScalar;
  const lines = ['---'];
  for (const row of rows) {
    const pairs = Object.entries(row);
    if (pairs.length === 0) lines.push('- {  }');
    else lines.push('-', ...pairs.map(([key, value]) => `  ${key}: ${scalar(value)}`));
  }
  return `${rows.length === 0 ? '--- [  ]' : lines.join('\n')}\n`;
}
