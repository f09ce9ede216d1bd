import { useRef, useState } from 'preact/hooks';
import { toCurl, toReadable } from './curl.ts';
import { useWords } from './language-context.ts';
import { SHELL_WORDS } from './shell-words.ts';

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

/** One call behind the view: readable, to be opened, to be copied as a curl command. */
export function CallLine({ path }: { path: string }) {
  const words = useWords(SHELL_WORDS);
  const [said, setSaid] = useState('');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const button = useRef<HTMLButtonElement>(null);
  const onCopy = async () => {
    const done = await copy(toCurl(location.origin, path));
    button.current?.focus();
    setSaid(done ? words.copied : words.notCopied);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setSaid('');
    }, 2_500);
  };
  return (
    <div class="call">
      <details>
        <summary>
          <span class="call-verb">{words.behind}</span>
          <span class="hidden">{words.showCall}</span>
          <code>GET {toReadable(path)}</code>
        </summary>
        <pre>{toCurl(location.origin, path)}</pre>
        <a href={path} target="_blank" rel="noreferrer">
          {words.openJson}
        </a>
      </details>
      <button ref={button} type="button" class="quiet" onClick={() => void onCopy()}>
        {said === '' ? words.copyCurl : said}
      </button>
      <span class="hidden" role="status">
        {said}
      </span>
    </div>
  );
}
