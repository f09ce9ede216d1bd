import { useState } from 'preact/hooks';
import { DATES } from 'mokuroku-whois/record';
import { ProgressNote } from '../shell/answer-view.tsx';
import { saveText, useOwnForm } from '../shell/own-forms.ts';
import { FollowButton, useShelf } from '../shell/shelf-parts.tsx';
import { ForeignText } from '../shell/foreign-text.tsx';
import { useSettled, useShell } from '../shell/page-context.ts';
import { MAX_NAMES, calendarOf, hrefOf } from './domain-url.ts';
import type { DomainView } from './domain-url.ts';
import { SOON_DAYS } from './registration-view.tsx';
import { sortByExpiry, toCsv } from './many.ts';
import type { NameResult } from './many.ts';
import { EndingMark, NotStated } from './registration-details.tsx';
import { useLookUps } from './use-look-ups.ts';
import { nameOfState, useDomain } from './words.ts';

/** Several names: one line each as results arrive, and all of them as CSV. */
export function ManyView({ view }: { view: DomainView }) {
  const { soonest } = view;
  const names = view.names.slice(0, MAX_NAMES);
  const { words, language, navigator } = useDomain();
  const { key, results, lookUpAgain: again } = useLookUps(names);
  const shown = soonest ? sortByExpiry(names, results) : names;
  const isWhole = names.every((name) => results.has(name));
  useSettled(isWhole);
  useOwnForm(useShell().words.csv, () => {
    const others = names.length > 2 ? `${names.length - 1}-more` : names[1];
    saveText(toCsv(shown, results), ['registrations', names[0], others].filter(Boolean).join('-'), 'csv');
  });
  useOwnForm(words.calendar, calendarOf(location.host, names, language));
  return (
    <section class="results" aria-busy={!isWhole}>
      <div class="many-head beside apart">
        <p class="beside baseline fine" role="status">
          {words.manyDone(names.filter((name) => results.has(name)).length, names.length)}
        </p>
        <FollowAll names={names} />
      </div>
      <ProgressNote request={{ key, loading: !isWhole }} />
      <table class="many">
        <caption class="hidden">{words.title}</caption>
        <thead>
          <tr>
            <th scope="col">{words.field}</th>
            <th scope="col">{words.status}</th>
            <th scope="col" aria-sort={soonest ? 'ascending' : undefined}>
              <button
                type="button"
                class="quiet small"
                title={soonest ? words.inOrder.given : words.inOrder.soonest}
                onClick={() => navigator.go(hrefOf({ ...view, soonest: !soonest }), 'refine')}
              >
                {DATES.expirationDate.label[language]} <span aria-hidden="true">{soonest ? '▲' : '↕'}</span>
              </button>
            </th>
            <th scope="col" class="many-wide">
              {words.registrarName}
            </th>
            <th scope="col" class="many-wide">
              {words.nameServers}
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((name) => (
            <NameRow key={name} name={name} result={results.get(name)} again={() => again(name)} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Adds all names to the shelf; disabled once they are there, with the focus (which `disabled` would lose). */
function FollowAll({ names }: { names: readonly string[] }) {
  const { words } = useDomain();
  const shelf = useShelf();
  const { isFull: fullText } = useShell().words.shelf;
  const [isFull, setFull] = useState(false);
  const others = names.filter((name) => !shelf.has('domain', name));
  return (
    <button
      type="button"
      class="quiet"
      aria-disabled={others.length === 0}
      onClick={() => {
        setFull(!others.every((name) => shelf.toggle({ kind: 'domain', id: name, label: name })));
      }}
    >
      {isFull ? fullText : words.followAll}
    </button>
  );
}

interface NameRowProps {
  name: string;
  result: NameResult | undefined;
  again: () => void;
}

function NameRow({ name, result, again }: NameRowProps) {
  const parsed = result?.parsed;
  const isRegistered = result?.state === 'registered';
  const notStated = (field: string) => isRegistered && <NotStated result={result} field={field} />;
  return (
    <tr>
      <th scope="row">
        <div class="many-name">
          <a class="target" href={hrefOf({ names: [name] })}>
            <ForeignText text={name} maxLength={60} inLink />
          </a>
          <FollowButton kind="domain" id={name} label={name} />
        </div>
      </th>
      <td data-state={result?.state}>{result ? <NameState result={result} again={again} /> : '…'}</td>
      <td>
        {result?.parsed?.expirationDate ? (
          <Expiry date={result.parsed.expirationDate} days={result.daysLeft ?? null} />
        ) : (
          notStated('expirationDate')
        )}
      </td>
      <td class="many-wide">
        {parsed?.registrar ? <ForeignText text={parsed.registrar} maxLength={60} /> : notStated('registrar')}
      </td>
      <td class="many-wide">
        {parsed?.nameServers.map((server) => (
          <div key={server}>
            <ForeignText text={server} maxLength={60} isCode />
          </div>
        ))}
        {parsed?.nameServers.length === 0 && notStated('nameServers')}
      </td>
    </tr>
  );
}

/** The state; a registration that ends shows how, since its date may look healthy. */
function NameState({ result, again }: Pick<NameRowProps, 'again'> & { result: NameResult }) {
  const { words } = useDomain();
  const shell = useShell().words;
  const { state, problem = state } = result;
  return (
    <>
      <span class={Object.hasOwn(words.states, state) ? `state state-${state}` : undefined}>
        {nameOfState(words, shell, problem)}
        <EndingMark ending={result.ending} />
      </span>{' '}
      {result.isPassing && (
        <button type="button" class="quiet small" onClick={again}>
          {shell.retry}
        </button>
      )}
    </>
  );
}

function Expiry({ date, days }: { date: string; days: number | null }) {
  const { format } = useDomain();
  return (
    <span class={days !== null && days <= SOON_DAYS ? 'dated soon' : 'dated'}>
      {days !== null && <span>{format.relativeDays(days)}</span>}{' '}
      <time class="soft" dateTime={date}>
        {format.instant(date.slice(0, 10))}
      </time>
    </span>
  );
}
