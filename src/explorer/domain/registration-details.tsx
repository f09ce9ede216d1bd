import type { LookUp } from '../../client/index.ts';
import { Fact } from '../shell/fact.tsx';
import { ForeignText } from '../shell/foreign-text.tsx';
import { useDomain } from './words.ts';

/** The registry's other facts: the registrar's number and contacts, the registrant, DNSSEC. */
export function RegistrationDetailsTable({ parsed }: Pick<LookUp, 'parsed'>) {
  const words = useDomain().words.details;
  const { registrarDetails, registrant, reseller, dnssec } = parsed;
  const facts: readonly (readonly [name: string, value: string | null | undefined])[] = [
    [words.organization, registrant?.organization],
    [words.country, registrant?.country],
    [words.reseller, reseller],
    [words.ianaId, registrarDetails?.ianaId],
    [words.url, registrarDetails?.url],
    [words.abuseEmail, registrarDetails?.abuseEmail],
    [words.abusePhone, registrarDetails?.abusePhone],
  ];
  const stated = facts.filter(([, value]) => value);
  if (stated.length === 0 && !dnssec) return null;
  return (
    <section>
      <h2>{words.title}</h2>
      <dl class="details pairs ruled">
        {stated.map(([name, value]) => (
          <Fact key={name} name={name}>
            <ForeignText text={value ?? ''} maxLength={120} />
          </Fact>
        ))}
        {dnssec && (
          <Fact name="DNSSEC">
            {dnssec.signed ? words.signed : words.unsigned}
            {dnssec.ds.map((record) => (
              <div key={record.digest}>
                <code>
                  DS {record.keyTag} {record.algorithm} {record.digestType}{' '}
                  <ForeignText text={record.digest} maxLength={64} />
                </code>
              </div>
            ))}
          </Fact>
        )}
      </dl>
    </section>
  );
}
