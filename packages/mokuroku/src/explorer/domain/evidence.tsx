import type { LookUp } from 'mokuroku-client/source';
import { isRecord, parseJson } from 'mokuroku-client/parts';
import { readDetails } from '../../words/look-up-details.ts';
import type { EvidenceLine } from '../../words/look-up-details.ts';
import { CopyButton } from '../shell/copy-button.tsx';
import { ForeignText } from '../shell/foreign-text.tsx';
import { wordFor } from '../shell/words.ts';
import { useDomain } from './words.ts';

/** The origin of a registration, or of an error by its details: the lines that decided, the servers, their texts. */
export function EvidenceLines({ details, registry }: { details: unknown; registry?: LookUp['registry'] }) {
  const { words } = useDomain();
  const { whoisServer = '', raw = '', hops = [], lines = [] } = readDetails(details);
  return (
    <>
      <Why lines={lines} />
      <HopList hops={hops} />
      <RawText raw={raw} label={words.rawFrom(whoisServer)} lines={lines} />
      {registry && (
        <RawText raw={registry.raw} label={words.rawOfRegistry(registry.whoisServer)} lines={lines} />
      )}
    </>
  );
}

/** The lines that decided the state of the name, or that contradict each other. */
function Why({ lines }: { lines: readonly EvidenceLine[] }) {
  const { words, format } = useDomain();
  if (lines.length === 0) return null;
  const [control] = lines.flatMap(({ control }) => control ?? []);
  return (
    <section class="why">
      <h2>{words.why}</h2>
      <ul class="evidence ruled">
        {lines.map(({ kind, line }, index) => (
          <li key={index} class="beside baseline">
            <span class="fine">{wordFor(words.evidence, kind)}</span>
            <ForeignText text={line} isCode />
          </li>
        ))}
      </ul>
      {control && <p class="fine">{words.control(control.name, format.instant(control.at))}</p>}
    </section>
  );
}

/** The queried servers in order, with their results. */
function HopList({ hops }: { hops: LookUp['hops'] }) {
  const { words, format } = useDomain();
  if (hops.length === 0) return null;
  return (
    <section>
      <h2>{words.hops}</h2>
      <ol class="hops">
        {hops.map((hop, index) => (
          <li key={index} class="beside baseline">
            <span class="hop-role soft">{wordFor(words.roles, hop.role)}</span>
            <ForeignText text={hop.server} isCode />
            <span class="call-verb tag">{hop.protocol.toUpperCase()}</span>
            <span>{wordFor(words.outcomes, hop.outcome)}</span>
            <span class="fine">
              {hop.ms === 0 ? words.cached : words.milliseconds(format.number(hop.ms))}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Formats JSON; any other text is unchanged. */
function setOut(raw: string): string {
  const parsed = parseJson(raw);
  return isRecord(parsed) ? JSON.stringify(parsed, null, 2) : raw;
}

/** Registries usually send at most some 4,000 characters. */
const MAX_RAW = 20_000;

/** Splits a text before and after the first line that decided; without one, all text is before it. */
function splitAtEvidence(
  text: string,
  lines: readonly Pick<EvidenceLine, 'line'>[],
): [before: string, decided: string, after: string] {
  for (const { line } of lines) {
    const trimmed = line.trim();
    const at = trimmed === '' ? -1 : text.indexOf(trimmed);
    if (at >= 0) return [text.slice(0, at), trimmed, text.slice(at + trimmed.length)];
  }
  return [text, '', ''];
}

interface RawTextProps {
  raw: string;
  label: string;
  lines: readonly EvidenceLine[];
}

/** The original text of a server, with the line that decided highlighted. */
function RawText({ raw, label, lines }: RawTextProps) {
  const { words } = useDomain();
  // The operator publishes no texts.
  if (raw === '') return null;
  const text = setOut(raw);
  const [before, decided, after] = splitAtEvidence(text, lines);
  return (
    <section class="raw">
      <h2>{words.raw}</h2>
      <p class="beside apart">
        <span class="fine">{label}</span>
        <CopyButton text={raw} label={words.copyRaw} />
      </p>
      <pre tabIndex={0} role="region" aria-label={label}>
        <ForeignText text={before} maxLength={MAX_RAW} />
        {decided !== '' && (
          <mark title={words.decided}>
            <ForeignText text={decided} />
          </mark>
        )}
        {after !== '' && <ForeignText text={after} maxLength={MAX_RAW} />}
      </pre>
    </section>
  );
}
