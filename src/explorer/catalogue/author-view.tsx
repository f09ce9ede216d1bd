import { useLayoutEffect } from 'preact/hooks';
import { useAnswer } from '../shell/asker.ts';
import { CallLine } from '../shell/call-line.tsx';
import { CircumstanceNotes } from '../shell/circumstance-notes.tsx';
import { formatNumber, formatShort } from '../shell/format.ts';
import { useLanguage, useWords } from '../shell/language-context.ts';
import { moveAmongRows } from '../shell/list-keys.ts';
import { ProblemNotice } from '../shell/problem-notice.tsx';
import { useSettled } from '../shell/settled.ts';
import { Skeleton } from '../shell/skeleton.tsx';
import { userCall, worksCall } from './calls.ts';
import { CATALOGUE_WORDS } from './catalogue-words.ts';
import { NovelRow } from './novel-row.tsx';
import type { NovelRecord, UserRecord } from './novel-record.ts';
import { Pages } from './pages.tsx';
import { hrefOf } from './view-url.ts';

interface AuthorViewProps {
  userid: string;
  st: number;
  /** Tells the name once it is known. */
  onTitle: (name: string) => void;
}

/** An author and all that he or she has published. */
export function AuthorView({ userid, st, onTitle }: AuthorViewProps) {
  const words = useWords(CATALOGUE_WORDS);
  const path = userCall(userid);
  const { loaded, problem, again } = useAnswer<UserRecord>(path);
  const name = loaded?.data.name;
  useLayoutEffect(() => {
    if (name !== undefined) onTitle(name);
  }, [name, onTitle]);
  return (
    <article class="author">
      <header class="author-head">
        {loaded && <CircumstanceNotes circumstances={loaded.circumstances} sampleText={words.sampleText} />}
        <h1 tabIndex={-1} lang={loaded ? 'ja' : undefined}>
          {name ?? `${words.titles.author} ${userid}`}
        </h1>
        {loaded && <AuthorFigures user={loaded.data} />}
      </header>
      {problem && <ProblemNotice problem={problem} again={again} />}
      {!problem && <Works userid={userid} st={st} />}
      <CallLine path={path} />
    </article>
  );
}

function AuthorFigures({ user }: { user: UserRecord }) {
  const words = useWords(CATALOGUE_WORDS).author;
  const language = useLanguage();
  const figures: [string, number | undefined][] = [
    [words.novelCount, user.novel_cnt],
    [words.totalPoints, user.sum_global_point],
    [words.reviewCount, user.review_cnt],
  ];
  return (
    <>
      {user.yomikata && (
        <p class="reading-of-name" lang="ja">
          {user.yomikata}
        </p>
      )}
      <dl class="totals">
        {figures.map(([name, value]) =>
          value === undefined ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{formatNumber(language, value)}</dd>
            </div>
          ),
        )}
        {user.novel_length !== undefined && (
          <div>
            <dt>{words.totalLength}</dt>
            <dd>{formatShort(language, user.novel_length)}</dd>
          </div>
        )}
      </dl>
    </>
  );
}

function Works({ userid, st }: { userid: string; st: number }) {
  const words = useWords(CATALOGUE_WORDS);
  const path = worksCall(userid, st);
  const { loaded, problem, loading, again } = useAnswer<NovelRecord[]>(path);
  useSettled(!loading);
  const all = Number(loaded?.meta['upstreamAllCount'] ?? loaded?.data.length ?? 0);
  return (
    <section class="results" aria-busy={loading}>
      <h2>{words.author.works}</h2>
      {problem && <ProblemNotice problem={problem} again={again} />}
      {!problem && !loaded && <Skeleton rows={4} />}
      {!problem && loaded?.data.length === 0 && <p class="fine">{words.author.none}</p>}
      {!problem && loaded && loaded.data.length > 0 && (
        <>
          <ol class="rows" start={st} onKeyDown={moveAmongRows}>
            {loaded.data.map((novel) => (
              <NovelRow key={novel.ncode} novel={novel} adult={false} withWriter={false} heading="h3" />
            ))}
          </ol>
          <Pages
            st={st}
            all={all}
            sample={loaded.circumstances.sample}
            hrefAt={(start) => hrefOf({ name: 'author', userid, st: start })}
          />
        </>
      )}
      <CallLine path={path} />
    </section>
  );
}
