import { en as shell } from '../shell/words-en.ts';
import { en as domain } from './words-en.ts';

export const words = { shell, domain, sampleText: domain.sampleText };
