/** Plain text with `code`. */
export const coded = (text: string) =>
  text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));
