import type { FunctionComponent } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import type { MokurokuError } from 'mokuroku-client/source';
import { AnswerView, Guarded, ResponseNotes } from '../shell/answer-view.tsx';
import { ForeignText } from '../shell/foreign-text.tsx';
import { Frame } from '../shell/frame.tsx';
import { mountPage } from '../shell/mount.tsx';
import { usePlace, usePreference, useSettled, useTitle } from '../shell/page-context.ts';
import { FaultLabels, ProblemNotice } from '../shell/problem-notice.tsx';
import type { Start } from '../shell/start.ts';
import { FollowButton } from '../shell/shelf-parts.tsx';
import { useAnswer } from '../shell/use-answer.ts';
import { DomainForm } from './domain-form.tsx';
import { MAX_NAMES, hrefOf, domainQuestion, readView } from './domain-url.ts';
import type { DomainView } from './domain-url.ts';
import { readDetails } from '../../words/look-up-details.ts';
import { EvidenceLines } from './evidence.tsx';
import { ManyView } from './many-view.tsx';
import { ShelfSection } from './shelf-section.tsx';
import { RegistrationView } from './registration-view.tsx';
import { useDomain } from './words.ts';

const VIEWS: Readonly<Record<DomainView['name'], FunctionComponent<{ view: DomainView }>>> = {
  home: Introduction,
  one: LookUpPart,
  many: ManyView,
};

/** The page of the registration service: names and their registrations. */
function DomainPage() {
  const { words } = useDomain();
  const { search } = usePlace();
  const view = useMemo(() => readView(search), [search]);
  const { name, names } = view;
  const Content = VIEWS[name];
  useTitle(name === 'many' ? words.manyTitle(Math.min(names.length, MAX_NAMES)) : (names[0] ?? words.title));
  return (
    <Frame brand={words.brand}>
      <h1 tabIndex={-1}>{words.title}</h1>
      <DomainForm view={view} />
      <Recent domain={name === 'one' ? (names[0] ?? '') : ''} />
      <Guarded>
        <FaultLabels.Provider value={(parameter) => (parameter === 'domain' ? words.field : undefined)}>
          <Content key={`${name} ${names.join()}`} view={view} />
        </FaultLabels.Provider>
      </Guarded>
    </Frame>
  );
}

const MAX_RECENT = 10;

/** The names looked up before in this browser, as links; stored in this browser only. */
function Recent({ domain }: { domain: string }) {
  const { words } = useDomain();
  const [stored, store] = usePreference('recent');
  const others = (stored ?? '').split(' ').filter((name) => name !== '' && name !== domain);
  useEffect(() => {
    if (domain !== '') store([domain, ...others].slice(0, MAX_RECENT).join(' '));
  }, [domain]);
  if (others.length === 0) return null;
  return (
    <div class="recent beside tight">
      <span class="fine">{words.recent}</span>
      {others.map((name) => (
        <a key={name} class="chip" href={hrefOf({ names: [name] })}>
          <ForeignText text={name} maxLength={60} inLink />
        </a>
      ))}
      <button type="button" class="quiet small" onClick={() => store(null)}>
        {words.forget}
      </button>
    </div>
  );
}

/** Names that exist in the sample and in the real world, one per kind of registry. */
const EXAMPLES = ['example.com', 'example.org', 'example.jp', 'example.de', 'example.co.uk'];

function Introduction() {
  const { words } = useDomain();
  return (
    <>
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
      <ShelfSection />
    </>
  );
}

function LookUpPart({ view: { names, registrar } }: { view: DomainView }) {
  const [domain = ''] = names;
  const request = useAnswer(domainQuestion(domain, registrar));
  const { loading, retry: again } = request;
  const problem = request.problem ?? request.answer?.error;
  useSettled(!loading);
  return (
    <section class="results" aria-busy={loading} aria-live="polite">
      {problem ? (
        <RefusalNotice problem={problem} again={again} domain={domain} />
      ) : (
        <AnswerView request={request} skeleton={8}>
          {({ data, response }) =>
            data && <RegistrationView registration={data} name={domain} now={response.sentAt} />
          }
        </AnswerView>
      )}
    </section>
  );
}

/** An error or a denial. A denial is an answer: it shows the name and the registry's text. */
function RefusalNotice(props: { problem: MokurokuError; again: () => void; domain: string }) {
  const { problem, again, domain } = props;
  const { words } = useDomain();
  const isAbsent = problem.code === 'not_registered';
  // Nobody registers `www` of a name.
  const { domainName = domain } = readDetails(problem.details);
  const absentName = domain.split('.').slice(-domainName.split('.').length).join('.');
  return (
    <>
      {problem.response && <ResponseNotes response={problem.response} />}
      <ProblemNotice
        problem={problem}
        again={again}
        title={isAbsent ? words.notRegistered(absentName) : undefined}
      >
        {/* Other names cannot be registered at all. */}
        {(isAbsent || problem.retryable) && <FollowButton kind="domain" id={domain} label={domain} inFull />}
      </ProblemNotice>
      <EvidenceLines details={problem.details} />
    </>
  );
}

function firstQuestion(search: string) {
  const { name, names, registrar } = readView(search);
  return name === 'one' ? domainQuestion(names[0] ?? '', registrar) : null;
}

export const mount = (start: Start): Promise<void> => mountPage(DomainPage, firstQuestion, start);
