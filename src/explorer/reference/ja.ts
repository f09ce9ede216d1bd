import { ja as shell } from '../shell/words-ja.ts';
import { toJapanese } from './japanese.ts';
import { ja as reference } from './words-ja.ts';

export const words = { shell, reference, published: toJapanese };
