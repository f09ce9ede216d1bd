/** Longer texts rarely repeat, and would use too much memory. */
const MAX_LENGTH = 500;

/**
 * Caches the result of `read` by its text: clients send few different headers and addresses. At `max` entries the map
 * is cleared.
 */
export function memoize<Meaning extends object | string | boolean>(
  max: number,
  read: (text: string) => Meaning,
): (text: string) => Meaning {
  const meanings = new Map<string, Meaning>();
  return (text) => {
    const meant = meanings.get(text);
    if (meant !== undefined) return meant;
    const meaning = read(text);
    if (meanings.size >= max) meanings.clear();
    if (text.length <= MAX_LENGTH) meanings.set(text, meaning);
    return meaning;
  };
}
