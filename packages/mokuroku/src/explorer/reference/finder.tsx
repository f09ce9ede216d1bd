import { useRef, useState } from 'preact/hooks';
import { belongsToInputMethod, useImeSafeForm, useShortcut } from '../shell/keyboard.ts';
import type { Reference } from './openapi.ts';
import { findPlaces, placesOf } from './places.ts';
import type { Place } from './places.ts';
import { useReference } from './words.ts';

/** Scrolls to a target, and expands collapsed parts around it. */
export function showPlace(id: string): void {
  const target = id === '' ? null : document.getElementById(id);
  for (let each = target?.parentElement; each; each = each.parentElement)
    if (each instanceof HTMLDetailsElement) each.open = true;
  target?.scrollIntoView();
}

/** The arrow keys move between the field and the links below it. */
function moveByArrows(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key] ?? 0;
  const stops = [...document.querySelectorAll<HTMLElement>('.finder :is(input, a)')];
  const next = stops[stops.findIndex((each) => each === document.activeElement) + step];
  const isOther = event.altKey || event.ctrlKey || event.metaKey || belongsToInputMethod(event);
  if (step === 0 || !next || isOther) return;
  event.preventDefault();
  next.focus();
}

/** An overlay with a search field (Ctrl-K) and links to its targets; Enter in the field opens the first. */
export function Finder({ reference }: { reference: Reference }) {
  const { words, language } = useReference();
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState('');
  const [places, setPlaces] = useState<readonly Place[]>([]);
  const matches = findPlaces(places, typed);
  const open = () => {
    setPlaces(placesOf(reference, { words, language }));
    setTyped('');
    dialog.current?.showModal();
  };
  useShortcut('k', open, true);
  const form = useImeSafeForm(() => dialog.current?.querySelector('a')?.click());
  return (
    <>
      <button type="button" class="quiet finder-open" onClick={open}>
        {words.find} <kbd>Ctrl K</kbd>
      </button>
      <dialog ref={dialog} class="finder sheet" aria-label={words.find} onKeyDown={moveByArrows}>
        <form {...form}>
          <input
            type="search"
            aria-label={words.findWhat}
            placeholder={words.findWhat}
            autocomplete="off"
            spellcheck={false}
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </form>
        <ul>
          {matches.map(({ kind, id, name, about }) => (
            <li key={`${kind} ${id} ${name}`}>
              <a class="main option" href={`#${id}`} onClick={() => dialog.current?.close()}>
                <span>
                  <small>{kind}</small> {name}
                </span>
                <small>{about}</small>
              </a>
            </li>
          ))}
        </ul>
        {typed !== '' && matches.length === 0 && <p role="status">{words.foundNothing}</p>}
      </dialog>
    </>
  );
}
