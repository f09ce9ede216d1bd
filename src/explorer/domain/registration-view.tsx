import { formatNumber } from '../shell/format.ts';
import { useLanguage, useWords } from '../shell/language-context.ts';
import { DatedFact } from './dated-fact.tsx';
import { DOMAIN_WORDS } from './domain-words.ts';
import { HopList } from './hop-list.tsx';
import { lifetimeOf } from './lifetime.ts';
import { RawText } from './raw-text.tsx';
import type { Registration } from './registration.ts';
import { StatusList } from './status-list.tsx';

/** A registration: who, since when, until when, by which servers, in what state, and how we know. */
export function RegistrationView({ registration, now }: { registration: Registration; now: number }) {
  const words = useWords(DOMAIN_WORDS);
  const { parsed, raw, whoisServer, registry, hops = [] } = registration;
  const isReserved = registration.state === 'reserved';
  return (
    <article class="registration">
      <header>
        <h2 class="domain-name">{registration.domain}</h2>
        {parsed.domainName !== null && parsed.domainName !== registration.domain && (
          <code>{parsed.domainName}</code>
        )}
        <p class={isReserved ? 'state state-reserved' : 'state'}>
          {isReserved ? words.reserved : words.registered}
        </p>
      </header>
      {isReserved && <p>{words.reservedText}</p>}
      {registration.truncated && <p class="note note-stale">{words.truncated}</p>}
      <dl class="registration-facts">
        <div class="dated">
          <dt>{words.registrarName}</dt>
          <dd>
            {parsed.registrar === null ? (
              <span class="fine">{words.notStated}</span>
            ) : (
              <b>{parsed.registrar}</b>
            )}
          </dd>
        </div>
        <DatedFact name={words.expirationDate} date={parsed.expirationDate} now={now} isEnd />
        <DatedFact name={words.creationDate} date={parsed.creationDate} now={now} />
        <DatedFact name={words.updatedDate} date={parsed.updatedDate} now={now} />
      </dl>
      <LifetimeBar creation={parsed.creationDate} expiration={parsed.expirationDate} now={now} />
      <div class="registration-columns">
        <StatusList statuses={parsed.status} />
        <section>
          <h2>{words.nameServers}</h2>
          {parsed.nameServers.length === 0 ? (
            <p class="fine">{words.noNameServers}</p>
          ) : (
            <ul class="name-servers">
              {parsed.nameServers.map((server) => (
                <li key={server}>
                  <code>{server}</code>
                </li>
              ))}
            </ul>
          )}
        </section>
      </div>
      <HopList hops={hops} />
      <RawText raw={raw} label={words.rawFrom(whoisServer)} />
      {registry && <RawText raw={registry.raw} label={words.rawOfRegistry(registry.whoisServer)} />}
    </article>
  );
}

interface LifetimeBarProps {
  creation: string | null;
  expiration: string | null;
  now: number;
}

/** The time registered for, and how much of it has passed. */
function LifetimeBar({ creation, expiration, now }: LifetimeBarProps) {
  const words = useWords(DOMAIN_WORDS);
  const language = useLanguage();
  const lifetime = lifetimeOf(creation, expiration, now);
  if (!lifetime || !creation || !expiration) return null;
  const percent = Math.min(100, lifetime.share * 100);
  return (
    <figure class="lifetime">
      <svg
        viewBox="0 0 100 6"
        preserveAspectRatio="none"
        role="img"
        aria-label={words.lifetime(`${formatNumber(language, Math.round(percent))}%`)}
      >
        <rect class="lifetime-all" width="100" height="6" />
        <rect class="lifetime-passed" width={percent} height="6" />
      </svg>
      <figcaption>
        <span>{creation.slice(0, 4)}</span>
        <span>{expiration.slice(0, 4)}</span>
      </figcaption>
    </figure>
  );
}
