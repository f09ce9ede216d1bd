import { en as shell } from '../shell/words-en.ts';
import { en as reference } from './words-en.ts';

/** What is published is English already. */
const published = () => undefined;

export const words = { shell, reference, published };
