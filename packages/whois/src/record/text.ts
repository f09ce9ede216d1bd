/** A text for people. */
export interface Text {
  readonly en: string;
  readonly ja: string;
}

export const text = (en: string, ja: string): Text => ({ en, ja });
