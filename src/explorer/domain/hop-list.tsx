import { formatNumber } from '../shell/format.ts';
import { useLanguage, useWords } from '../shell/language-context.ts';
import { DOMAIN_WORDS } from './domain-words.ts';
import type { Hop } from './registration.ts';

/** The servers asked, in order, and what came of each. */
export function HopList({ hops }: { hops: readonly Hop[] }) {
  const words = useWords(DOMAIN_WORDS);
  const language = useLanguage();
  if (hops.length === 0) return null;
  return (
    <section>
      <h2>{words.hops}</h2>
      <ol class="hops">
        {hops.map((hop, place) => (
          <li key={place}>
            <span class="hop-role">{words.roles[hop.role] ?? hop.role}</span>
            <code>{hop.server}</code>
            <span class="hop-protocol">{hop.protocol.toUpperCase()}</span>
            <span>{words.outcomes[hop.outcome] ?? hop.outcome}</span>
            <span class="fine">
              {hop.ms === 0 ? words.known : words.milliseconds(formatNumber(language, hop.ms))}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
