import type { FunctionComponent } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { Frame } from '../shell/frame.tsx';
import { mountPage } from '../shell/mount.tsx';
import { isLocal, isOffered } from '../shell/page-facts.ts';
import { FaultLabels } from '../shell/problem-notice.tsx';
import type { Start } from '../shell/start.ts';
import { usePlace, useTitle } from '../shell/page-context.ts';
import { AuthorView, AuthorsView } from './authors.tsx';
import { NovelView } from './novel-view.tsx';
import { firstQuestionOf } from './questions.ts';
import { faultLabels } from './conditions.ts';
import { RankingView } from './ranking-view.tsx';
import { SearchView } from './search-view.tsx';
import { ShelfView } from './shelf-view.tsx';
import { ANY_NOVEL, hrefOf, isAdult, readView, viewOf } from './view.ts';
import type { Compared, View, ViewOf } from './view.ts';
import { CompareContext, CompareTray } from './compare-choice.tsx';
import { CompareView } from './compare-view.tsx';
import { useCatalogue } from './words.ts';
import type { CatalogueWords } from './words.ts';

/** A service without adult novels, rankings or users has no views of them. */
const hasView = (view: View): boolean =>
  (!isAdult(view) || isOffered('adult')) &&
  (!['ranking', 'compare'].includes(view.name) || isOffered('rankings')) &&
  (view.name !== 'authors' || isOffered('users'));

function readOfferedView(search: string): View {
  const view = readView(search);
  return hasView(view) ? view : ANY_NOVEL;
}

/** The page of the catalogue: one view at a time, selected by the URL. */
function CataloguePage() {
  const { words } = useCatalogue();
  const { search, arrivals } = usePlace();
  const view = useMemo(() => readOfferedView(search), [search]);
  // Kept in the component only: lost when the page is closed or the reader leaves the adult part.
  const [confirmed, setConfirmed] = useState(false);
  const adult = isAdult(view);
  useEffect(() => {
    if (!adult) setConfirmed(false);
  }, [adult]);
  useFocusOnArrival(arrivals, confirmed && adult);
  const compared = useState<Compared>(new Map());
  const labelOf = useMemo(() => faultLabels(words), [words]);
  return (
    <Frame
      brand={words.brand}
      navigation={<Navigation view={view} words={words} />}
      footer={<Credit words={words} />}
    >
      {adult && !confirmed ? (
        <AgeGate confirm={() => setConfirmed(true)} />
      ) : (
        <FaultLabels.Provider value={labelOf}>
          <CompareContext.Provider value={compared}>
            <Shown view={view} />
            {!adult && view.name !== 'compare' && <CompareTray />}
          </CompareContext.Provider>
        </FaultLabels.Provider>
      )}
    </Frame>
  );
}

type ShownView<Name extends View['name']> = readonly [
  content: FunctionComponent<{ view: ViewOf<Name> }>,
  /** Places with another key get a new component; default: one for all places of the view. */
  keyOf?: (view: ViewOf<Name>) => string,
];

const VIEWS: { readonly [Name in View['name']]: ShownView<Name> } = {
  search: [SearchView, ({ adult }) => String(adult)],
  ranking: [RankingView, ({ type }) => type],
  compare: [CompareView],
  novel: [NovelView, ({ ncode, adult }) => `${ncode}${adult}`],
  author: [AuthorView, ({ userid }) => userid],
  shelf: [ShelfView],
  authors: [AuthorsView],
};

function Shown({ view }: { view: View }) {
  const [Content, keyOf] = VIEWS[view.name] as ShownView<View['name']>;
  return <Content key={view.name + (keyOf?.(view) ?? '')} view={view} />;
}

/** Precedes all adult content. Nothing is requested before the confirmation, which is not stored. */
function AgeGate({ confirm }: { confirm: () => void }) {
  const words = useCatalogue().words.adult;
  useTitle(words.title);
  return (
    <section class="gate">
      <p class="gate-sign" aria-hidden="true">
        18+
      </p>
      <h1 tabIndex={-1}>{words.title}</h1>
      <p>{words.text}</p>
      <p class="gate-answers beside">
        <button type="button" onClick={confirm}>
          {words.yes}
        </button>
        <a href="/">{words.no}</a>
      </p>
      <p class="fine">{words.unremembered}</p>
    </section>
  );
}

function Navigation({ view, words }: { view: View; words: CatalogueWords }) {
  const { navigation } = words;
  const places: readonly (readonly [place: View, label: string, long?: string])[] = [
    [ANY_NOVEL, navigation.search],
    [viewOf('ranking'), navigation.ranking],
    [viewOf('authors'), navigation.authors],
    [viewOf('shelf', { shelf: true }), navigation.shelf],
    [{ ...ANY_NOVEL, adult: true }, navigation.adult, navigation.adultLong],
  ];
  const isHere = (place: View) => place.name === view.name && isAdult(place) === isAdult(view);
  return (
    <nav class="places" aria-label={navigation.label}>
      {places
        .filter(([place]) => hasView(place))
        .map(([place, label, long]) => (
          <a key={label} href={hrefOf(place)} title={long} aria-current={isHere(place) ? 'page' : undefined}>
            {label}
          </a>
        ))}
    </nav>
  );
}

function Credit({ words }: { words: CatalogueWords }) {
  return (
    <p>
      {words.credit}{' '}
      <a href="https://dev.syosetu.com/" rel="noreferrer" lang="ja">
        {words.creditName}
      </a>{' '}
      <span>{words.creditNote}</span>
    </p>
  );
}

/** At a new place, moves the focus to its heading, so that keyboards and screen readers start there. */
function useFocusOnArrival(arrivals: number, confirmed: boolean) {
  useEffect(() => {
    if (arrivals === 0 && !confirmed) return;
    const heading = document.querySelector<HTMLElement>('main h1');
    heading?.focus({ preventScroll: true });
  }, [arrivals, confirmed]);
}

export const mount = (start: Start): Promise<void> =>
  mountPage(CataloguePage, (search) => firstQuestionOf(readOfferedView(search), isLocal()), start);
