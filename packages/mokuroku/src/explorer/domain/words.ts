import { wordsHook } from '../shell/page-context.ts';
import { ownValue } from '@mokuroku/kit';
import { problemOf } from '../shell/words.ts';
import type { ShellWords } from '../shell/words-ja.ts';
import type { DomainWords } from './words-ja.ts';

export const useDomain = wordsHook<DomainWords>('domain');

/** The text in place of a missing value, by `absenceOf` the field. */
export const textOfAbsence = (words: DomainWords, absence: '' | null): string =>
  absence === '' ? words.unpublished : words.notStated;

/** The name of a look-up's state, or of the error in its place. */
export const nameOfState = ({ states }: DomainWords, shell: ShellWords, state: string): string =>
  ownValue(states, state) ?? problemOf(shell, state)[0];
