import type { Call } from './calls.ts';
import { CopyButton } from './copy-button.tsx';
import { toCurl, toReadable } from './curl.ts';
import { useOnline } from './online.ts';
import { useShell } from './page-context.ts';
import { pageFact } from './page-facts.ts';
import { useCalls } from './progress.ts';

const pathOf = ({ url }: Call): string => {
  const { pathname, search } = new URL(url);
  return toReadable(pathname + search);
};

/**
 * Where what is shown comes from: the calls behind the view, and whether all of it is invented. The frame draws it for
 * every view, from what has been sent. Its room is there before they are.
 */
export function SourceLine() {
  const { words } = useShell();
  const isOnline = useOnline();
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
      {!isOnline && <b role="status">{words.offline[0]}</b>}
      {pageFact('sample') !== undefined && (
        <p class="note-sample">
          <b class="tag">{words.sample}</b> {words.sampleText}
        </p>
      )}
    </div>
  );
}

/** A call to be opened, and copied as a curl command, with what came of it. */
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
