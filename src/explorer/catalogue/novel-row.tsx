import { formatJapanDay, formatNumber, formatReadingTime, formatShort } from '../shell/format.ts';
import { useLanguage, useWords } from '../shell/language-context.ts';
import { CATALOGUE_WORDS } from './catalogue-words.ts';
import { fullGenreName } from './genre-names.ts';
import { progressOf } from './novel-record.ts';
import type { NovelRecord } from './novel-record.ts';
import { hrefOf } from './view-url.ts';

export function hrefOfNovel(ncode: string, adult: boolean): string {
  return hrefOf({ name: 'novel', ncode, adult, span: 365 });
}

/** The author, with a link where the record tells who it is (adult records do not). */
export function WriterName({ novel }: { novel: NovelRecord }) {
  if (novel.userid === undefined) return <span lang="ja">{novel.writer}</span>;
  return (
    <a class="writer" lang="ja" href={hrefOf({ name: 'author', userid: String(novel.userid), st: 1 })}>
      {novel.writer}
    </a>
  );
}

/** Author, genre, state and size in one line. */
export function NovelFacts({ novel, withWriter = true }: { novel: NovelRecord; withWriter?: boolean }) {
  const words = useWords(CATALOGUE_WORDS);
  const language = useLanguage();
  const progress = progressOf(novel);
  return (
    <p class="facts">
      {withWriter && <WriterName novel={novel} />}
      {novel.genre !== undefined && <span>{fullGenreName(words, novel.genre)}</span>}
      {novel.nocgenre_label !== undefined && <span lang="ja">{novel.nocgenre_label}</span>}
      {progress && <span class={`progress progress-${progress}`}>{words.progress[progress]}</span>}
      {novel.noveltype === 1 && novel.general_all_no !== undefined && (
        <span>{words.list.episodes(formatNumber(language, novel.general_all_no))}</span>
      )}
      {novel.length !== undefined && (
        <span>{words.list.characters(formatShort(language, novel.length))}</span>
      )}
      {novel.time !== undefined && <span>{formatReadingTime(language, novel.time)}</span>}
      {novel.isr15 === 1 && <span class="mark">{words.marks.isr15}</span>}
      {novel.general_lastup !== undefined && (
        <span class="lastup">{words.list.lastup(formatJapanDay(language, novel.general_lastup))}</span>
      )}
    </p>
  );
}

/** One novel of a list: dense, to be skimmed by its title. */
export function NovelRow(props: {
  novel: NovelRecord;
  adult: boolean;
  withWriter?: boolean;
  /** One below the heading that the list stands under. */
  heading: 'h2' | 'h3';
}) {
  const { novel, adult, withWriter, heading: Heading } = props;
  // A synopsis begins each paragraph with a full-width blank; in two lines of a list that is only a hole.
  const story = novel.story?.replace(/\s+/g, ' ').trim();
  const words = useWords(CATALOGUE_WORDS);
  const language = useLanguage();
  return (
    <li class="row">
      <div class="row-text">
        <Heading class="row-title" lang="ja">
          <a class="main" href={hrefOfNovel(novel.ncode ?? '', adult)}>
            {novel.title}
          </a>
        </Heading>
        <NovelFacts novel={novel} {...(withWriter === undefined ? {} : { withWriter })} />
        {story && (
          <p class="story" lang="ja">
            {story}
          </p>
        )}
      </div>
      <dl class="row-figures">
        <div>
          <dt>{words.list.points}</dt>
          <dd>{formatNumber(language, novel.global_point ?? 0)}</dd>
        </div>
        <div>
          <dt>{words.list.bookmarks}</dt>
          <dd>{formatNumber(language, novel.fav_novel_cnt ?? 0)}</dd>
        </div>
      </dl>
    </li>
  );
}
