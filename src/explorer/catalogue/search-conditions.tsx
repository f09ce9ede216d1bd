import { useId } from 'preact/hooks';
import { NOCGENRES } from '../../catalogue/novels/genres.ts';
import { NOVEL18API_ORDERS } from '../../catalogue/novels/orders.ts';
import { useLanguage, useWords } from '../shell/language-context.ts';
import { CATALOGUE_WORDS } from './catalogue-words.ts';
import { genreGroups, genreName } from './genre-names.ts';
import { LengthFields } from './length-fields.tsx';
import { SelectField } from './select-field.tsx';
import { WORD_TARGETS } from './view.ts';
import type { NovelSearch } from './view.ts';

interface SearchConditionsProps {
  draft: NovelSearch;
  adult: boolean;
  isRange: boolean;
  edit: (change: Partial<NovelSearch>) => void;
  choose: (change: Partial<NovelSearch>) => void;
}

/** All that narrows or orders a search, but for its words. */
export function SearchConditions({ draft, adult, isRange, edit, choose }: SearchConditionsProps) {
  const words = useWords(CATALOGUE_WORDS);
  const orders = Object.keys(words.orders).filter((order) => !adult || order in NOVEL18API_ORDERS);
  return (
    <>
      <SelectField
        label={words.form.order}
        value={draft.order}
        options={orders.map((order) => [order, words.orders[order] ?? order])}
        onChoose={(order) => {
          choose({ order });
        }}
      />
      {adult ? <SiteField draft={draft} choose={choose} /> : <GenreField draft={draft} choose={choose} />}
      <StateField draft={draft} choose={choose} />
      <LengthFields draft={draft} isRange={isRange} edit={edit} choose={choose} />
      <label class="field">
        <span>{words.form.notword}</span>
        <input
          type="text"
          name="notword"
          autocomplete="off"
          value={draft.notword}
          placeholder={words.form.notwordPlaceholder}
          onInput={(event) => {
            edit({ notword: event.currentTarget.value });
          }}
        />
      </label>
      <SelectField
        label={words.form.target}
        value={draft.target}
        options={WORD_TARGETS.map((target) => [target, words.form.targets[target]])}
        onChoose={(target) => {
          choose({ target: WORD_TARGETS.find((each) => each === target) ?? '' });
        }}
      />
    </>
  );
}

type FieldProps = Pick<SearchConditionsProps, 'draft' | 'choose'>;

function GenreField({ draft, choose }: FieldProps) {
  const words = useWords(CATALOGUE_WORDS);
  return (
    <SelectField
      label={words.form.genre}
      value={draft.genre}
      options={[['', words.form.anyGenre]]}
      groups={genreGroups().map(({ big, genres }) => ({
        label: genreName(words, big),
        options: [
          [`b${big}`, words.form.wholeGenre(genreName(words, big))],
          ...genres.map((genre): [string, string] => [String(genre), genreName(words, genre)]),
        ],
      }))}
      onChoose={(genre) => {
        choose({ genre });
      }}
    />
  );
}

function SiteField({ draft, choose }: FieldProps) {
  const words = useWords(CATALOGUE_WORDS);
  const isJapanese = useLanguage() === 'ja';
  return (
    <SelectField
      label={words.adult.genre}
      value={draft.nocgenre}
      options={[
        ['', words.form.anyGenre],
        ...NOCGENRES.map(({ code, label_ja }): [string, string] => [String(code), label_ja]),
      ]}
      {...(isJapanese ? {} : { optionLanguage: 'ja' })}
      onChoose={(nocgenre) => {
        choose({ nocgenre });
      }}
    />
  );
}

function StateField({ draft, choose }: FieldProps) {
  const words = useWords(CATALOGUE_WORDS);
  const name = useId();
  const others = Object.entries(words.form.otherTypes).filter(([type]) => type === draft.type);
  return (
    <fieldset class="field pills">
      <legend>{words.form.type}</legend>
      {[...Object.entries(words.form.types), ...others].map(([type, label]) => (
        <label key={type}>
          <input
            type="radio"
            name={name}
            value={type}
            checked={draft.type === type}
            onChange={() => {
              choose({ type });
            }}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}
