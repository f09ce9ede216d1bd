import { useLanguage, useWords } from '../shell/language-context.ts';
import { DOMAIN_WORDS } from './domain-words.ts';
import { EPP_STATUSES, eppCodeOf, eppLink } from './epp-statuses.ts';

/** Each status with what it means, and where ICANN says more. */
export function StatusList({ statuses }: { statuses: readonly string[] }) {
  const words = useWords(DOMAIN_WORDS);
  return (
    <section>
      <h2>{words.status}</h2>
      {statuses.length === 0 ? (
        <p class="fine">{words.noStatus}</p>
      ) : (
        <dl class="statuses">
          {statuses.map((status) => (
            <Status key={status} status={status} />
          ))}
        </dl>
      )}
    </section>
  );
}

function Status({ status }: { status: string }) {
  const words = useWords(DOMAIN_WORDS);
  const language = useLanguage();
  const code = eppCodeOf(status);
  return (
    <div>
      <dt>
        <code>{status}</code>
      </dt>
      {code === null ? (
        <dd class="fine">{words.ownWords}</dd>
      ) : (
        <dd>
          {EPP_STATUSES[code]?.[language]}{' '}
          <a href={eppLink(code)} rel="noreferrer">
            icann.org/epp#{code}
          </a>
        </dd>
      )}
    </div>
  );
}
