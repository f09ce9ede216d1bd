import { useMemo } from 'preact/hooks';
import { japanDay } from '../../catalogue/novels/japan-date.ts';
import { RANKING_TYPES } from '../../catalogue/novels/ranking-date.ts';
import { useAnswer } from '../shell/asker.ts';
import { CallLine } from '../shell/call-line.tsx';
import { useWords } from '../shell/language-context.ts';
import { usePageNavigator } from '../shell/navigator.ts';
import { ProblemNotice } from '../shell/problem-notice.tsx';
import { Skeleton } from '../shell/skeleton.tsx';
import { historyCall } from './calls.ts';
import { CATALOGUE_WORDS } from './catalogue-words.ts';
import type { HistoryEntry } from './novel-record.ts';
import { lastDays, readHistory } from './rank-history.ts';
import { RankChart } from './rank-chart.tsx';
import { SPANS } from './view.ts';
import type { Span } from './view.ts';
import { hrefOf } from './view-url.ts';

interface HistorySectionProps {
  ncode: string;
  span: Span;
  /** Milliseconds UTC. */
  now: number;
}

/** The ranking history of a novel: a chart for each period, all over the same span of time. */
export function HistorySection({ ncode, span, now }: HistorySectionProps) {
  const words = useWords(CATALOGUE_WORDS).history;
  const path = historyCall(ncode);
  const { loaded, problem, again } = useAnswer<HistoryEntry[]>(path);
  return (
    <section class="history">
      <div class="history-head">
        <h2>{words.title}</h2>
        {loaded && loaded.data.length > 0 && <SpanChoice ncode={ncode} span={span} />}
      </div>
      {problem && <ProblemNotice problem={problem} again={again} />}
      {!problem && !loaded && <Skeleton rows={4} />}
      {!problem && loaded && <Charts entries={loaded.data} span={span} today={japanDay(now)} />}
      <CallLine path={path} />
    </section>
  );
}

function Charts({ entries, span, today }: { entries: HistoryEntry[]; span: Span; today: number }) {
  const words = useWords(CATALOGUE_WORDS);
  const history = useMemo(() => readHistory(entries), [entries]);
  if (entries.length === 0) return <p class="fine">{words.history.never}</p>;
  const firstOfAll = Math.min(...RANKING_TYPES.map((type) => history[type][0]?.day ?? today));
  // A young novel gets the room of its own life, a short one of at least four weeks.
  const firstDay = Math.min(Math.max(firstOfAll, span === 0 ? firstOfAll : today - span), today - 28);
  return (
    <div class="charts">
      {RANKING_TYPES.map((type) => (
        <RankChart
          key={type}
          type={type}
          points={lastDays(history[type], span, today)}
          firstDay={firstDay}
          lastDay={today}
        />
      ))}
    </div>
  );
}

function SpanChoice({ ncode, span }: { ncode: string; span: Span }) {
  const words = useWords(CATALOGUE_WORDS).history;
  const navigator = usePageNavigator();
  return (
    <div class="pills" role="group" aria-label={words.span}>
      {SPANS.map((each) => (
        <button
          key={each}
          type="button"
          class="pill"
          aria-pressed={each === span}
          onClick={() => {
            navigator.go(hrefOf({ name: 'novel', adult: false, ncode, span: each }), 'refine');
          }}
        >
          {words.spans[each]}
        </button>
      ))}
    </div>
  );
}
