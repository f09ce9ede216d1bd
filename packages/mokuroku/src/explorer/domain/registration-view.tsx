import type { LookUp } from 'mokuroku-client/source';
import { DATES, FIELD_LABELS, daysLeft, mapRows } from 'mokuroku-whois/record';
import { Fact } from '../shell/fact.tsx';
import { ForeignText } from '../shell/foreign-text.tsx';
import { useOwnForm } from '../shell/own-forms.ts';
import { useShell } from '../shell/page-context.ts';
import { FollowButton } from '../shell/shelf-parts.tsx';
import { calendarOf } from './domain-url.ts';
import { EvidenceLines } from './evidence.tsx';
import { EndingMark, NotStated, RegistrationDetailsTable, StatusList } from './registration-details.tsx';
import { useDomain } from './words.ts';

interface Registration {
  registration: LookUp;
  /** As entered. */
  name: string;
  /** Of the response: the reader's clock may be wrong. */
  now: number;
}

/** A registration: registrar, dates, name servers, statuses and evidence. */
export function RegistrationView({ registration, name, now }: Registration) {
  const { words, language } = useDomain();
  const { separator } = useShell().words;
  const { parsed, incomplete = [] } = registration;
  const isReserved = registration.state === 'reserved';
  useOwnForm(
    parsed.expirationDate === null ? undefined : words.calendar,
    calendarOf(location.host, [name], language),
  );
  return (
    <article class="registration">
      <header class="beside baseline">
        <h2 class="domain-name">
          <ForeignText text={registration.domain} />
        </h2>
        {parsed.domainName !== null && parsed.domainName !== registration.domain && (
          <ForeignText text={parsed.domainName} isCode />
        )}
        <p class={`state state-${registration.state}`}>
          {words.states[registration.state]}
          <EndingMark ending={registration.ending} />
        </p>
        <FollowButton kind="domain" id={name} label={name} inFull />
      </header>
      {isReserved && <p class="note">{words.reservedText}</p>}
      {registration.truncated && <p class="note note-stale">{words.truncated}</p>}
      {incomplete.length > 0 && (
        <p class="note note-stale">
          {words.incomplete(incomplete.map((field) => FIELD_LABELS[field][language]).join(separator))}
        </p>
      )}
      <dl class="registration-facts">
        <Fact name={words.registrarName} look="dated">
          {parsed.registrar === null ? (
            <NotStated result={registration} field="registrar" />
          ) : (
            <b>
              <ForeignText text={parsed.registrar} maxLength={120} />
            </b>
          )}
        </Fact>
        <DateFacts registration={registration} now={now} />
      </dl>
      <div class="columns">
        <StatusList registration={registration} />
        <NameServers registration={registration} />
      </div>
      <RegistrationDetailsTable parsed={parsed} />
      <EvidenceLines details={registration} registry={registration.registry} />
    </article>
  );
}

function NameServers({ registration }: { registration: LookUp }) {
  const { words } = useDomain();
  const { nameServers: servers } = registration.parsed;
  return (
    <section>
      <h2>{words.nameServers}</h2>
      {servers.length === 0 ? (
        <NotStated result={registration} field="nameServers" />
      ) : (
        <ul class="name-servers ruled">
          {servers.map((server) => (
            <li key={server}>
              <ForeignText text={server} isCode />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The dates of a registration, its ends first; each relative ("in 214 days") and then in full. */
function DateFacts({ registration, now }: Omit<Registration, 'name'>) {
  const { words, format, language } = useDomain();
  // Earlier versions of the service send fewer.
  const dateOf = (name: keyof typeof DATES) => registration.parsed[name] ?? null;
  const dates = Object.values(mapRows(DATES, (name, row) => ({ name, row, date: dateOf(name) })));
  const shown = dates.filter(({ row, date }) => date !== null || !row.isRare);
  const sorted = [...shown.filter(({ row }) => row.isEnd), ...shown.filter(({ row }) => !row.isEnd)];
  return sorted.map(({ name, row: { label, isEnd = false }, date }) => {
    const days = daysLeft(date, now);
    const isSoon = isEnd && days !== null && days <= SOON_DAYS;
    return (
      <Fact key={name} name={label[language]} look={isSoon ? 'dated soon' : 'dated'}>
        {date === null ? (
          <NotStated result={registration} field={name} />
        ) : (
          <>
            {days !== null && <b>{format.relativeDays(days)}</b>}{' '}
            {isSoon && days < 0 && <span class="mark tag">{words.expired}</span>}
            <time class="soft" dateTime={date}>
              {format.instant(date)}
            </time>
          </>
        )}
      </Fact>
    );
  });
}

/** Registrations that end within this many days get a warning; registrars send theirs at 30 days. */
export const SOON_DAYS = 30;
