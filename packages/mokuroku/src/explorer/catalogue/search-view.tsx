import { AnswerView, Empty } from '../shell/answer-view.tsx';
import { ForeignText } from '../shell/foreign-text.tsx';
import { isLocal, isOffered } from '../shell/page-facts.ts';
import { useSettled, useTitle } from '../shell/page-context.ts';
import { useAnswer } from '../shell/use-answer.ts';
import { wordFor } from '../shell/words.ts';
import { conditionsOf, withoutCondition, countsOf, describeCondition } from './conditions.ts';
import type { CountOf } from './conditions.ts';
import { Count } from '../shell/form-controls.tsx';
import type { AnyNovel } from './novel-record.ts';
import { NovelRows, PageLinks, foundCount } from './novel-row.tsx';
import { novelsQuestion } from './questions.ts';
import { SearchForm } from './search-form.tsx';
import { ANY_NOVEL, hrefOf } from './view.ts';
import type { ViewOf } from './view.ts';
import { useCatalogue } from './words.ts';

/** The search: the filters, and the novels found. */
export function SearchView({ view }: { view: ViewOf<'search'> }) {
  const { search, adult } = view;
  const { words, format } = useCatalogue();
  const request = useAnswer(novelsQuestion(search, adult, isLocal()));
  const isFirst = isLocal() && request.loading && request.answer === null;
  const countOf = countsOf(isFirst ? null : request.answer?.meta.facets, search);
  const title = adult ? words.titles.adultSearch : words.titles.search;
  const named = conditionsOf(search).map((condition) => describeCondition({ words, format }, condition));
  if (search.order !== ANY_NOVEL.order) named.push(wordFor(words.values.order, search.order));
  useTitle([...named, title].join(' – '));
  useSettled(!request.loading);
  return (
    <div class="search-view">
      <h1 class="hidden" tabIndex={-1}>
        {title}
      </h1>
      <SearchForm view={view} countOf={countOf} all={request.answer?.meta.upstreamAllCount} />
      <section class="results" aria-busy={request.loading} aria-label={words.list.label}>
        <SetConditions view={view} countOf={countOf} />
        <AnswerView request={request} skeleton={8}>
          {(answer) => (
            <>
              <ResultList view={view} novels={answer.data} all={foundCount(answer)} />
              <PageLinks
                st={search.st}
                answer={answer}
                at={(st) => ({ ...view, search: { ...search, st } })}
              />
            </>
          )}
        </AnswerView>
      </section>
    </div>
  );
}

function ResultList(props: { view: ViewOf<'search'>; novels: AnyNovel[]; all: number }) {
  const { view, novels, all } = props;
  const { search, adult } = view;
  const { words, format } = useCatalogue();
  if (all === 0) return <EmptySearch view={view} />;
  return (
    <>
      <p class="count beside baseline fine" role="status">
        <b>{words.list.count(format.number(all))}</b> {wordFor(words.values.order, search.order)}
      </p>
      <NovelRows
        novels={novels}
        st={search.st}
        adult={adult}
        order={search.order}
        marked={search.word.split(/\s+/).filter(Boolean)}
      />
    </>
  );
}

/** The filters in use, each with a link that removes it. */
function SetConditions({ view, countOf }: { view: ViewOf<'search'>; countOf: CountOf }) {
  const { search } = view;
  const { words, format } = useCatalogue();
  const conditions = conditionsOf(search);
  if (conditions.length === 0) return null;
  return (
    <ul class="chips beside tight" aria-label={words.form.conditions}>
      {conditions.map((condition) => {
        const label = describeCondition({ words, format }, condition);
        const count = countOf(condition.field, condition.value);
        const shown = typeof count === 'number' ? `${label} ${format.number(count)}` : label;
        return (
          <li key={condition.field + condition.value}>
            <a
              class="chip"
              href={hrefOf({ ...view, search: withoutCondition(search, condition) })}
              aria-label={words.list.without(shown)}
            >
              <ForeignText text={label} maxLength={60} inLink />
              <Count value={count} /> <span aria-hidden="true">×</span>
            </a>
          </li>
        );
      })}
    </ul>
  );
}

/** Nothing matched: the chips above remove each filter, and a link all of them. */
function EmptySearch({ view }: { view: ViewOf<'search'> }) {
  const { list: words, form, titles } = useCatalogue().words;
  const { word } = view.search;
  const conditions = conditionsOf(view.search);
  return (
    <Empty title={words.emptyTitle}>
      {conditions.length === 0 ? words.emptyAll : words.emptyText}{' '}
      {conditions.length > (word === '' ? 0 : 1) && (
        <a class="target" href={hrefOf({ ...view, search: { ...ANY_NOVEL, word } })}>
          {form.reset}
        </a>
      )}{' '}
      {word !== '' && !view.adult && isOffered('users') && (
        <a class="target" href={hrefOf({ name: 'authors', word, st: 1 })}>
          {titles.authors}
        </a>
      )}
    </Empty>
  );
}
