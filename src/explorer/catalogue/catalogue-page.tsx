import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { Frame } from '../shell/frame.tsx';
import type { Choices } from '../shell/frame.tsx';
import { useWords } from '../shell/language-context.ts';
import { usePlace } from '../shell/navigator.ts';
import { AgeGate } from './age-gate.tsx';
import { AuthorView } from './author-view.tsx';
import { AuthorsView } from './authors-view.tsx';
import { CATALOGUE_WORDS } from './catalogue-words.ts';
import type { CatalogueWords } from './catalogue-words.ts';
import { NovelView } from './novel-view.tsx';
import { RankingView } from './ranking-view.tsx';
import { SearchView } from './search-view.tsx';
import { ANY_NOVEL, isAdult } from './view.ts';
import type { View } from './view.ts';
import { hrefOf, readView } from './view-url.ts';

/** The page of the catalogue: one view at a time, named by the address. */
export function CataloguePage({ choices }: { choices: Choices }) {
  const words = useWords(CATALOGUE_WORDS);
  const { search, arrivals } = usePlace();
  const view = useMemo(() => readView(search), [search]);
  // Held by the component alone: gone with the page, and when the reader leaves the part for adults.
  const [confirmed, setConfirmed] = useState(false);
  const adult = isAdult(view);
  useEffect(() => {
    if (!adult) setConfirmed(false);
  }, [adult]);
  useFocusOnArrival(arrivals, confirmed && adult);
  return (
    <Frame
      brand={words.brand}
      choices={choices}
      navigation={<Navigation view={view} words={words} />}
      footer={<Credit words={words} />}
    >
      {adult && !confirmed ? (
        <AgeGate
          confirm={() => {
            setConfirmed(true);
          }}
        />
      ) : (
        <ViewOf view={view} />
      )}
    </Frame>
  );
}

function titleOf(words: CatalogueWords, view: View): string {
  switch (view.name) {
    case 'search':
      return [view.search.word, view.adult ? words.titles.adultSearch : words.titles.search]
        .filter(Boolean)
        .join(' ');
    case 'ranking':
      return [words.ranking.types[view.type] + words.titles.ranking, view.date ?? '']
        .filter(Boolean)
        .join(' ');
    case 'novel':
      return view.ncode;
    case 'author':
      return `${words.titles.author} ${view.userid}`;
    case 'authors':
      return words.titles.authors;
  }
}

function ViewOf({ view }: { view: View }) {
  const words = useWords(CATALOGUE_WORDS);
  const { brand } = words;
  const now = Date.now();
  const title = titleOf(words, view);
  useEffect(() => {
    document.title = `${title} – ${brand.name}`;
  }, [title, brand]);
  const onTitle = useCallback(
    (found: string) => {
      document.title = `${found} – ${brand.name}`;
    },
    [brand],
  );
  switch (view.name) {
    case 'search':
      return <SearchView key={String(view.adult)} search={view.search} adult={view.adult} />;
    case 'ranking':
      return <RankingView key={view.type} type={view.type} date={view.date} now={now} />;
    case 'novel':
      return (
        <NovelView
          key={`${view.ncode}${view.adult}`}
          ncode={view.ncode}
          adult={view.adult}
          span={view.span}
          now={now}
          onTitle={onTitle}
        />
      );
    case 'author':
      return <AuthorView key={view.userid} userid={view.userid} st={view.st} onTitle={onTitle} />;
    case 'authors':
      return <AuthorsView word={view.word} st={view.st} />;
  }
}

function Navigation({ view, words }: { view: View; words: CatalogueWords }) {
  const places: { view: View; label: string; long?: string; isHere: boolean }[] = [
    {
      view: { name: 'search', adult: false, search: ANY_NOVEL },
      label: words.navigation.search,
      isHere: view.name === 'search' && !view.adult,
    },
    {
      view: { name: 'ranking', type: 'daily', date: null },
      label: words.navigation.ranking,
      isHere: view.name === 'ranking',
    },
    {
      view: { name: 'authors', word: '', st: 1 },
      label: words.navigation.authors,
      isHere: view.name === 'authors',
    },
    {
      view: { name: 'search', adult: true, search: ANY_NOVEL },
      label: words.navigation.adult,
      long: words.navigation.adultLong,
      isHere: view.name === 'search' && view.adult,
    },
  ];
  return (
    <nav class="places" aria-label={words.navigation.label}>
      {places.map((place) => (
        <a
          key={place.label}
          href={hrefOf(place.view)}
          title={place.long}
          aria-current={place.isHere ? 'page' : undefined}
        >
          {place.label}
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

/** At a new place the focus goes to its heading, so that keyboards and screen readers start there. */
function useFocusOnArrival(arrivals: number, confirmed: boolean) {
  useEffect(() => {
    if (arrivals === 0 && !confirmed) return;
    const heading = document.querySelector<HTMLElement>('main h1');
    heading?.focus({ preventScroll: true });
  }, [arrivals, confirmed]);
}
