import { CallLine } from '../shell/call-line.tsx';
import { CircumstanceNotes } from '../shell/circumstance-notes.tsx';
import { formatNumber } from '../shell/format.ts';
import { useLanguage, useWords } from '../shell/language-context.ts';
import { moveAmongRows } from '../shell/list-keys.ts';
import { usePageNavigator } from '../shell/navigator.ts';
import { ProblemNotice } from '../shell/problem-notice.tsx';
import { Skeleton } from '../shell/skeleton.tsx';
import { useAnswer } from '../shell/asker.ts';
import { useSettled } from '../shell/settled.ts';
import { novelsCall } from './calls.ts';
import { CATALOGUE_WORDS } from './catalogue-words.ts';
import { EmptySearch } from './empty-search.tsx';
import { NovelRow } from './novel-row.tsx';
import type { NovelRecord } from './novel-record.ts';
import { Pages } from './pages.tsx';
import { SearchForm } from './search-form.tsx';
import type { NovelSearch } from './view.ts';
import { hrefOf } from './view-url.ts';

/** The search: conditions beside, novels below. */
export function SearchView({ search, adult }: { search: NovelSearch; adult: boolean }) {
  const words = useWords(CATALOGUE_WORDS);
  const navigator = usePageNavigator();
  const path = novelsCall(search, adult);
  const { loaded, problem, loading, again } = useAnswer<NovelRecord[]>(path);
  useSettled(!loading);
  const hrefAt = (st: number) => hrefOf({ name: 'search', adult, search: { ...search, st } });
  return (
    <div class="search-view">
      <h1 class="hidden" tabIndex={-1}>
        {adult ? words.titles.adultSearch : words.titles.search}
      </h1>
      <SearchForm
        search={search}
        adult={adult}
        apply={(wanted, how) => {
          navigator.go(hrefOf({ name: 'search', adult, search: wanted }), how);
        }}
      />
      <section class="results" aria-busy={loading} aria-label={words.list.label}>
        <CallLine path={path} />
        {problem && <ProblemNotice problem={problem} again={again} />}
        {!problem && !loaded && <Skeleton rows={8} />}
        {!problem && loaded && (
          <>
            <CircumstanceNotes circumstances={loaded.circumstances} sampleText={words.sampleText} />
            <ResultList
              novels={loaded.data}
              all={Number(loaded.meta['upstreamAllCount'] ?? loaded.data.length)}
              search={search}
              adult={adult}
            />
            <Pages
              st={search.st}
              all={Number(loaded.meta['upstreamAllCount'] ?? loaded.data.length)}
              sample={loaded.circumstances.sample}
              hrefAt={hrefAt}
            />
          </>
        )}
      </section>
    </div>
  );
}

function ResultList(props: { novels: NovelRecord[]; all: number; search: NovelSearch; adult: boolean }) {
  const { novels, all, search, adult } = props;
  const words = useWords(CATALOGUE_WORDS);
  const language = useLanguage();
  if (novels.length === 0) return <EmptySearch search={search} adult={adult} />;
  return (
    <>
      <p class="count" role="status">
        <b>{words.list.count(formatNumber(language, all))}</b> {words.orders[search.order] ?? search.order}
      </p>
      <ol class="rows" start={search.st} onKeyDown={moveAmongRows}>
        {novels.map((novel) => (
          <NovelRow key={novel.ncode} novel={novel} adult={adult} heading="h2" />
        ))}
      </ol>
    </>
  );
}
