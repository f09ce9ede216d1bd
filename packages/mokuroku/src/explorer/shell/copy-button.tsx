import { useRef, useState } from 'preact/hooks';
import { useShell } from './page-context.ts';

/** Insecure contexts have no clipboard interface; the deprecated one needs a selection. */
function copyBySelection(text: string, beside: HTMLElement): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  // Elsewhere the page would scroll to it.
  field.style.position = 'fixed';
  // It has the focus for a moment, which closes a menu that it is not in.
  beside.after(field);
  field.select();
  // oxlint-disable-next-line typescript/no-deprecated -- the only way over plain HTTP
  const done = document.execCommand('copy');
  beside.focus();
  field.remove();
  return done;
}

async function copy(text: string, beside: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text, beside);
  }
}

/** Copies a text and shows whether that succeeded. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const { words } = useShell();
  const [said, setSaid] = useState('');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const onCopy = async (pressed: HTMLElement) => {
    const done = await copy(text, pressed);
    setSaid(done ? words.copied : words.notCopied);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setSaid(''), 2_500);
  };
  return (
    <>
      <button type="button" class="quiet small" onClick={({ currentTarget }) => void onCopy(currentTarget)}>
        {said === '' ? label : said}
      </button>
      <span class="hidden" role="status">
        {said}
      </span>
    </>
  );
}
