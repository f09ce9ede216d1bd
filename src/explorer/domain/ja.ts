import { ja as shell } from '../shell/words-ja.ts';
import { ja as domain } from './words-ja.ts';

export const words = { shell, domain, sampleText: domain.sampleText };
