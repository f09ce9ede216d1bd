import type { Change } from 'mokuroku-client/source';
import { useMemo } from 'preact/hooks';
import { AnswerView } from '../shell/answer-view.tsx';
import { FactList } from '../shell/fact.tsx';
import { ForeignText } from '../shell/foreign-text.tsx';
import { useSettled, useTitle } from '../shell/page-context.ts';
import { isOffered, isSample } from '../shell/page-facts.ts';
import { FollowButton } from '../shell/shelf-parts.tsx';
import { useAnswer } from '../shell/use-answer.ts';
import type { QueryState } from '../shell/use-answer.ts';
import { CompareButton } from './compare-choice.tsx';
import { episodeDays, keywordList } from './novel-record.ts';
import type { HistoryProps } from './history.tsx';
import { PointsTable, statedFacts } from './novel-facts.tsx';
import { progressOf } from '@mokuroku/narou';
import type { AnyNovel } from './novel-record.ts';
import { WriterName, hrefOfAuthor } from './novel-row.tsx';
import { episodesQuestion, historyQuestion, oneNovelQuestion } from './questions.ts';
import { MARKS, hrefTo } from './view.ts';
import type { ViewOf } from './view.ts';
import { useCatalogue } from './words.ts';

/** Everything about one novel. */
export function NovelView({ view }: { view: ViewOf<'novel'> }) {
  const { ncode, adult } = view;
  const { words, format } = useCatalogue();
  const request = useAnswer(oneNovelQuestion(view));
  useSettled(!request.loading);
  const novel = request.answer?.data;
  // Here, so that the novel's own request is the first one of the view, when all are remembered too.
  const hasHistory = novel !== undefined && !adult && isOffered('rankings');
  const history = useAnswer(hasHistory ? historyQuestion(view) : null);
  const hasChanges = hasHistory && request.answer?.meta.asOf !== undefined;
  // If they fail to load, the dates of the record are still drawn.
  const changes = useAnswer(hasChanges ? episodesQuestion(ncode) : null).answer?.data;
  useTitle(novel?.title ?? `${words.titles.novel} ${ncode}`);
  // The heading stays the same element while data load, so that it keeps the focus set on arrival.
  return (
    <article class="novel">
      <header class="novel-head">
        <h1 tabIndex={-1} lang={novel && 'ja'}>
          {novel ? <ForeignText text={novel.title ?? ncode} /> : `${words.titles.novel} ${ncode}`}
        </h1>
        {!request.problem && <NovelMarks novel={novel} adult={adult} />}
      </header>
      <AnswerView request={request} skeleton={12}>
        {({ data }) => (
          <div class="columns novel-columns">
            <div>
              <Synopsis novel={data} adult={adult} />
              {hasHistory && <HistorySection view={view} novel={data} request={history} changes={changes} />}
            </div>
            <aside aria-label={words.novel.facts}>
              <section>
                <h2>{words.novel.facts}</h2>
                <FactList facts={statedFacts(words, format, data)} look="stats ruled" />
              </section>
              <PointsTable novel={data} />
              <NovelLinks novel={data} view={view} />
            </aside>
          </div>
        )}
      </AnswerView>
    </article>
  );
}

interface HistorySectionProps extends Pick<HistoryProps, 'view' | 'novel'> {
  request: QueryState<Awaited<ReturnType<ReturnType<typeof historyQuestion>['load']>>>;
  /** Those that a local catalogue has noticed. */
  changes: readonly Change[] | undefined;
}

/** The ranking history of a novel: one chart, with a choice of ranking type and time range. */
function HistorySection({ view, novel, request, changes }: HistorySectionProps) {
  const { words } = useCatalogue();
  const episodes = useMemo(() => episodeDays(novel, changes ?? []), [novel, changes]);
  return (
    <section class="history">
      <h2>{words.history.title}</h2>
      <AnswerView request={request} skeleton={4} notes={false}>
        {({ data, View, chart, never }) => (
          <View {...{ view, novel, episodes, chart, never }} entries={data} />
        )}
      </AnswerView>
    </section>
  );
}

/** Reserves its space before the novel is loaded. */
function NovelMarks({ novel = {}, adult }: { novel: AnyNovel | undefined; adult: boolean }) {
  const { words } = useCatalogue();
  const progress = progressOf(novel);
  return (
    <>
      <p class="novel-writer beside">
        {novel.writer !== undefined && (
          <span>
            {words.novel.writer} <WriterName novel={novel} />
          </span>
        )}
        {!adult && novel.ncode !== undefined && (
          <FollowButton kind="novel" id={novel.ncode} label={novel.title ?? novel.ncode} inFull />
        )}
        {!adult && <CompareButton novel={novel} inFull />}
      </p>
      <p class="marks beside">
        {progress && <span class={`progress progress-${progress}`}>{words.progress[progress]}</span>}
        {adult && <span class="mark tag">R18</span>}
        {MARKS.filter((mark) => novel[`is${mark}`] === 1).map((mark) => (
          <span key={mark} class="mark tag">
            {words.marks[mark]}
          </span>
        ))}
      </p>
    </>
  );
}

/** A synopsis has at most 1,000 characters; keywords 300. */
const LONG = 1_200;
const MAX_KEYWORDS = 60;

function Synopsis({ novel, adult }: { novel: AnyNovel; adult: boolean }) {
  const { novel: words, form } = useCatalogue().words;
  const keywords = keywordList(novel).slice(0, MAX_KEYWORDS);
  return (
    <section>
      <h2>{words.synopsis}</h2>
      {novel.story ? (
        <p class="synopsis" lang="ja">
          <ForeignText text={novel.story} maxLength={LONG} />
        </p>
      ) : (
        <p class="fine">{words.noSynopsis}</p>
      )}
      {keywords.length > 0 && (
        <ul class="keywords beside" aria-label={form.kinds.keywords} lang="ja">
          {keywords.map((word) => (
            <li key={word}>
              <a href={hrefTo('search', { adult, word, target: 'keyword' })}>
                <ForeignText text={word} maxLength={80} inLink />
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Where to read the novel, unless it is invented, and more by its author. */
function NovelLinks({ novel, view: { ncode, adult } }: { novel: AnyNovel; view: ViewOf<'novel'> }) {
  const words = useCatalogue().words.novel;
  const host = adult ? 'novel18.syosetu.com' : 'ncode.syosetu.com';
  return (
    <ul>
      <li>
        {isSample() ? (
          <b class="tag">{words.invented}</b>
        ) : (
          <a href={`https://${host}/${encodeURIComponent(ncode.toLowerCase())}/`} rel="noreferrer">
            {words.read}
          </a>
        )}
      </li>
      {!adult && novel.userid !== undefined && (
        <li>
          <a href={hrefOfAuthor(novel.userid)}>{words.moreByWriter}</a>
        </li>
      )}
    </ul>
  );
}
