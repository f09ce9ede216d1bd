/** The words of a search between half- and full-width blanks (and line ends); none for a blank text. */
export function splitWords(text: string): string[] {
  return text.split(/[\s\u3000]+/u).filter((word) => word !== '');
}

/** Whether every word occurs in one text or another. Characters must be the same: no case or width folds. */
export function hasEveryWord(texts: readonly string[], words: readonly string[]): boolean {
  return words.every((word) => texts.some((text) => text.includes(word)));
}

/** Whether any of the words occurs in any of the texts. */
export function hasAnyWord(texts: readonly string[], words: readonly string[]): boolean {
  return words.some((word) => texts.some((text) => text.includes(word)));
}
