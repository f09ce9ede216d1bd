import { useMemo } from 'preact/hooks';
import { AnswerView } from '../shell/answer-view.tsx';
import { useAnswer } from '../shell/use-answer.ts';
import { episodeDays } from './episodes.ts';
import type { HistoryProps } from './history.tsx';
import { episodesQuestion, historyQuestion } from './questions.ts';
import { useCatalogue } from './words.ts';

interface HistorySectionProps extends Omit<HistoryProps, 'entries' | 'episodes'> {
  /** Whether the novel is from a catalogue that records changes. */
  hasChanges: boolean;
}

/** The ranking history of a novel: one chart, with a choice of ranking type and time range. */
export function HistorySection({ view, novel, hasChanges, isSample, now }: HistorySectionProps) {
  const words = useCatalogue().words.history;
  const request = useAnswer(historyQuestion(view.ncode));
  // If they fail to load, the dates of the record are still drawn.
  const changes = useAnswer(hasChanges ? episodesQuestion(view.ncode) : null).answer?.data;
  const episodes = useMemo(() => episodeDays(novel, changes ?? []), [novel, changes]);
  return (
    <section class="history">
      <h2>{words.title}</h2>
      <AnswerView request={request} skeleton={4} notes={false}>
        {({ data, View }) => <View {...{ view, novel, episodes, isSample, now }} entries={data} />}
      </AnswerView>
    </section>
  );
}
