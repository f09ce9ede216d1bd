import { AnswerView } from '../shell/answer-view.tsx';
import { ForeignText } from '../shell/foreign-text.tsx';
import { useSettled, useTitle } from '../shell/page-context.ts';
import { useAnswer } from '../shell/use-answer.ts';
import { compareQuestion } from './questions.ts';
import { MAX_COMPARED } from './view.ts';
import type { ViewOf } from './view.ts';
import { useCatalogue } from './words.ts';

/** Two to five novels side by side. */
export function CompareView({ view }: { view: ViewOf<'compare'> }) {
  const { words } = useCatalogue();
  const { ncodes } = view;
  const request = useAnswer(compareQuestion(view));
  useTitle(words.compare.title);
  useSettled(!request.loading);
  return (
    <>
      <h1 tabIndex={-1}>{words.compare.title}</h1>
      {ncodes.length < 2 && <p class="fine">{words.compare.how(MAX_COMPARED)}</p>}
      {ncodes.length > 0 && (
        <section class="results" aria-busy={request.loading}>
          <NotShown
            say={(codes) => words.compare.tooMany(MAX_COMPARED, codes)}
            ncodes={ncodes.slice(MAX_COMPARED)}
          />
          <AnswerView request={request} skeleton={8}>
            {({ data, chart, missing, View }) => (
              <>
                <NotShown say={words.compare.missing} ncodes={missing} />
                {data.length > 0 && <View view={view} chart={chart} compared={data} />}
              </>
            )}
          </AnswerView>
        </section>
      )}
    </>
  );
}

/** The requested codes that are not shown. */
function NotShown({ say, ncodes }: { say: (codes: string) => string; ncodes: readonly string[] }) {
  if (ncodes.length === 0) return null;
  return (
    <p class="note note-stale" role="status">
      <ForeignText text={say(ncodes.join(', '))} />
    </p>
  );
}
