import { useEffect, useRef } from 'preact/hooks';
import type { Call } from './calls.ts';
import { CopyButton } from './copy-button.tsx';
import { toCurl, toReadable } from './curl.ts';
import { useShortcut } from './keyboard.ts';
import { formFacts, formsOfCalls } from './other-forms.ts';
import type { OtherForm } from './other-forms.ts';
import { useShell } from './page-context.ts';
import type { usePreference } from './page-context.ts';
import { isSample } from './page-facts.ts';
import { useLog } from './progress.ts';
import { useChanges } from './listeners.ts';
import { problemOf } from './words.ts';

/** Shows the calls of the view: `panel`, remembered in this browser, and changed by one key. */
export function ApiButton({ panel: [panel, choose] }: { panel: ReturnType<typeof usePreference> }) {
  const { words } = useShell();
  const toggle = () => choose(panel === null ? 'open' : null);
  useShortcut('a', toggle);
  return (
    <button
      type="button"
      class="api-button soft"
      aria-expanded={panel !== null}
      aria-controls="api-calls"
      title={words.apiHint}
      onClick={toggle}
    >
      {words.behind}
    </button>
  );
}

/**
 * The origin of the content above every view: marks for invented data and an unreachable service, the other forms of
 * what is shown and, if requested, the calls behind it.
 */
export function SourceLine({ showsCalls }: { showsCalls: boolean }) {
  const { words, language } = useShell();
  const log = useLog();
  const calls = log.shown();
  // An error has no other form.
  const shown = calls.filter(({ status }) => (status ?? 0) < 400);
  const forms = formsOfCalls(shown, { facts: formFacts(), language });
  return (
    <>
      <div class="source-line beside soft">
        {isSample() && (
          <p class="note-sample">
            <b class="tag">{words.sample}</b> {words.sampleText}
          </p>
        )}
        {log.isUnreachable() && (
          <b class="source-unreachable" role="status">
            {problemOf(words, 'unreachable')[0]}
          </b>
        )}
        <SaveMenu call={shown[0] ?? calls[0]} forms={forms} />
      </div>
      {showsCalls && (
        <ul id="api-calls" class="api-calls sheet">
          {calls.length === 0 && <li class="soft">{words.noCall}</li>}
          {calls.map((call) => (
            <CallInFull key={call.url} call={call} />
          ))}
        </ul>
      )}
    </>
  );
}

/** The forms of what is shown, its URL, and the link by which feed readers find the feed. */
function SaveMenu({ call, forms }: { call: Call | undefined; forms: readonly OtherForm[] }) {
  const { words, format } = useShell();
  const menu = useRef<HTMLDetailsElement>(null);
  useFeedLink(forms.find(({ form }) => form === 'atom')?.href);
  useEffect(() => {
    const closeOutside = ({ target }: Event) => {
      if (menu.current?.contains(target as Node) === false) menu.current.open = false;
    };
    // It would cover the control that the focus moves to.
    const leaving = ['click', 'focusin'] as const;
    for (const name of leaving) addEventListener(name, closeOutside);
    return () => leaving.forEach((name) => removeEventListener(name, closeOutside));
  }, []);
  const own = useChanges(useShell().ownForms).list();
  if (!call && own.length === 0) return null;
  return (
    <details ref={menu} class="save-menu">
      <summary aria-controls="save-menu">{words.saveMenu}</summary>
      <ul id="save-menu" class="sheet">
        {forms.map(({ label, href, part, note }) => (
          <li key={href}>
            <a class="target" href={href} target="_blank" rel="noreferrer">
              {label}
            </a>{' '}
            <span class="fine">
              {[
                note && words.formNotes[note],
                part && words.formRows(format.number(part.rows), format.number(part.all)),
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </li>
        ))}
        {own.map(({ label, action }) => (
          <li key={label}>
            {typeof action === 'string' ? (
              <a class="target" href={action}>
                {label}
              </a>
            ) : (
              <button type="button" class="quiet small" onClick={action}>
                {label}
              </button>
            )}
          </li>
        ))}
        {call && (
          <li class="beside tight">
            <CallActions url={call.url} />
          </li>
        )}
      </ul>
    </details>
  );
}

/** The document names the feed of the present view; the served one that of the first, in both languages. */
function useFeedLink(feed: string | undefined): void {
  useEffect(() => {
    for (const served of document.querySelectorAll('link[rel=alternate]')) served.remove();
    if (feed === undefined) return;
    const link = document.createElement('link');
    const { title } = document;
    Object.assign(link, { rel: 'alternate', type: 'application/atom+xml', href: feed, title });
    document.head.append(link);
  }, [feed]);
}

/** A call with its status, to open and to copy as a curl command. */
function CallInFull({ call }: { call: Call }) {
  const { words } = useShell();
  const { pathname, search } = new URL(call.url);
  return (
    <li class="beside tight">
      <code>GET {toReadable(pathname + search)}</code>
      <span>{call.status === null ? words.loading : call.status === 0 ? words.noAnswer : call.status}</span>
      <CallActions url={call.url} />
    </li>
  );
}

function CallActions({ url }: { url: string }) {
  const { words } = useShell();
  return (
    <>
      <CopyButton text={toCurl(url)} label={words.copyCurl} />
      <a class="target" href={url} target="_blank" rel="noreferrer">
        {words.openJson}
      </a>
    </>
  );
}
