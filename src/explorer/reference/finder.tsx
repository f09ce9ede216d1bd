import { useRef, useState } from 'preact/hooks';
import { belongsToInputMethod, useShortcut } from '../shell/keyboard.ts';
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

/** An overlay with a search field (Ctrl-K) that jumps to its targets. */
export function Finder({ reference }: { reference: Reference }) {
  const { words, language } = useReference();
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const [places, setPlaces] = useState<readonly Place[]>([]);
  const matches = findPlaces(places, typed);
  const open = () => {
    setPlaces(placesOf(reference, { words, language }));
    setTyped('');
    setAt(0);
    dialog.current?.showModal();
  };
  useShortcut('k', open, true);
  const go = (place: Place | undefined) => {
    if (!place) return;
    dialog.current?.close();
    location.hash = place.id;
    // The address may have named it before: then it does not change.
    showPlace(place.id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (belongsToInputMethod(event)) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setAt(Math.max(0, Math.min(matches.length - 1, at + step)));
    else if (event.key === 'Enter') go(matches[at]);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <button type="button" class="quiet finder-open" onClick={open}>
        {words.find} <kbd>Ctrl K</kbd>
      </button>
      <dialog ref={dialog} class="finder sheet" aria-label={words.find}>
        <input
          type="search"
          role="combobox"
          list={undefined}
          aria-expanded={matches.length > 0}
          aria-controls="found"
          aria-activedescendant={matches.length > 0 ? `found-${at}` : undefined}
          aria-label={words.findWhat}
          placeholder={words.findWhat}
          autocomplete="off"
          spellcheck={false}
          value={typed}
          onInput={(event) => {
            setTyped(event.currentTarget.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
        <ul id="found" role="listbox" aria-label={words.find}>
          {matches.map((place, number) => (
            <li
              key={`${place.kind} ${place.id} ${place.name}`}
              id={`found-${number}`}
              role="option"
              aria-selected={number === at}
              ref={(row) => {
                if (number === at) row?.scrollIntoView({ block: 'nearest' });
              }}
              onClick={() => go(place)}
            >
              <span>
                <small>{place.kind}</small> {place.name}
              </span>
              <small>{place.about}</small>
            </li>
          ))}
        </ul>
        {typed !== '' && matches.length === 0 && <p role="status">{words.foundNothing}</p>}
      </dialog>
    </>
  );
}
