/** The items of a list, `one | two words`, on any number of lines. */
export const listOf = (text: string): string[] => text.trim().split(/\s*\|\s*/);
