import type { LookUp } from '../../client/index.ts';
import { FactList } from '../shell/fact.tsx';
import type { Stated } from '../shell/fact.tsx';
import { ForeignText } from '../shell/foreign-text.tsx';
import { useDomain } from './words.ts';

/** The registry's other facts: the registrar's number and contacts, the registrant, DNSSEC. */
export function RegistrationDetailsTable({ parsed }: Pick<LookUp, 'parsed'>) {
  const words = useDomain().words.details;
  const { registrarDetails, registrant, reseller, dnssec } = parsed;
  const text = (value: string | null | undefined) => value && <ForeignText text={value} maxLength={120} />;
  const facts: readonly Stated[] = [
    [words.organization, text(registrant?.organization)],
    [words.country, text(registrant?.country)],
    [words.reseller, text(reseller)],
    [words.ianaId, text(registrarDetails?.ianaId)],
    [words.url, text(registrarDetails?.url)],
    [words.abuseEmail, text(registrarDetails?.abuseEmail)],
    [words.abusePhone, text(registrarDetails?.abusePhone)],
    ['DNSSEC', dnssec && <DnssecFacts {...dnssec} />],
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
