import { japanDay } from '../../catalogue/novels/japan-date.ts';
import { AnswerView } from '../shell/answer-view.tsx';
import { useSettled } from '../shell/page-context.ts';
import { useAnswer } from '../shell/use-answer.ts';
import { compareQuestion } from './questions.ts';
import { MAX_COMPARED } from './view.ts';
import type { ViewOf } from './view.ts';
import { useCatalogue } from './words.ts';

/** Two to five novels side by side. `now` in milliseconds UTC. */
export function CompareView({ view, now }: { view: ViewOf<'compare'>; now: number }) {
  const { words } = useCatalogue();
  const request = useAnswer(view.ncodes.length === 0 ? null : compareQuestion(view.ncodes));
  useSettled(!request.loading);
  return (
    <>
      <h1 tabIndex={-1}>{words.compare.title}</h1>
      {view.ncodes.length < 2 && <p class="fine">{words.compare.how(MAX_COMPARED)}</p>}
      {view.ncodes.length > 0 && (
        <section class="results" aria-busy={request.loading}>
          <AnswerView request={request} skeleton={8}>
            {({ data, View }) => (
              <>
                <MissingNotice
                  ncodes={view.ncodes.filter((ncode) => data.every(({ novel }) => novel.ncode !== ncode))}
                />
                {data.length > 0 && <View view={view} compared={data} today={japanDay(now)} />}
              </>
            )}
          </AnswerView>
        </section>
      )}
    </>
  );
}

/** The requested codes without a novel. */
function MissingNotice({ ncodes }: { ncodes: readonly string[] }) {
  const { words } = useCatalogue();
  if (ncodes.length === 0) return null;
  return (
    <p class="note note-stale" role="status">
      {words.compare.missing(ncodes.join(', '))}
    </p>
  );
}
