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
import { hrefOf, lookUpQuestion, readView } from './domain-url.ts';
import { Evidence } from './evidence.tsx';
import { ManyView } from './many-view.tsx';
import { addRecent, clearRecent, readRecent } from './recent.ts';
import { RegistrationView } from './registration-view.tsx';
import { useDomain } from './words.ts';

/** The page of the registration service: one name, and what its registry says of it. */
function DomainPage({ choices }: { choices: Choices }) {
  const { words, navigator } = useDomain();
  const { search } = usePlace();
  const { names, isMany, registrar, soonest } = useMemo(() => readView(search), [search]);
  const [domain = ''] = isMany ? [] : names;
  useTitle(domain, words.title);
  return (
    <Frame brand={words.brand} choices={choices}>
      <h1 tabIndex={-1}>{words.title}</h1>
      <DomainForm
        names={names}
        registrar={registrar}
        look={(wanted, alsoThere) => navigator.go(hrefOf({ names: wanted, registrar: alsoThere }), 'follow')}
      />
      <Recent domain={domain} />
      <Guarded>
        {isMany && <ManyView key={names.join()} names={names} soonest={soonest} />}
        {names.length === 0 && <Introduction />}
        {domain !== '' && <LookUp key={domain} domain={domain} registrar={registrar} />}
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
        <a key={name} class="chip" href={hrefOf({ names: [name] })}>
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
          <a key={domain} href={hrefOf({ names: [domain] })}>
            {domain}
          </a>
        ))}
      </p>
    </div>
  );
}

function LookUp({ domain, registrar }: { domain: string; registrar: boolean }) {
  const asked = useAnswer(lookUpQuestion(domain, registrar));
  const { problem, loading, again } = asked;
  useSettled(!loading);
  const now = Date.now();
  return (
    <section class="results" aria-busy={loading} aria-live="polite">
      <CallLine asked={asked} />
      {problem ? (
        <Refusal problem={problem} again={again} domain={domain} />
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
        const { names, isMany, registrar } = readView(search);
        const [domain] = names;
        return isMany || domain === undefined ? null : lookUpQuestion(domain, registrar);
      },
    },
    start,
  );
