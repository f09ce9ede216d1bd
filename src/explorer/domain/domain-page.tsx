import { useEffect, useMemo } from 'preact/hooks';
import type { Problem } from '../shell/answer.ts';
import { useAnswer } from '../shell/asker.ts';
import { CallLine } from '../shell/call-line.tsx';
import { CircumstanceNotes } from '../shell/circumstance-notes.tsx';
import { Frame } from '../shell/frame.tsx';
import type { Choices } from '../shell/frame.tsx';
import { useWords } from '../shell/language-context.ts';
import { usePageNavigator, usePlace } from '../shell/navigator.ts';
import { ProblemNotice } from '../shell/problem-notice.tsx';
import { useSettled } from '../shell/settled.ts';
import { Skeleton } from '../shell/skeleton.tsx';
import { DomainForm } from './domain-form.tsx';
import { DOMAIN_WORDS } from './domain-words.ts';
import type { DomainWords } from './domain-words.ts';
import { hrefOfQuestion, lookUpCall, readQuestion } from './domain-url.ts';
import type { DomainQuestion } from './domain-url.ts';
import { HopList } from './hop-list.tsx';
import { RawText } from './raw-text.tsx';
import { readDetails } from './registration.ts';
import type { Registration } from './registration.ts';
import { RegistrationView } from './registration-view.tsx';
import { EXAMPLES } from './examples.ts';

/** The page of the registration service: one name, and what its registry says of it. */
export function DomainPage({ choices }: { choices: Choices }) {
  const words = useWords(DOMAIN_WORDS);
  const navigator = usePageNavigator();
  const { search } = usePlace();
  const question = useMemo(() => readQuestion(search), [search]);
  const { domain } = question;
  useEffect(() => {
    document.title = [domain, words.title].filter(Boolean).join(' – ');
  }, [domain, words]);
  return (
    <Frame brand={words.brand} choices={choices} navigation={null} footer={null}>
      <h1 tabIndex={-1}>{words.title}</h1>
      <DomainForm
        question={question}
        look={(asked) => {
          navigator.go(hrefOfQuestion(asked), 'follow');
        }}
      />
      {domain === '' ? <Introduction /> : <LookUp key={domain} question={question} />}
    </Frame>
  );
}

function Introduction() {
  const words = useWords(DOMAIN_WORDS);
  return (
    <div class="introduction">
      <p>{words.intro}</p>
      <p>
        {words.try}{' '}
        {EXAMPLES.map((domain) => (
          <a key={domain} href={hrefOfQuestion({ domain, registrar: false })}>
            {domain}
          </a>
        ))}
      </p>
    </div>
  );
}

function LookUp({ question }: { question: DomainQuestion }) {
  const words = useWords(DOMAIN_WORDS);
  const path = lookUpCall(question);
  const { loaded, problem, loading, again } = useAnswer<Registration>(path);
  useSettled(!loading);
  const now = Date.now();
  const sample =
    loaded?.circumstances ?? (problem && { sample: problem.sample, stale: false, ageSeconds: 0 });
  return (
    <section class="results" aria-busy={loading} aria-live="polite">
      <CallLine path={path} />
      {sample && <CircumstanceNotes circumstances={sample} sampleText={words.sampleText} />}
      {!problem && !loaded && <Skeleton rows={5} />}
      {problem && (
        <ProblemNotice problem={problem} again={again} title={titleOf(words, problem, question.domain)} />
      )}
      {problem && <Evidence details={problem.details} />}
      {!problem && loaded && <RegistrationView registration={loaded.data} now={now} />}
    </section>
  );
}

/** That a name is free is an answer to be read with the name in it. */
function titleOf(words: DomainWords, problem: Problem, domain: string): string | undefined {
  return problem.code === 'not_registered' ? words.free(domain) : undefined;
}

/** What an error brings along: the registry's text and the way there. */
function Evidence({ details }: { details: unknown }) {
  const words = useWords(DOMAIN_WORDS);
  const { whoisServer = '', raw, hops = [] } = readDetails(details);
  return (
    <>
      <HopList hops={hops} />
      {raw !== undefined && <RawText raw={raw} label={words.rawFrom(whoisServer)} />}
    </>
  );
}
