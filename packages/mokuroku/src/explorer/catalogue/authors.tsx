import { useRef } from 'preact/hooks';
import type { User } from 'mokuroku-client/source';
import { AnswerView, Empty, PartLine } from '../shell/answer-view.tsx';
import { FactList } from '../shell/fact.tsx';
import type { Stated } from '../shell/fact.tsx';
import { ForeignText } from '../shell/foreign-text.tsx';
import { useImeSafeForm } from '../shell/keyboard.ts';
import { useSettled, useTitle } from '../shell/page-context.ts';
import { ProblemNotice } from '../shell/problem-notice.tsx';
import { FollowButton } from '../shell/shelf-parts.tsx';
import { useAnswer } from '../shell/use-answer.ts';
import { NovelRows, PageLinks, foundCount, hrefOfAuthor } from './novel-row.tsx';
import { userQuestion, usersQuestion, worksQuestion } from './questions.ts';
import { hrefTo } from './view.ts';
import type { ViewOf } from './view.ts';
import { WORKS_ORDER } from './view-lists.ts';
import { useCatalogue } from './words.ts';

/** Authors by name or reading. */
export function AuthorsView({ view }: { view: ViewOf<'authors'> }) {
  const { words } = useCatalogue();
  const request = useAnswer(usersQuestion(view));
  useTitle([view.word, words.titles.authors].filter(Boolean).join(' – '));
  useSettled(!request.loading);
  return (
    <>
      <h1 tabIndex={-1}>{words.titles.authors}</h1>
      <AuthorForm word={view.word} />
      <section class="results" aria-busy={request.loading} aria-label={words.author.label}>
        <AnswerView request={request} skeleton={6}>
          {(answer) => (
            <>
              <AuthorList users={answer.data} all={foundCount(answer)} word={view.word} />
              <PageLinks view={view} answer={answer} />
            </>
          )}
        </AnswerView>
      </section>
    </>
  );
}

function AuthorForm({ word }: { word: string }) {
  const { words, navigator } = useCatalogue();
  const field = useRef<HTMLInputElement>(null);
  const form = useImeSafeForm(() => {
    const typed = field.current?.value.trim() ?? '';
    navigator.go(hrefTo('authors', { word: typed }), 'follow');
  });
  return (
    <form class="search" role="search" {...form}>
      <div class="search-line">
        <input
          ref={field}
          key={word}
          type="search"
          name="authors"
          enterkeyhint="search"
          autocomplete="off"
          spellcheck={false}
          aria-label={words.author.word}
          placeholder={words.author.word}
          defaultValue={word}
        />
        <button type="submit">{words.navigation.search}</button>
      </div>
    </form>
  );
}

function AuthorList({ users, all, word }: { users: User[]; all: number; word: string }) {
  const { words, format } = useCatalogue();
  if (all === 0)
    return (
      <Empty>
        {words.author.empty}{' '}
        <a class="target" href={hrefTo('search', { word })}>
          {words.titles.search}
        </a>
      </Empty>
    );
  return (
    <>
      <p class="count beside baseline fine" role="status">
        <b>{words.author.count(format.number(all))}</b>
        <span>{words.author.totalPoints}</span>
      </p>
      <ul class="authors ruled">
        {users.map((user) => (
          <li key={user.userid}>
            <div>
              <a class="main" lang="ja" href={hrefOfAuthor(user.userid)}>
                <ForeignText text={user.name ?? user.userid} maxLength={80} inLink />
              </a>
              <p class="facts beside soft">
                {user.yomikata && <ForeignText lang="ja" text={user.yomikata} maxLength={80} />}
                {user.novel_cnt !== undefined && (
                  <span>{words.list.count(format.number(user.novel_cnt))}</span>
                )}
              </p>
            </div>
            {user.sum_global_point !== undefined && <b>{format.number(user.sum_global_point)}</b>}
            <FollowButton kind="author" id={user.userid} label={user.name ?? user.userid} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** An author with all works. */
export function AuthorView({ view }: { view: ViewOf<'author'> }) {
  const { words } = useCatalogue();
  const { userid } = view;
  const request = useAnswer(userQuestion(view));
  const works = useAnswer(worksQuestion(view));
  const { answer, problem, retry: again } = request;
  // A local catalogue has novels without records of their authors.
  const name = answer?.data.name ?? works.answer?.data[0]?.writer;
  const unnamed = `${words.novel.writer} ${userid}`;
  // Or its address has no user id.
  const isGone = problem !== null && [400, 404].includes(problem.status);
  const isMissing = problem !== null && problem.code !== 'not_available_here';
  useTitle(name ?? unnamed);
  useSettled(!works.loading);
  return (
    <article class="author">
      <header class="author-head">
        <div class="beside">
          <h1 tabIndex={-1} lang={name === undefined ? undefined : 'ja'}>
            {name === undefined ? unnamed : <ForeignText text={name} maxLength={80} />}
          </h1>
          {!isGone && <FollowButton kind="author" id={userid} label={name ?? userid} inFull />}
        </div>
        {!isGone && <AuthorStats user={answer?.data} />}
        {isMissing && !isGone && <PartLine request={request} what={words.author.stats} />}
      </header>
      {isGone ? (
        <ProblemNotice problem={problem} again={again} />
      ) : (
        <section class="results" aria-busy={works.loading}>
          <h2>{words.form.kinds.titles}</h2>
          <AnswerView request={works} skeleton={4}>
            {(answer) => (
              <>
                {foundCount(answer) === 0 && <Empty>{words.author.none}</Empty>}
                <NovelRows novels={answer.data} st={view.st} adult={false} order={WORKS_ORDER} isOfAuthor />
                <PageLinks view={view} answer={answer} />
              </>
            )}
          </AnswerView>
        </section>
      )}
    </article>
  );
}

/** Reserves its height before the stats arrive. */
function AuthorStats({ user }: { user: User | undefined }) {
  const { words, format } = useCatalogue();
  const write = (value: number | undefined, how = format.number) => (value === undefined ? '–' : how(value));
  const stats: readonly Stated[] = [
    [words.author.novelCount, write(user?.novel_cnt)],
    [words.author.totalPoints, write(user?.sum_global_point)],
    [words.author.reviewCount, write(user?.review_cnt)],
    [words.author.totalLength, write(user?.novel_length, format.short)],
  ];
  return (
    <>
      <p class="fine" lang="ja">
        {user?.yomikata ? <ForeignText text={user.yomikata} maxLength={80} /> : '\u00a0'}
      </p>
      <FactList facts={stats} look="stats ruled" />
    </>
  );
}
