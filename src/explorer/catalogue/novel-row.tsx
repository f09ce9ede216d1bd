import { formatJapanDay, formatNumber, formatReadingTime, formatShort } from '../shell/format.ts';
import { ForeignText } from '../shell/foreign-text.tsx';
import { useLanguage, useWords } from '../shell/page-context.ts';
import { CompareButton } from './compare-choice.tsx';
import { figureOf, progressOf } from './novel-record.ts';
import type { AnyNovel, Figure } from './novel-record.ts';
import { PAGE_LENGTH, hrefOf, novelOf } from './view.ts';
import { CATALOGUE_WORDS, fullGenreName } from './words.ts';

export const hrefOfNovel = (ncode: string, adult: boolean): string => hrefOf(novelOf(ncode, adult));

/** The author, with a link where the record tells who it is (adult records do not). */
export function WriterName({ novel }: { novel: AnyNovel }) {
  const name = <ForeignText text={novel.writer ?? ''} most={80} inLink />;
  if (novel.userid === undefined) return <span lang="ja">{name}</span>;
  return (
    <a class="writer" lang="ja" href={hrefOf({ name: 'author', userid: String(novel.userid), st: 1 })}>
      {name}
    </a>
  );
}

/** Author, genre, state and size in one line. */
export function NovelFacts({ novel, withWriter = true }: { novel: AnyNovel; withWriter?: boolean }) {
  const words = useWords(CATALOGUE_WORDS);
  const language = useLanguage();
  const progress = progressOf(novel);
  return (
    <p class="facts">
      {withWriter && <WriterName novel={novel} />}
      {novel.genre !== undefined && (
        <span class="genre" data-big={Math.floor(novel.genre / 100)}>
          {fullGenreName(words, novel.genre)}
        </span>
      )}
      {novel.nocgenre_label !== undefined && <span lang="ja">{novel.nocgenre_label}</span>}
      {progress && <span class={`progress progress-${progress}`}>{words.progress[progress]}</span>}
      {novel.noveltype === 1 && novel.general_all_no !== undefined && (
        <span>{words.list.episodes(formatNumber(language, novel.general_all_no))}</span>
      )}
      {novel.length !== undefined && (
        <span>{words.list.characters(formatShort(language, novel.length))}</span>
      )}
      {novel.time !== undefined && <span>{formatReadingTime(language, novel.time)}</span>}
      {novel.isr15 === 1 && <span class="mark">{words.marks.r15}</span>}
      {novel.general_lastup !== undefined && (
        <span class="lastup">{words.list.lastup(formatJapanDay(language, novel.general_lastup))}</span>
      )}
    </p>
  );
}

interface NovelRowProps {
  novel: AnyNovel;
  adult: boolean;
  /** What the list is sorted by: its figure stands first. */
  order: string;
  withWriter?: boolean;
  /** One below the heading that the list stands under. */
  heading: 'h2' | 'h3';
}

/** One novel of a list: dense, to be skimmed by its title. */
export function NovelRow({ novel, adult, order, withWriter = true, heading: Heading }: NovelRowProps) {
  // A synopsis begins each paragraph with a full-width blank; in two lines of a list that is only a hole.
  const story = novel.story?.slice(0, 400).replace(/\s+/g, ' ').trim();
  return (
    <li class="row">
      <div class="row-text">
        <Heading class="row-title" lang="ja">
          <a class="main" href={hrefOfNovel(novel.ncode ?? '', adult)}>
            <ForeignText text={novel.title ?? ''} inLink />
          </a>
        </Heading>
        <NovelFacts novel={novel} withWriter={withWriter} />
        {story && (
          <p class="story" lang="ja">
            <ForeignText text={story} most={400} />
          </p>
        )}
      </div>
      <div class="row-side">
        <Figures novel={novel} order={order} />
        {!adult && <CompareButton novel={novel} />}
      </div>
    </li>
  );
}

const OVERALL: Figure = { code: 'gp', field: 'global_point' };
const BOOKMARKS: Figure = { code: 'f', field: 'fav_novel_cnt' };

/** The figure that the list is sorted by, large, and one beside it. */
function Figures({ novel, order }: { novel: AnyNovel; order: string }) {
  const words = useWords(CATALOGUE_WORDS).list;
  const language = useLanguage();
  const first = figureOf(order);
  const second = first?.field === 'global_point' ? BOOKMARKS : OVERALL;
  const write = ({ field }: Figure): string => {
    const value = novel[field];
    if (typeof value === 'number') return formatNumber(language, value);
    return field === 'ncode' ? (value ?? '') : formatJapanDay(language, value ?? '');
  };
  return (
    <dl class="row-figures">
      {[first, second].map(
        (figure) =>
          figure && (
            <div key={figure.field} class={figure === first ? 'figure-first' : undefined}>
              <dt>{words.figures[figure.field]}</dt>
              <dd>{write(figure)}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** The live upstream's ceiling for `st`. */
const LAST_START = 2_000;

interface PagesProps {
  st: number;
  /** How many there are in all. */
  all: number;
  /** Whether the source serves results however far down. */
  isEndless: boolean;
  hrefAt: (st: number) => string;
}

/** The way to the pages before and after. */
export function Pages({ st, all, isEndless, hrefAt }: PagesProps) {
  const words = useWords(CATALOGUE_WORDS).list;
  const language = useLanguage();
  const last = Math.min(st + PAGE_LENGTH - 1, all);
  const next = st + PAGE_LENGTH;
  const hasNext = next <= all;
  const cutOff = hasNext && !isEndless && next > LAST_START;
  if (st === 1 && !hasNext) return null;
  return (
    <nav class="pages" aria-label={words.pages}>
      {st > 1 && (
        <a rel="prev" href={hrefAt(Math.max(1, st - PAGE_LENGTH))}>
          ‹ {words.previous}
        </a>
      )}
      <span>
        {words.range(formatNumber(language, st), formatNumber(language, last))}
        {' / '}
        {formatNumber(language, all)}
      </span>
      {hasNext && !cutOff && (
        <a rel="next" href={hrefAt(next)}>
          {words.next} ›
        </a>
      )}
      {cutOff && <p class="fine">{words.limitReached}</p>}
    </nav>
  );
}
