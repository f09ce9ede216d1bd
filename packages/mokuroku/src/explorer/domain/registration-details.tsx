import type { LookUp } from 'mokuroku-client/source';
import { detailsOf } from 'mokuroku-whois/record';
import { Fact, FactList } from '../shell/fact.tsx';
import type { Stated } from '../shell/fact.tsx';
import { ForeignText } from '../shell/foreign-text.tsx';
import { wordFor } from '../shell/words.ts';
import { absenceOf } from './many.ts';
import type { NameResult } from './many.ts';
import { textOfAbsence, useDomain } from './words.ts';

/** The registry's other facts: the registrar's number and contacts, the registrant, DNSSEC. */
export function RegistrationDetailsTable({ parsed }: Pick<LookUp, 'parsed'>) {
  const { words: all, language } = useDomain();
  const words = all.details;
  const facts: readonly Stated[] = [
    ...detailsOf(parsed).map(({ row, value }): Stated => [
      row.label[language],
      value && <ForeignText text={value} maxLength={120} />,
    ]),
    ['DNSSEC', parsed.dnssec && <DnssecFacts {...parsed.dnssec} />],
  ];
  if (facts.every(([, value]) => !value)) return null;
  return (
    <section>
      <h2>{words.title}</h2>
      <FactList facts={facts} look="details pairs ruled" />
    </section>
  );
}

function DnssecFacts({ signed, ds }: NonNullable<LookUp['parsed']['dnssec']>) {
  const words = useDomain().words.details;
  return (
    <>
      {signed ? words.signed : words.unsigned}
      {ds.map((record) => (
        <div key={record.digest}>
          <code>
            DS {record.keyTag} {record.algorithm} {record.digestType}{' '}
            <ForeignText text={record.digest} maxLength={64} />
          </code>
        </div>
      ))}
    </>
  );
}

/** In place of a value that a registry does not state, or never publishes. */
export function NotStated({ result, field }: { result: Pick<NameResult, 'unpublished'>; field: string }) {
  return <span class="fine">{textOfAbsence(useDomain().words, absenceOf(result, field))}</span>;
}

/** Each status with its meaning, and a link to ICANN's description. */
export function StatusList({ registration }: { registration: LookUp }) {
  const { words } = useDomain();
  const { status: statuses } = registration.parsed;
  return (
    <section>
      <h2>{words.status}</h2>
      {statuses.length === 0 ? (
        <NotStated result={registration} field="status" />
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
    <Fact name={<ForeignText text={status} isCode />}>
      {code === undefined ? (
        <span class="fine">{words.ownWords}</span>
      ) : (
        <>
          {words.statuses[code]}{' '}
          <a href={`https://icann.org/epp#${code}`} rel="noreferrer">
            icann.org/epp#{code}
          </a>
        </>
      )}
    </Fact>
  );
}

/** How a registration ends, if it does: redemption, about to be deleted, expired, on hold. */
export function EndingMark({ ending }: { ending: string | null | undefined }) {
  const { words } = useDomain();
  if (ending == null || ending === 'none') return null;
  return (
    <>
      {' '}
      <b class="tag ending" data-ending={ending}>
        {wordFor(words.endings, ending)}
      </b>
    </>
  );
}

/**
 * The EPP code of a status as registries write it (`clientHold`, `client hold`, `CLIENT-HOLD`), if there is a
 * description of it; undefined for a registry's own words.
 */
export function eppCodeOf<Code extends string>(
  sentences: Readonly<Record<Code, string>>,
  status: string,
): Code | undefined {
  const letters = status.toLowerCase().replace(/[\s_-]/g, '');
  return (Object.keys(sentences) as Code[]).find((code) => code.toLowerCase() === letters);
}
