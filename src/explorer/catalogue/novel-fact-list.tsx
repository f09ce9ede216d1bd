import type { ComponentChildren } from 'preact';
import { formatJapanTime, formatNumber, formatReadingTime } from '../shell/format.ts';
import { useLanguage, useWords } from '../shell/language-context.ts';
import { CATALOGUE_WORDS } from './catalogue-words.ts';
import { fullGenreName } from './genre-names.ts';
import { progressOf } from './novel-record.ts';
import type { NovelRecord } from './novel-record.ts';

/** The facts of a novel by name. What the record does not state is not shown. */
export function NovelFactList({ novel }: { novel: NovelRecord }) {
  const words = useWords(CATALOGUE_WORDS);
  const language = useLanguage();
  const progress = progressOf(novel);
  const number = (value: number | undefined, write: (text: string) => string = (text) => text) =>
    value === undefined ? undefined : write(formatNumber(language, value));
  const time = (text: string | undefined) =>
    text === undefined ? undefined : (
      <time dateTime={`${text.replace(' ', 'T')}+09:00`}>{formatJapanTime(language, text)}</time>
    );
  const isSerial = novel.noveltype === 1;
  const facts: [string, ComponentChildren][] = [
    [words.novel.progress, progress && words.progress[progress]],
    [words.novel.genre, novel.genre === undefined ? undefined : fullGenreName(words, novel.genre)],
    [words.adult.genre, novel.nocgenre_label && <span lang="ja">{novel.nocgenre_label}</span>],
    [words.novel.episodes, isSerial ? number(novel.general_all_no, words.novel.episodeCount) : undefined],
    [words.novel.length, number(novel.length)],
    [words.novel.time, novel.time === undefined ? undefined : formatReadingTime(language, novel.time)],
    [words.novel.dialogue, number(novel.kaiwaritu, (text) => `${text}%`)],
    [
      words.novel.illustrations,
      novel.sasie_cnt === 0 ? undefined : number(novel.sasie_cnt, words.novel.illustrationCount),
    ],
    [words.novel.firstup, time(novel.general_firstup)],
    [words.novel.lastup, isSerial ? time(novel.general_lastup) : undefined],
    [words.novel.ncode, novel.ncode && <code>{novel.ncode}</code>],
  ];
  return (
    <section>
      <h2>{words.novel.facts}</h2>
      <dl class="fact-list">
        {facts
          .filter(([, value]) => value !== undefined && value !== '')
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
    </section>
  );
}
