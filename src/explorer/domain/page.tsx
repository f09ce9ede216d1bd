import { useEffect, useMemo, useState } from 'preact/hooks';
import { createRegistrationClient } from '../../client/index.ts';
import type { MokurokuError } from '../../client/index.ts';
import type { Service } from '../shell/answers.ts';
import { AnswerView, Guarded, ResponseNotes } from '../shell/answer-view.tsx';
import { CallLine } from '../shell/call-line.tsx';
import { ForeignText } from '../shell/foreign-text.tsx';
import { Frame } from '../shell/frame.tsx';
import type { Choices } from '../shell/frame.tsx';
import { mountPage } from '../shell/mount.tsx';
import { usePlace, useSettled, useTitle } from '../shell/page-context.ts';
import { ProblemNotice } from '../shell/problem-notice.tsx';
import type { Start } from '../shell/start.ts';
import { useAnswer } from '../shell/use-answer.ts';
import { DomainForm } from './domain-form.tsx';
import { hrefOfQuestion, lookUpQuestion, readQuestion } from './domain-url.ts';
import type { DomainQuestion } from './domain-url.ts';
import { Evidence } from './evidence.tsx';
import { hrefOfNames, isSoonestFirst, namesIn, readNames } from './many.ts';
import { ManyView } from './many-view.tsx';
import { addRecent, clearRecent, readRecent } from './recent.ts';
import { RegistrationView } from './registration-view.tsx';
import { useDomain } from './words.ts';

/** The page of the registration service: one name, and what its registry says of it. */
function DomainPage({ choices }: { choices: Choices }) {
  const { words, navigator } = useDomain();
  const { search } = usePlace();
  const question = useMemo(() => readQuestion(search), [search]);
  const names = useMemo(() => readNames(search), [search]);
  const { domain } = question;
  useTitle(domain, words.title);
  return (
    <Frame brand={words.brand} choices={choices}>
      <h1 tabIndex={-1}>{words.title}</h1>
      <DomainForm
        question={names.length > 0 ? { ...question, domain: names.join('\n') } : question}
        look={({ domain: text, registrar }) => {
          const [name = '', ...more] = namesIn(text);
          const href =
            more.length > 0 ? hrefOfNames([name, ...more]) : hrefOfQuestion({ domain: name, registrar });
          navigator.go(href, 'follow');
        }}
      />
      <Recent domain={domain} />
      <Guarded>
        {names.length > 0 && <ManyView key={names.join()} names={names} soonest={isSoonestFirst(search)} />}
        {names.length === 0 && domain === '' && <Introduction />}
        {names.length === 0 && domain !== '' && <LookUp key={domain} question={question} />}
      </Guarded>
    </Frame>
  );
}

/** The names looked up before in this browser, each to be looked up again; kept nowhere else. */
function Recent({ domain }: { domain: string }) {
  const { words, preferences } = useDomain();
  const [names, setNames] = useState(() => readRecent(preferences));
  useEffect(() => {
    if (domain !== '') addRecent(preferences, domain);
    setNames(readRecent(preferences));
  }, [domain, preferences]);
  const others = names.filter((name) => name !== domain);
  if (others.length === 0) return null;
  return (
    <div class="recent beside tight">
      <span class="fine">{words.recent}</span>
      {others.map((name) => (
        <a key={name} class="chip" href={hrefOfQuestion({ domain: name, registrar: false })}>
          <ForeignText text={name} most={60} inLink />
        </a>
      ))}
      <button
        type="button"
        class="quiet small"
        onClick={() => {
          clearRecent(preferences);
          setNames([]);
        }}
      >
        {words.forget}
      </button>
    </div>
  );
}

/** Names that exist in the sample as well as in the real world, one for each kind of registry. */
const EXAMPLES = ['example.com', 'example.org', 'example.jp', 'example.de', 'example.co.uk'];

function Introduction() {
  const { words } = useDomain();
  return (
    <div class="introduction">
      <p>
        {words.intro} {words.severalNames}
      </p>
      <p class="beside">
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
  const asked = useAnswer(lookUpQuestion(question));
  const { problem, loading, again } = asked;
  useSettled(!loading);
  const now = Date.now();
  return (
    <section class="results" aria-busy={loading} aria-live="polite">
      <CallLine asked={asked} />
      {problem ? (
        <Refusal problem={problem} again={again} domain={question.domain} />
      ) : (
        <AnswerView asked={asked} rows={5}>
          {({ data }) => <RegistrationView registration={data} now={now} />}
        </AnswerView>
      )}
    </section>
  );
}

/** That a name is free is an answer, to be read with the name in it; with it comes what the registry said. */
function Refusal(props: { problem: MokurokuError; again: () => void; domain: string }) {
  const { problem, again, domain } = props;
  const { words } = useDomain();
  const title = problem.code === 'not_registered' ? words.free(domain) : undefined;
  return (
    <>
      {problem.response && <ResponseNotes response={problem.response} />}
      <ProblemNotice problem={problem} again={again} title={title} />
      <Evidence details={problem.details} />
    </>
  );
}

export const mount = (start: Start): Promise<void> =>
  mountPage(
    {
      page: DomainPage,
      // Its questions are look-ups alone, so the other half of the client stays out of the bundle.
      service: createRegistrationClient({ baseUrl: location.origin }) as Service,
      firstQuestion: (search) => {
        const question = readQuestion(search);
        return question.domain === '' ? null : lookUpQuestion(question);
      },
    },
    start,
  );
