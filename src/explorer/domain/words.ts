import { useWords } from '../shell/page-context.ts';
import { wordsOf } from '../shell/words.ts';
import type { DomainWords } from './words-ja.ts';

const DOMAIN_WORDS = wordsOf<DomainWords>('domain');
export const useDomain = () => useWords(DOMAIN_WORDS);
