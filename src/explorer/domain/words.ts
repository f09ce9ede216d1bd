import { wordsOf } from '../shell/words.ts';
import type { DomainWords } from './words-ja.ts';

export const DOMAIN_WORDS = wordsOf<DomainWords>('domain');
