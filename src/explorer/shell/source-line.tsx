import type { Call } from './calls.ts';
import { CopyButton } from './copy-button.tsx';
import { toCurl, toReadable } from './curl.ts';
import { useShell } from './page-context.ts';
import { pageFact } from './page-facts.ts';
import { useCalls, useIsUnreachable } from './progress.ts';
import { problemOf } from './words.ts';

const pathOf = ({ url }: Call): string => {
  const { pathname, search } = new URL(url);
  return toReadable(pathname + search);
};

/**
 * The origin of the content: the calls behind the view, and whether the data are invented. The frame shows it for
 * every view from the recorded requests, and reserves its space in advance.
 */
export function SourceLine() {
  const { words } = useShell();
  const isUnreachable = useIsUnreachable();
  const [first, ...others] = useCalls();
  return (
    <div class="source-line soft">
      {first ? (
        <details>
          <summary>
            <span class="call-verb tag">{words.behind}</span>
            <span class="hidden">{words.showCall}</span>
            <code>GET {pathOf(first)}</code>
            {others.length > 0 && <span class="whole">{words.moreCalls(others.length)}</span>}
          </summary>
          <ul>
            {[first, ...others].map((call) => (
              <CallInFull key={call.url} call={call} />
            ))}
          </ul>
        </details>
      ) : (
        <p class="source-none">
          <span class="call-verb tag">{words.behind}</span> {words.noCall}
        </p>
      )}
      {first && (
        <span class="source-copy">
          <CopyButton text={toCurl(first.url)} label={words.copyCurl} />
        </span>
      )}
      {isUnreachable && (
        <b class="source-unreachable" role="status">
          {problemOf(words, 'unreachable')[0]}
        </b>
      )}
      {pageFact('sample') !== undefined && (
        <p class="note-sample">
          <b class="tag">{words.sample}</b> {words.sampleText}
        </p>
      )}
    </div>
  );
}

/** A call with its result, to open and to copy as a curl command. */
function CallInFull({ call }: { call: Call }) {
  const { words } = useShell();
  const command = toCurl(call.url);
  return (
    <li>
      <pre>{command}</pre>
      <p class="beside tight">
        <span>{call.status === null ? words.loading : call.status === 0 ? words.noAnswer : call.status}</span>
        <CopyButton text={command} label={words.copyCurl} />
        <a class="target" href={call.url} target="_blank" rel="noreferrer">
          {words.openJson}
        </a>
      </p>
    </li>
  );
}
