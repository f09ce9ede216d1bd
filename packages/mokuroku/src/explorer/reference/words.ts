import { wordsHook } from '../shell/page-context.ts';
import type { ReferenceWords } from './words-ja.ts';

export const useReference = wordsHook<ReferenceWords>('reference');
