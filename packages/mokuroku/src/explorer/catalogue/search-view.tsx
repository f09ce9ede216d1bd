import { AnswerView, Empty } from '../shell/answer-view.tsx';
import { ForeignText, cut } from '../shell/foreign-text.tsx';
import { isLocal, isOffered } from '../shell/page-facts.ts';
import { useSettled, useTitle } from '../shell/page-context.ts';
import { wordFor } from '../shell/words.ts';
import { conditionsOf, withoutCondition, countsOf, describeCondition } from './conditions.ts';
import type { CountOf } from './conditions.ts';
import { Count } from '../shell/form-controls.tsx';
import type { AnyNovel } from './novel-record.ts';
import { NovelRows, PageLinks, foundCount } from './novel-row.tsx';
import { useAnswer } from '../shell/use-answer.ts';
import { novelsQuestion } from './questions.ts';
import { SearchForm } from './search-form.tsx';
import { ANY_NOVEL, hrefOf, hrefTo } from './view.ts';
import type { SearchInput } from './view.ts';
import { useCatalogue } from './words.ts';

/** The search: the filters, and the novels found. */
export function SearchView({ view }: { view: SearchInput }) {
  const { words, format } = useCatalogue();
  const request = useAnswer(novelsQuestion(view, isLocal()));
  const isFirst = isLocal() && request.loading && request.answer === null;
  const countOf = countsOf(isFirst ? null : request.answer?.meta.facets, view);
  const title = view.adult ? words.titles.adultSearch : words.titles.search;
  const named = conditionsOf(view).map((condition) => describeCondition({ words, format }, condition));
  if (view.order !== ANY_NOVEL.order) named.push(wordFor(words.values.order, view.order));
  useTitle([...named, title].join(' – '));
  useSettled(!request.loading);
  return (
    <div class="search-view">
      <h1 class="hidden" tabIndex={-1}>
        {title}
      </h1>
      <SearchForm search={view} countOf={countOf} all={request.answer?.meta.upstreamAllCount} />
      <section class="results" aria-busy={request.loading} aria-label={words.list.label}>
        <SetConditions view={view} countOf={countOf} />
        <AnswerView request={request} skeleton={8}>
          {(answer) => (
            <>
              <ResultList view={view} novels={answer.data} all={foundCount(answer)} />
              <PageLinks view={view} answer={answer} />
            </>
          )}
        </AnswerView>
      </section>
    </div>
  );
}

function ResultList({ view, novels, all }: { view: SearchInput; novels: AnyNovel[]; all: number }) {
  const { words, format } = useCatalogue();
  if (all === 0) return <EmptySearch view={view} />;
  return (
    <>
      <p class="count beside baseline fine" role="status">
        <b>{words.list.count(format.number(all))}</b> {wordFor(words.values.order, view.order)}
      </p>
      <NovelRows
        novels={novels}
        st={view.st}
        adult={view.adult}
        order={view.order}
        marked={view.word.split(/\s+/).filter(Boolean)}
      />
    </>
  );
}

const MAX_CHIP = 60;

/** The filters in use, each with a link that removes it. */
function SetConditions({ view, countOf }: { view: SearchInput; countOf: CountOf }) {
  const { words, format } = useCatalogue();
  const conditions = conditionsOf(view);
  if (conditions.length === 0) return null;
  return (
    <ul class="chips beside tight" aria-label={words.form.conditions}>
      {conditions.map((condition) => {
        const whole = describeCondition({ words, format }, condition);
        // The spoken name contains what is shown.
        const label = whole.length > MAX_CHIP ? `${cut(whole, MAX_CHIP)}…` : whole;
        const count = countOf(condition.field, condition.value);
        const shown = typeof count === 'number' ? `${label} ${format.number(count)}` : label;
        return (
          <li key={condition.field + condition.value}>
            <a
              class="chip"
              href={hrefOf(withoutCondition(view, condition))}
              aria-label={words.list.without(shown)}
            >
              <ForeignText text={label} inLink />
              <Count value={count} /> <span aria-hidden="true">×</span>
            </a>
          </li>
        );
      })}
    </ul>
  );
}

/** Nothing matched: the chips above remove each filter, and a link all of them. */
function EmptySearch({ view }: { view: SearchInput }) {
  const { list: words, form, titles } = useCatalogue().words;
  const { word, adult } = view;
  const conditions = conditionsOf(view);
  return (
    <Empty title={words.emptyTitle}>
      {conditions.length === 0 ? words.emptyAll : words.emptyText}{' '}
      {conditions.length > (word === '' ? 0 : 1) && (
        <a class="target" href={hrefTo('search', { adult, word })}>
          {form.reset}
        </a>
      )}{' '}
      {word !== '' && !adult && isOffered('users') && (
        <a class="target" href={hrefTo('authors', { word })}>
          {titles.authors}
        </a>
      )}
    </Empty>
  );
}
