/** Longer texts rarely repeat, and would use too much memory. */
const MAX_LENGTH = 500;

/**
 * Caches the result of `read` by its text: clients send few different headers and addresses. At `max` entries the map
 * is cleared.
 */
export function memoize<Meaning>(max: number, read: (text: string) => Meaning): (text: string) => Meaning {
  const known = new Map<string, Meaning>();
  return (text) => {
    const meant = known.get(text);
    if (meant !== undefined || known.has(text)) return meant as Meaning;
    const meaning = read(text);
    if (known.size >= max) known.clear();
    if (text.length <= MAX_LENGTH) known.set(text, meaning);
    return meaning;
  };
}
