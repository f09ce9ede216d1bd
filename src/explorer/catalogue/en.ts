import { en as shell } from '../shell/words-en.ts';
import { en as catalogue } from './words-en.ts';

export const words = { shell, catalogue, sampleText: catalogue.sampleText };
