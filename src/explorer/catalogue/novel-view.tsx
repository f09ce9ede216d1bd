import { useLayoutEffect } from 'preact/hooks';
import { useAnswer } from '../shell/asker.ts';
import { CallLine } from '../shell/call-line.tsx';
import { CircumstanceNotes } from '../shell/circumstance-notes.tsx';
import { useWords } from '../shell/language-context.ts';
import { ProblemNotice } from '../shell/problem-notice.tsx';
import { useSettled } from '../shell/settled.ts';
import { Skeleton } from '../shell/skeleton.tsx';
import { novelCall } from './calls.ts';
import { CATALOGUE_WORDS } from './catalogue-words.ts';
import { HistorySection } from './history-section.tsx';
import { NovelFactList } from './novel-fact-list.tsx';
import { WriterName } from './novel-row.tsx';
import { keywordsOf, progressOf } from './novel-record.ts';
import type { NovelRecord } from './novel-record.ts';
import { PointsTable } from './points-table.tsx';
import { ANY_NOVEL } from './view.ts';
import type { Span } from './view.ts';
import { hrefOf } from './view-url.ts';

interface NovelViewProps {
  ncode: string;
  adult: boolean;
  span: Span;
  /** Milliseconds UTC. */
  now: number;
  /** Tells the title once it is known. */
  onTitle: (title: string) => void;
}

/** All that is known of one novel. */
export function NovelView({ ncode, adult, span, now, onTitle }: NovelViewProps) {
  const words = useWords(CATALOGUE_WORDS);
  const path = novelCall(ncode, adult);
  const { loaded, problem, loading, again } = useAnswer<NovelRecord>(path);
  useSettled(!loading);
  const title = loaded?.data.title;
  useLayoutEffect(() => {
    if (title !== undefined) onTitle(title);
  }, [title, onTitle]);
  // The heading stays the same element whatever comes, so that the focus given to it on arrival stays too.
  const novel = loaded?.data;
  return (
    <article class="novel">
      <header class="novel-head">
        {loaded && <CircumstanceNotes circumstances={loaded.circumstances} sampleText={words.sampleText} />}
        <h1 tabIndex={-1} lang={novel && 'ja'}>
          {novel ? novel.title : `${words.titles.novel} ${ncode}`}
        </h1>
        {novel && <NovelMarks novel={novel} adult={adult} />}
      </header>
      {problem && <ProblemNotice problem={problem} again={again} />}
      {!problem && !loaded && <Skeleton rows={6} />}
      {novel && (
        <div class="novel-columns">
          <div>
            <Synopsis novel={novel} adult={adult} />
            {!adult && <HistorySection ncode={ncode} span={span} now={now} />}
          </div>
          <aside aria-label={words.novel.facts}>
            <NovelFactList novel={novel} />
            <PointsTable novel={novel} />
            {!loaded.circumstances.sample && <ReadingLink ncode={ncode} adult={adult} />}
          </aside>
        </div>
      )}
      <CallLine path={path} />
    </article>
  );
}

const MARKS = ['isr15', 'iszankoku', 'isbl', 'isgl', 'istensei', 'istenni'] as const;

function NovelMarks({ novel, adult }: { novel: NovelRecord; adult: boolean }) {
  const words = useWords(CATALOGUE_WORDS);
  const progress = progressOf(novel);
  const marks = MARKS.filter((mark) => novel[mark] === 1);
  return (
    <>
      <p class="novel-writer">
        {words.novel.writer} <WriterName novel={novel} />
      </p>
      <p class="marks">
        {progress && <span class={`progress progress-${progress}`}>{words.progress[progress]}</span>}
        {adult && <span class="mark">R18</span>}
        {marks.map((mark) => (
          <span key={mark} class="mark">
            {words.marks[mark]}
          </span>
        ))}
      </p>
    </>
  );
}

function Synopsis({ novel, adult }: { novel: NovelRecord; adult: boolean }) {
  const words = useWords(CATALOGUE_WORDS).novel;
  const keywords = keywordsOf(novel);
  const hrefOfKeyword = (word: string) =>
    hrefOf({ name: 'search', adult, search: { ...ANY_NOVEL, word, target: 'keyword' } });
  return (
    <section>
      <h2>{words.synopsis}</h2>
      {novel.story ? (
        <p class="synopsis" lang="ja">
          {novel.story}
        </p>
      ) : (
        <p class="fine">{words.noSynopsis}</p>
      )}
      {keywords.length > 0 && (
        <ul class="keywords" aria-label={words.keywords} lang="ja">
          {keywords.map((word) => (
            <li key={word}>
              <a href={hrefOfKeyword(word)}>{word}</a>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function ReadingLink({ ncode, adult }: { ncode: string; adult: boolean }) {
  const words = useWords(CATALOGUE_WORDS).novel;
  const host = adult ? 'novel18.syosetu.com' : 'ncode.syosetu.com';
  return (
    <p>
      <a href={`https://${host}/${ncode.toLowerCase()}/`} rel="noreferrer">
        {words.read}
      </a>
    </p>
  );
}
