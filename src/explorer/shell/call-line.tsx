import { useRef, useState } from 'preact/hooks';
import { toCurl, toReadable } from './curl.ts';
import { useShell } from './page-context.ts';
import type { Asked } from './use-answer.ts';
import type { Answered } from './answers.ts';

/** Without a secure context there is no clipboard interface; the old way needs a selection. */
function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'offscreen';
  document.body.append(field);
  field.select();
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the only way over plain HTTP
  const done = document.execCommand('copy');
  field.remove();
  return done;
}

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** The call behind a view: readable, to be opened, to be copied as a curl command. Its room is there before it is. */
export function CallLine({ asked }: { asked: Asked<Answered> }) {
  const { words } = useShell();
  const url = asked.answer?.response.url ?? asked.problem?.url;
  // Of what no call has brought there is none to show.
  if (!url) return <div class="call" />;
  const { pathname, search } = new URL(url);
  return (
    <div class="call">
      <details>
        <summary class="soft">
          <span class="call-verb tag">{words.behind}</span>
          <span class="hidden">{words.showCall}</span>
          <code>GET {toReadable(pathname + search)}</code>
        </summary>
        <pre>{toCurl(url)}</pre>
        <a href={url} target="_blank" rel="noreferrer">
          {words.openJson}
        </a>
      </details>
      <CopyButton text={toCurl(url)} label={words.copyCurl} />
    </div>
  );
}

/** Copies a text, and says whether that worked. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const { words } = useShell();
  const [said, setSaid] = useState('');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const button = useRef<HTMLButtonElement>(null);
  const onCopy = async () => {
    const done = await copy(text);
    button.current?.focus();
    setSaid(done ? words.copied : words.notCopied);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setSaid(''), 2_500);
  };
  return (
    <>
      <button ref={button} type="button" class="quiet small" onClick={() => void onCopy()}>
        {said === '' ? label : said}
      </button>
      <span class="hidden" role="status">
        {said}
      </span>
    </>
  );
}
