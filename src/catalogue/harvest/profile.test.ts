import { expect, it } from 'vitest';
import { plainNovel } from '../../../test/catalogue/plain-novel.ts';
import { doubtsAbout, profileOf } from './profile.ts';

const novels = (count: number, titled = count) =>
  Array.from({ length: count }, (_, place) => plainNovel({ title: place < titled ? '霧の灯台' : '' }));

it.each([
  ['half of the novels are left, each with its title', 400, novels(200), []],
  ['2 % have lost their title', 200, novels(200, 196), []],
  ['more than 2 % have lost it', 200, novels(200, 195), [/^title: 195 of 200 novels/]],
  ['of a few novels, two have lost it', 20, novels(20, 18), []],
  ['of a few novels, three have lost it', 20, novels(20, 17), [/^title: 17 of 20 novels/]],
])('a round in which %s has these doubts', (_, before, after, doubts) => {
  expect(doubtsAbout(profileOf(novels(before)), profileOf(after))).toEqual(
    doubts.map((doubt) => expect.stringMatching(doubt) as string),
  );
});
