import { useEffect, useId, useState } from 'preact/hooks';
import { useAnswer } from '../shell/asker.ts';
import { CallLine } from '../shell/call-line.tsx';
import { CircumstanceNotes } from '../shell/circumstance-notes.tsx';
import { useImeSafeForm } from '../shell/composition.ts';
import { formatNumber } from '../shell/format.ts';
import { useLanguage, useWords } from '../shell/language-context.ts';
import { moveAmongRows } from '../shell/list-keys.ts';
import { usePageNavigator } from '../shell/navigator.ts';
import { ProblemNotice } from '../shell/problem-notice.tsx';
import { useSettled } from '../shell/settled.ts';
import { Skeleton } from '../shell/skeleton.tsx';
import { usersCall } from './calls.ts';
import { CATALOGUE_WORDS } from './catalogue-words.ts';
import type { UserRecord } from './novel-record.ts';
import { Pages } from './pages.tsx';
import { hrefOf } from './view-url.ts';

/** Authors by name or reading. */
export function AuthorsView({ word, st }: { word: string; st: number }) {
  const words = useWords(CATALOGUE_WORDS);
  const path = usersCall(word, st);
  const { loaded, problem, loading, again } = useAnswer<UserRecord[]>(path);
  useSettled(!loading);
  return (
    <>
      <h1 tabIndex={-1}>{words.titles.authors}</h1>
      <AuthorForm word={word} />
      <section class="results" aria-busy={loading} aria-label={words.author.label}>
        <CallLine path={path} />
        {problem && <ProblemNotice problem={problem} again={again} />}
        {!problem && !loaded && <Skeleton rows={6} />}
        {!problem && loaded && (
          <>
            <CircumstanceNotes circumstances={loaded.circumstances} sampleText={words.sampleText} />
            <AuthorList
              users={loaded.data}
              st={st}
              all={Number(loaded.meta['upstreamAllCount'] ?? loaded.data.length)}
              sample={loaded.circumstances.sample}
              word={word}
            />
          </>
        )}
      </section>
    </>
  );
}

function AuthorForm({ word }: { word: string }) {
  const words = useWords(CATALOGUE_WORDS);
  const navigator = usePageNavigator();
  const [draft, setDraft] = useState(word);
  const id = useId();
  useEffect(() => {
    setDraft(word);
  }, [word]);
  const form = useImeSafeForm(() => {
    navigator.go(hrefOf({ name: 'authors', word: draft.trim(), st: 1 }), 'follow');
  });
  return (
    <form class="search" role="search" {...form}>
      <div class="search-line">
        <label class="hidden" for={id}>
          {words.author.word}
        </label>
        <input
          id={id}
          type="search"
          name="authors"
          enterkeyhint="search"
          autocomplete="off"
          spellcheck={false}
          placeholder={words.author.word}
          value={draft}
          onInput={(event) => {
            setDraft(event.currentTarget.value);
          }}
        />
        <button type="submit">{words.form.submit}</button>
      </div>
    </form>
  );
}

interface AuthorListProps {
  users: UserRecord[];
  st: number;
  all: number;
  sample: boolean;
  word: string;
}

function AuthorList({ users, st, all, sample, word }: AuthorListProps) {
  const words = useWords(CATALOGUE_WORDS).author;
  const language = useLanguage();
  if (users.length === 0) {
    return (
      <div class="notice" data-state="empty" role="status">
        <p>{words.empty}</p>
      </div>
    );
  }
  return (
    <>
      <p class="count" role="status">
        <b>{words.count(formatNumber(language, all))}</b>
      </p>
      <ul class="authors" onKeyDown={moveAmongRows}>
        {users.map((user) => (
          <li key={user.userid}>
            <a class="main" lang="ja" href={hrefOf({ name: 'author', userid: user.userid, st: 1 })}>
              {user.name}
            </a>
            {user.yomikata && <span lang="ja">{user.yomikata}</span>}
            <span>{words.novels(formatNumber(language, user.novel_cnt))}</span>
          </li>
        ))}
      </ul>
      <Pages
        st={st}
        all={all}
        sample={sample}
        hrefAt={(start) => hrefOf({ name: 'authors', word, st: start })}
      />
    </>
  );
}
