import { useRef, useState } from 'preact/hooks';
import { useShell } from './page-context.ts';

/** Insecure contexts have no clipboard interface; the deprecated one needs a selection. */
function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  // Elsewhere the page would scroll to it.
  field.style.position = 'fixed';
  document.body.append(field);
  field.select();
  // oxlint-disable-next-line typescript/no-deprecated -- the only way over plain HTTP
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

/** Copies a text and shows whether that succeeded. */
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
