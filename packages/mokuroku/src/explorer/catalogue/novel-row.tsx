import type { Answer, SearchMeta } from 'mokuroku-client/source';
import { Fact } from '../shell/fact.tsx';
import { ForeignText, cut } from '../shell/foreign-text.tsx';
import { FollowButton } from '../shell/shelf-parts.tsx';
import { CompareButton } from './compare-choice.tsx';
import { LAST_START, biggenreOf, progressOf } from '@mokuroku/narou';
import { figureOf } from './novel-record.ts';
import type { AnyNovel, FigureField } from './novel-record.ts';
import { PAGE_LENGTH, hrefOf, hrefTo } from './view.ts';
import type { ViewOf } from './view.ts';
import { fullGenreName, useCatalogue } from './words.ts';

export const hrefOfAuthor = (userid: number | string): string => hrefTo('author', { userid: String(userid) });

interface Marked {
  /** Words of the search that found the novel. */
  marked?: readonly string[] | undefined;
}

/** The title, as a link to the novel's view. */
export function TitleLink({ novel, adult = false, marked }: Marked & { novel: AnyNovel; adult?: boolean }) {
  const { ncode = '', title = ncode } = novel;
  return (
    <a class="main" lang="ja" href={hrefTo('novel', { ncode, adult })}>
      <ForeignText text={title} inLink marked={marked} />
    </a>
  );
}

/** The author, as a link if the record has the id (adult records do not). */
export function WriterName({ novel, marked }: Marked & { novel: AnyNovel }) {
  const name = <ForeignText text={novel.writer ?? ''} maxLength={80} inLink marked={marked} />;
  if (novel.userid === undefined) return <span lang="ja">{name}</span>;
  return (
    <a class="writer target" lang="ja" href={hrefOfAuthor(novel.userid)}>
      {name}
    </a>
  );
}

/** Author, genre, state and size in one line. */
export function NovelFacts({
  novel,
  withWriter = true,
  marked,
}: Marked & { novel: AnyNovel; withWriter?: boolean }) {
  const { words, format } = useCatalogue();
  const progress = progressOf(novel);
  return (
    <p class="facts beside soft">
      {withWriter && <WriterName novel={novel} marked={marked} />}
      {novel.genre !== undefined && (
        <span class="genre" data-big={biggenreOf(novel.genre)}>
          {fullGenreName(words, novel.genre)}
        </span>
      )}
      {novel.nocgenre_label !== undefined && <span lang="ja">{novel.nocgenre_label}</span>}
      {progress && <span class={`progress progress-${progress}`}>{words.progress[progress]}</span>}
      {novel.noveltype === 1 && novel.general_all_no !== undefined && (
        <span>{words.list.episodes(format.number(novel.general_all_no))}</span>
      )}
      {novel.length !== undefined && <span>{words.list.characters(format.short(novel.length))}</span>}
      {novel.time !== undefined && <span>{format.readingTime(novel.time)}</span>}
      {novel.isr15 === 1 && <span class="mark tag">{words.marks.r15}</span>}
      {novel.general_lastup !== undefined && (
        <span class="lastup">{words.list.lastup(format.japanDay(novel.general_lastup))}</span>
      )}
    </p>
  );
}

/** The actions for a novel of a list. */
export function RowActions({ novel }: { novel: AnyNovel }) {
  const { ncode = '', title = ncode } = novel;
  return (
    <span class="row-actions">
      <FollowButton kind="novel" id={ncode} label={title} />
      <CompareButton novel={novel} />
    </span>
  );
}

interface NovelRowProps extends Marked {
  novel: AnyNovel;
  adult: boolean;
  /** The order of the list; its field is shown first. */
  order: string;
  /** In the list of an author, which has a heading of its own. */
  isOfAuthor?: boolean;
}

/** One novel of a list: compact, recognized by its title. */
function NovelRow({ novel, adult, order, isOfAuthor = false, marked }: NovelRowProps) {
  const Heading = isOfAuthor ? 'h3' : 'h2';
  // A synopsis begins each paragraph with a full-width space, which is a gap in the two lines of a list.
  const story = cut(novel.story ?? '', 400)
    .replace(/\s+/g, ' ')
    .trim();
  return (
    <li class="row">
      <div class="row-text">
        <Heading class="row-title" lang="ja">
          <TitleLink novel={novel} adult={adult} marked={marked} />
        </Heading>
        <NovelFacts novel={novel} withWriter={!isOfAuthor} marked={marked} />
        {story && (
          <p class="story" lang="ja">
            <ForeignText text={story} maxLength={400} marked={marked} />
          </p>
        )}
      </div>
      <div class="row-side">
        <NovelStats novel={novel} order={order} />
        {!adult && <RowActions novel={novel} />}
      </div>
    </li>
  );
}

interface NovelListProps extends Omit<NovelRowProps, 'novel'> {
  novels: readonly AnyNovel[];
  /** The position of the first novel. */
  st: number;
}

export function NovelRows({ novels, st, ...looks }: NovelListProps) {
  return (
    <ol class="rows" start={st}>
      {novels.map((novel, index) => (
        <NovelRow key={novel.ncode ?? index} novel={novel} {...looks} />
      ))}
    </ol>
  );
}

/** The field by which the list is sorted, in large print, and one more. */
function NovelStats({ novel, order }: { novel: AnyNovel; order: string }) {
  const { words, format } = useCatalogue();
  const first = figureOf(order)?.field;
  const second: FigureField = first === 'global_point' ? 'fav_novel_cnt' : 'global_point';
  const write = (field: FigureField): string => {
    const value = novel[field];
    if (typeof value === 'number') return format.number(value);
    return field === 'ncode' ? (value ?? '–') : format.japanDay(value ?? '–');
  };
  return (
    <dl class="row-stats soft">
      {[first, second].map(
        (field) =>
          field && (
            <Fact
              key={field}
              name={words.list.stats[field]}
              look={field === first ? 'stat-first' : undefined}
            >
              {write(field)}
            </Fact>
          ),
      )}
    </dl>
  );
}

/** The number of all matches. */
export const foundCount = ({ data, meta }: Pick<Answer<unknown[], SearchMeta>, 'data' | 'meta'>): number =>
  meta.upstreamAllCount ?? data.length;

/** The start of the previous page; before a position after the last match is the last page. */
export const startBefore = (st: number, all: number): number =>
  Math.max(1, Math.min(st, all + 1) - PAGE_LENGTH);

interface PagesProps {
  view: ViewOf<'search' | 'author' | 'authors'>;
  answer: Answer<unknown[], SearchMeta>;
}

/** Links to the previous and the next page. */
export function PageLinks({ view, answer }: PagesProps) {
  const { words, format } = useCatalogue();
  const { st } = view;
  const all = foundCount(answer);
  // The sample and a local catalogue have no maximum position.
  const isEndless = answer.response.sample || answer.meta.asOf !== undefined;
  const last = Math.min(st + PAGE_LENGTH - 1, all);
  const next = st + PAGE_LENGTH;
  const hasNext = next <= all;
  const cutOff = hasNext && !isEndless && next > LAST_START;
  if (st === 1 && !hasNext) return null;
  return (
    <nav class="pages beside" aria-label={words.list.pages}>
      {st > 1 && (
        <a rel="prev" href={hrefOf({ ...view, st: startBefore(st, all) })}>
          ‹ {words.list.previous}
        </a>
      )}
      <span>
        {st <= last && `${words.list.range(format.number(st), format.number(last))} / `}
        {format.number(all)}
      </span>
      {hasNext && !cutOff && (
        <a rel="next" href={hrefOf({ ...view, st: next })}>
          {words.list.next} ›
        </a>
      )}
      {cutOff && <p class="fine">{words.list.limitReached}</p>}
    </nav>
  );
}
