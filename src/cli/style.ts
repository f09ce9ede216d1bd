/** Colours, or nothing where there is no terminal to show them. */
export interface Style {
  bold: (text: string) => string;
  dim: (text: string) => string;
  red: (text: string) => string;
  green: (text: string) => string;
  yellow: (text: string) => string;
}

const plain = (text: string): string => text;
const sgr = (on: number, off: number) => (text: string) => `\u001b[${on}m${text}\u001b[${off}m`;

export function createStyle(hasColour: boolean): Style {
  if (!hasColour) return { bold: plain, dim: plain, red: plain, green: plain, yellow: plain };
  return { bold: sgr(1, 22), dim: sgr(2, 22), red: sgr(31, 39), green: sgr(32, 39), yellow: sgr(33, 39) };
}
