/** A text for people. */
export interface Text {
  readonly en: string;
  readonly ja: string;
}
export type Language = keyof Text;
export const text = (en: string, ja: string): Text => ({ en, ja });

/** What is written alike in both: versions, requests, answers. */
export const same = (word: string): Text => text(word, word);
