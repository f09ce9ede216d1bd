/** The words of a text, separated by any blanks. */
export function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

/** The lines of a text, without the blanks around them. */
export function lines(text: string): string[] {
  return text
    .trim()
    .split('\n')
    .map((line) => line.trim());
}
