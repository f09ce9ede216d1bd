/** Longer texts are seldom the same again, and would let the others' places weigh too much. */
const MAX_LENGTH = 500;

/**
 * What a text means, worked out once: those who ask (clients with their headers and addresses) have few different ones.
 * Beyond `most` of them all are begun anew.
 */
export function remember<Meaning>(most: number, read: (text: string) => Meaning): (text: string) => Meaning {
  const known = new Map<string, Meaning>();
  return (text) => {
    const meant = known.get(text);
    if (meant !== undefined || known.has(text)) return meant as Meaning;
    const meaning = read(text);
    if (known.size >= most) known.clear();
    if (text.length <= MAX_LENGTH) known.set(text, meaning);
    return meaning;
  };
}
