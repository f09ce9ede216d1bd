import { ForeignText } from '../shell/foreign-text.tsx';
import { eppCodeOf } from './epp-statuses.ts';
import { useDomain } from './words.ts';

/** Each status with its meaning, and a link to ICANN's description. */
export function StatusList({ statuses }: { statuses: readonly string[] }) {
  const { words } = useDomain();
  return (
    <section>
      <h2>{words.status}</h2>
      {statuses.length === 0 ? (
        <p class="fine">{words.noStatus}</p>
      ) : (
        <dl class="statuses ruled">
          {statuses.map((status) => (
            <Status key={status} status={status} />
          ))}
        </dl>
      )}
    </section>
  );
}

function Status({ status }: { status: string }) {
  const { words } = useDomain();
  const code = eppCodeOf(words.statuses, status);
  return (
    <div>
      <dt>
        <ForeignText text={status} isCode />
      </dt>
      {code === undefined ? (
        <dd class="fine">{words.ownWords}</dd>
      ) : (
        <dd>
          {words.statuses[code]}{' '}
          <a href={`https://icann.org/epp#${code}`} rel="noreferrer">
            icann.org/epp#{code}
          </a>
        </dd>
      )}
    </div>
  );
}
