import { expect, it } from 'vitest';
import { plainNovel } from '../../../test/catalogue/plain-novel.ts';
import { doubtsAbout, profileOf } from './profile.ts';

it('a catalogue with half of its novels is plausible if each has its fields', () => {
  const novels = (count: number) => Array.from({ length: count }, () => plainNovel({ title: '霧の灯台' }));
  expect(doubtsAbout(profileOf(novels(400)), profileOf(novels(200)))).toEqual([]);
});
