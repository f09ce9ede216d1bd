import { useEffect, useRef, useState } from 'preact/hooks';
import { useShell, useWords } from '../shell/page-context.ts';
import { belongsToInputMethod } from '../shell/keyboard.ts';
import type { Reference } from './openapi.ts';
import { PUBLISHED, useReference } from './words.ts';

interface Place {
  kind: string;
  /** The searched text, which is also shown. */
  name: string;
  about: string;
  id: string;
}

export const parameterId = (endpoint: string, name: string): string => `parameter-${endpoint}-${name}`;
export const fieldId = (endpoint: string, name: string): string => `field-${endpoint}-${name}`;

/** All targets: tasks, endpoints, parameters, fields, errors. */
function usePlaces({ endpoints, errors, meta }: Reference): Place[] {
  const { words, language } = useReference();
  const { problems } = useShell().words;
  const { words: published } = useWords(PUBLISHED);
  const say = (text: string) => published(text) ?? text;
  return [
    ...endpoints.flatMap((endpoint) =>
      endpoint.calls.map((call) => ({
        kind: words.kinds.task,
        name: language === 'ja' ? call.titleJa : call.title,
        about: endpoint.path,
        id: call.name,
      })),
    ),
    ...endpoints.map(({ name, path, summary }) => ({
      kind: words.kinds.endpoint,
      name: path,
      about: say(summary),
      id: name,
    })),
    ...endpoints.flatMap((endpoint) =>
      endpoint.parameters.map(({ name }) => ({
        kind: words.kinds.parameter,
        name,
        about: endpoint.path,
        id: parameterId(endpoint.name, name),
      })),
    ),
    ...endpoints.flatMap((endpoint) =>
      endpoint.fields.map(({ name }) => ({
        kind: words.kinds.field,
        name,
        about: endpoint.path,
        id: fieldId(endpoint.name, name),
      })),
    ),
    ...meta.map(({ name }) => ({ kind: words.kinds.field, name, about: 'meta', id: 'meta' })),
    ...errors.map(({ code, status }) => ({
      kind: words.kinds.error,
      name: `${status} ${code}`,
      about: problems[code]?.[0] ?? '',
      id: `error-${code}`,
    })),
  ];
}

/** Scrolls to a target, and expands collapsed parts around it. */
export function showPlace(id: string): void {
  const target = id === '' ? null : document.getElementById(id);
  for (let each = target?.parentElement; each; each = each.parentElement)
    if (each instanceof HTMLDetailsElement) each.open = true;
  target?.scrollIntoView();
}

const MAX_FOUND = 40;

/** The targets that contain every word; names that begin with the text come first. */
function findPlaces<Found extends Pick<Place, 'name' | 'about'>>(
  places: readonly Found[],
  typed: string,
): Found[] {
  const words = typed.toLowerCase().normalize('NFKC').split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const matches = places.filter(({ name, about }) => {
    const text = `${name} ${about}`.toLowerCase().normalize('NFKC');
    return words.every((word) => text.includes(word));
  });
  const begins = ({ name }: Found) => Number(!name.toLowerCase().startsWith(words[0] ?? ''));
  return matches.toSorted((a, b) => begins(a) - begins(b)).slice(0, MAX_FOUND);
}

function useCtrlK(open: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      open();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [open]);
}

/** An overlay with a search field (Ctrl-K) that jumps to its targets. */
export function Finder({ reference }: { reference: Reference }) {
  const { words } = useReference();
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const matches = findPlaces(usePlaces(reference), typed);
  const open = () => {
    setTyped('');
    setAt(0);
    dialog.current?.showModal();
  };
  useCtrlK(open);
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
