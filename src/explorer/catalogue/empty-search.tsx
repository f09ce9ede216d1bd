import { useWords } from '../shell/language-context.ts';
import { CATALOGUE_WORDS } from './catalogue-words.ts';
import type { CatalogueWords } from './catalogue-words.ts';
import { genreName } from './genre-names.ts';
import { conditionsOf, withoutCondition } from './search-draft.ts';
import type { Condition } from './search-draft.ts';
import type { NovelSearch } from './view.ts';
import { hrefOf } from './view-url.ts';

function describe(words: CatalogueWords, search: NovelSearch, condition: Condition): string {
  const { form } = words;
  switch (condition) {
    case 'word':
      return search.word;
    case 'notword':
      return `${form.notword} ${search.notword}`;
    case 'target':
      return `${form.target} ${form.targets[search.target]}`;
    case 'genre':
      return genreName(words, Number(search.genre.replace('b', '')));
    case 'nocgenre':
      return words.adult.genre;
    case 'type':
      return new Map(Object.entries({ ...form.types, ...form.otherTypes })).get(search.type) ?? search.type;
    case 'length':
      return form.length;
  }
}

/** Nothing matched: each condition can be taken back with one step. */
export function EmptySearch({ search, adult }: { search: NovelSearch; adult: boolean }) {
  const words = useWords(CATALOGUE_WORDS);
  const conditions = conditionsOf(search);
  return (
    <div class="notice" data-state="empty" role="status">
      <h2>{words.list.emptyTitle}</h2>
      <p>{conditions.length === 0 ? words.list.emptyAll : words.list.emptyText}</p>
      {conditions.length > 0 && (
        <ul class="suggestions">
          {conditions.map((condition) => (
            <li key={condition}>
              <a href={hrefOf({ name: 'search', adult, search: withoutCondition(search, condition) })}>
                {words.list.without(describe(words, search, condition))}
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
