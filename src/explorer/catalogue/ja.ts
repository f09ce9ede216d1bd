import { ja as shell } from '../shell/words-ja.ts';
import { ja as catalogue } from './words-ja.ts';

export const words = { shell, catalogue, sampleText: catalogue.sampleText };
