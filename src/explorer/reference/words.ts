import { useWords } from '../shell/page-context.ts';
import { wordsOf } from '../shell/words.ts';
import type { ReferenceWords } from './words-ja.ts';

const REFERENCE_WORDS = wordsOf<ReferenceWords>('reference');
export const useReference = () => useWords(REFERENCE_WORDS);
