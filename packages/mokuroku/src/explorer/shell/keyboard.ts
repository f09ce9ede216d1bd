import { useEffect, useRef } from 'preact/hooks';

/** Whether a key event belongs to an input method: it is composing, or (Safari) has just handled the Enter. */
export function belongsToInputMethod(event: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean {
  // 229 is the code of keys that the input method has handled (UI Events, section 7.3.1). Safari ends the composition
  // before the keydown of the Enter that ended it, so isComposing alone is not enough.
  // oxlint-disable-next-line typescript/no-deprecated -- no other property says so
  return event.isComposing || event.keyCode === 229;
}

/**
 * Handlers for a form with text fields, so that selecting kanji never submits it. Calls `submit` for deliberate
 * submissions.
 */
export function useImeSafeForm(submit: () => void) {
  const composing = useRef(false);
  return {
    onCompositionStart: () => {
      composing.current = true;
    },
    onCompositionEnd: () => {
      composing.current = false;
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Enter' && belongsToInputMethod(event)) event.preventDefault();
    },
    onSubmit: (event: Event) => {
      event.preventDefault();
      if (!composing.current) submit();
    },
  };
}

/** Calls with each press of a key, except while text is being typed; or with Ctrl (⌘) and the key. */
export function useShortcut(key: string, act: () => void, withControl = false): void {
  const current = useRef(act);
  current.current = act;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.closest('input, select, textarea');
      const hasControl = event.ctrlKey || event.metaKey;
      if (event.key.toLowerCase() !== key || event.altKey || hasControl !== withControl) return;
      if (isTyping && !withControl) return;
      event.preventDefault();
      current.current();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [key]);
}

/** Escape closes what a button has opened around the focus, and the focus returns to the button. */
export function closeByEscape(event: KeyboardEvent): void {
  const { key, target } = event;
  if (key !== 'Escape' || belongsToInputMethod(event) || !(target instanceof Element)) return;
  const openers = document.querySelectorAll<HTMLElement>(':is(button[aria-expanded=true], [open] > summary)');
  for (const opener of openers) {
    const opened = document.getElementById(opener.getAttribute('aria-controls') ?? '');
    if (!opened || (target !== opener && !opened.contains(target))) continue;
    opener.click();
    opener.focus();
  }
}

/** Focuses an empty field when the page starts, where no screen keyboard opens and no saved position is restored. */
export function useFirstFocus(field: { current: HTMLElement | null }, isEmpty: boolean): void {
  useEffect(() => {
    const hasKeyboard = matchMedia('(hover: hover) and (pointer: fine) and (min-width: 62rem)').matches;
    if (isEmpty && hasKeyboard && history.state === null) field.current?.focus({ preventScroll: true });
  }, []);
}
