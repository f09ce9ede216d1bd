import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { Empty, PartLine } from './answer-view.tsx';
import type { Answered } from './answers.ts';
import { ForeignText } from './foreign-text.tsx';
import { useSettled, useShell } from './page-context.ts';
import { saveText } from './own-forms.ts';
import { FollowButton, useShelf } from './shelf-parts.tsx';
import { followedItemKey, changedFactsOf } from './shelf.ts';
import type { FollowedItem, Kind, ChangedFact, ShelfNews } from './shelf.ts';
import type { QueryState } from './use-answer.ts';

interface ShelfListProps {
  kinds: readonly Kind[];
  /** The load of the latest data, which are stored when they arrive. */
  request: QueryState<Answered & { data: ShelfNews }>;
  hrefOf: (one: FollowedItem) => string;
  /** A change as a sentence. */
  say: (moved: ChangedFact) => string;
  /** The state of an item in a few words. */
  factsOf: (one: FollowedItem) => readonly (string | false)[];
  /** Further actions for the shelf, besides saving and loading. */
  children?: ComponentChildren;
  /** How to follow an item. */
  how: string;
}

/** All followed items: first those that have changed, then the state of all. Works offline with stored data. */
export function ShelfList(props: ShelfListProps) {
  const { kinds, request, how, children, ...looks } = props;
  const { words, format } = useShell();
  const shelf = useShelf();
  const followed = shelf.followed.filter(({ kind }) => kinds.includes(kind));
  const moved = followed.filter((one) => changedFactsOf(one).length > 0);
  const { confirmedAt, loadedAt } = shelf;
  const news = request.answer?.data;
  const arrivedAt = useMemo(() => new Date(), [news]);
  // An item that was followed anew, in another tab too, has no data yet.
  const isNew = followed.some(({ latest }) => latest === null);
  useEffect(() => {
    if (news) shelf.update(news, arrivedAt);
  }, [news, isNew]);
  useSettled(!request.loading);
  return (
    <>
      {followed.length === 0 ? (
        <Empty title={words.shelf.empty}>{how}</Empty>
      ) : (
        <section class="results shelf-list" aria-busy={request.loading}>
          <PartLine request={request} what={words.shelf.news}>
            {loadedAt && words.shelf.loadedAt(format.moment(loadedAt))}
          </PartLine>
          <h2>
            {words.shelf.moved}{' '}
            <small class="shelf-since">{confirmedAt && words.shelf.since(format.moment(confirmedAt))}</small>
          </h2>
          {moved.length === 0 ? (
            <p class="fine">{news ? words.shelf.nothingMoved : '–'}</p>
          ) : (
            <>
              <Rows followed={moved} {...looks} withMoves />
              <button type="button" onClick={() => shelf.confirmVisit(new Date())}>
                {words.shelf.confirm}
              </button>
            </>
          )}
          <h2>
            {words.shelf.items} <small>{format.number(followed.length)}</small>
          </h2>
          <Rows followed={followed} {...looks} />
        </section>
      )}
      <ShelfTools kinds={kinds}>{followed.length > 0 && children}</ShelfTools>
    </>
  );
}

interface RowsProps extends Pick<ShelfListProps, 'hrefOf' | 'say' | 'factsOf'> {
  followed: readonly FollowedItem[];
  withMoves?: boolean;
}

function Rows({ followed, hrefOf, say, factsOf, withMoves = false }: RowsProps) {
  return (
    <ul class="shelf-rows ruled">
      {followed.map((one) => (
        <li key={followedItemKey(one)}>
          <div>
            <a class="main target" lang={one.kind === 'domain' ? undefined : 'ja'} href={hrefOf(one)}>
              <ForeignText text={one.label} maxLength={120} inLink />
            </a>
            {withMoves ? (
              <ul class="moves">
                {changedFactsOf(one).map((moved) => (
                  <li key={moved.name}>
                    <ForeignText text={say(moved)} />
                  </li>
                ))}
              </ul>
            ) : (
              <p class="facts beside soft">
                {factsOf(one).map((fact) => fact && <ForeignText key={fact} text={fact} maxLength={120} />)}
              </p>
            )}
          </div>
          <FollowButton kind={one.kind} id={one.id} label={one.label} />
        </li>
      ))}
    </ul>
  );
}

/** Moves the shelf to another browser or program. */
function ShelfTools({ kinds, children }: { kinds: readonly Kind[]; children: ComponentChildren }) {
  const words = useShell().words.shelf;
  const shelf = useShelf();
  const [said, setSaid] = useState('');
  const load = async (file: File | undefined) => {
    if (!file) return;
    const added = shelf.add(await file.text(), kinds);
    const isFull = kinds.some((kind) => shelf.isFull(kind)) ? words.isFull : '';
    setSaid(added === null ? words.notShelf : `${words.added(added)} ${isFull}`);
  };
  return (
    <div class="shelf-tools">
      <p class="beside tight">
        <button type="button" class="chip" onClick={() => saveText(shelf.text(), 'mokuroku-shelf', 'json')}>
          {words.save}
        </button>
        <label class="chip file-chip">
          {words.load}
          <input
            type="file"
            accept="application/json,.json"
            class="hidden"
            onChange={(event) => {
              void load(event.currentTarget.files?.[0]);
              event.currentTarget.value = '';
            }}
          />
        </label>
        {children}
        <span role="status">{said}</span>
      </p>
      <p class="fine">{shelf.isStored ? words.here : words.isLost}</p>
    </div>
  );
}
