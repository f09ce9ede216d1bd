import { wordsOf } from '../shell/words.ts';
import type { ReferenceWords } from './words-ja.ts';

export const REFERENCE_WORDS = wordsOf<ReferenceWords>('reference');

/** A text of the published document in the reader's language; undefined: as it is published. */
export const PUBLISHED = wordsOf<(text: string) => string | undefined>('published');
