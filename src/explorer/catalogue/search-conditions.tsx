import { useId } from 'preact/hooks';
import { NOCGENRES } from '../../catalogue/novels/genres.ts';
import { NOVEL18API_ORDERS } from '../../catalogue/novels/orders.ts';
import { SelectField } from '../shell/select.tsx';
import { LENGTH_PRESETS, tidyNumber, withCode } from './conditions.ts';
import type { CountOf } from './facet-counts.ts';
import { Count, Pill } from './form-fields.tsx';
import { MARKS, RANGES, SEARCH_FIELDS, WORD_TARGETS, isKnownTo } from './view.ts';
import type { SearchInput } from './view.ts';
import { genreGroups, genreName, useCatalogue } from './words.ts';

/** First in the list. */
const POINT_ORDERS = ['weeklypoint', 'dailypoint', 'monthlypoint', 'quarterpoint', 'yearlypoint', 'hyoka'];

const NO_LENGTH = { minlen: '', maxlen: '' };

interface FieldProps {
  draft: SearchInput;
  adult: boolean;
  countOf: CountOf;
  /** Changes a text, which is applied on Enter. */
  edit: (change: Partial<SearchInput>) => void;
  /** Changes a value that is applied at once. */
  choose: (change: Partial<SearchInput>) => void;
}

/** All filters and the order of a search, without its words. */
export function SearchConditions(props: FieldProps & { isRange: boolean }) {
  const { draft, adult, edit, choose } = props;
  const { words } = useCatalogue();
  const orders = [...new Set([...POINT_ORDERS, ...Object.keys(words.orders)])].filter(
    (order) => !adult || order in NOVEL18API_ORDERS,
  );
  return (
    <>
      <SelectField
        label={words.form.order}
        value={draft.order}
        options={orders.map((order) => [order, words.orders[order] ?? order])}
        onChoose={(order) => choose({ order })}
      />
      {adult ? (
        <SiteField {...props} />
      ) : (
        <>
          <GenreField {...props} without={false} />
          <GenreField {...props} without />
        </>
      )}
      <StateField {...props} />
      <LengthFields {...props} />
      {RANGES.map((field) => (
        <SelectField
          key={field}
          label={words.form.ranges[field].label}
          value={draft[field]}
          options={Object.entries(words.form.ranges[field].values)}
          onChoose={(value) => {
            // The upstream accepts a length or a reading time, not both.
            choose({ [field]: value, ...(field === 'time' && value !== '' && NO_LENGTH) });
          }}
        />
      ))}
      <MarkFields {...props} />
      <label class="field">
        <span>{words.form.notword}</span>
        <input
          type="text"
          name="notword"
          autocomplete="off"
          value={draft.notword}
          placeholder={words.form.notwordPlaceholder}
          onInput={(event) => edit({ notword: event.currentTarget.value })}
        />
      </label>
      <SelectField
        label={words.form.target}
        value={draft.target}
        options={WORD_TARGETS.map((target) => [target, words.form.targets[target]])}
        onChoose={(target) => choose({ target: WORD_TARGETS.find((each) => each === target) ?? '' })}
      />
    </>
  );
}

/** A label with a count for options, which contain only text. */
function useWithCount() {
  const { format } = useCatalogue();
  return (label: string, count: number | null | undefined) =>
    typeof count === 'number' ? `${label} (${format.number(count)})` : label;
}

/** Adds a genre, or a whole big genre, to the included or excluded ones; the chips of the results remove it. */
function GenreField({ draft, countOf, choose, without }: FieldProps & { without: boolean }) {
  const { words } = useCatalogue();
  const withCount = useWithCount();
  const counted = (field: string, code: number, label: string) =>
    without ? label : withCount(label, countOf(field, String(code)));
  return (
    <SelectField
      label={without ? words.form.notgenre : words.form.genre}
      value=""
      options={[['', without ? words.form.noGenre : words.form.anyGenre]]}
      groups={genreGroups().map(({ big, genres }) => ({
        label: genreName(words, big),
        options: [
          [`b${big}`, counted('biggenre', big, words.form.wholeGenre(genreName(words, big)))],
          ...genres.map((genre): [string, string] => [
            String(genre),
            counted('genre', genre, genreName(words, genre)),
          ]),
        ],
      }))}
      onChoose={(code) => {
        const [is, not] = code.startsWith('b')
          ? (['biggenre', 'notbiggenre'] as const)
          : (['genre', 'notgenre'] as const);
        const plain = code.replace('b', '');
        choose({ [is]: withCode(draft[is], plain, !without), [not]: withCode(draft[not], plain, without) });
      }}
    />
  );
}

function SiteField({ draft, countOf, choose }: FieldProps) {
  const { words, language } = useCatalogue();
  const withCount = useWithCount();
  return (
    <SelectField
      label={words.adult.genre}
      value={draft.nocgenre}
      options={[
        ['', words.form.anyGenre],
        ...NOCGENRES.map(({ code, label_ja }): [string, string] => [
          String(code),
          withCount(label_ja, countOf('nocgenre', String(code))),
        ]),
      ]}
      {...(language === 'ja' ? {} : { optionLanguage: 'ja' })}
      onChoose={(nocgenre) => choose({ nocgenre })}
    />
  );
}

function StateField({ draft, countOf, choose }: FieldProps) {
  const { words } = useCatalogue();
  const name = useId();
  const others = Object.entries(words.form.otherTypes).filter(([type]) => type === draft.type);
  return (
    <fieldset class="field pills beside tight">
      <legend>{words.form.type}</legend>
      {[...Object.entries(words.form.types), ...others].map(([type, label]) => (
        <label key={type}>
          <input
            type="radio"
            name={name}
            value={type}
            checked={draft.type === type}
            onChange={() => choose({ type })}
          />
          <span class="chip">
            {label}
            <Count value={countOf('type', type)} />
          </span>
        </label>
      ))}
      <Pill
        label={words.form.stops['1'] ?? ''}
        isSet={draft.stop === '1'}
        press={() => choose({ stop: draft.stop === '1' ? '' : '1' })}
      />
    </fieldset>
  );
}

/** Minimum and maximum in characters, and presets that are applied at once. */
function LengthFields({ draft, isRange, edit, choose }: FieldProps & { isRange: boolean }) {
  const { form: words, list } = useCatalogue().words;
  const faultId = useId();
  const field = (name: 'minlen' | 'maxlen') => (
    <input
      type="text"
      inputMode="numeric"
      name={name}
      autocomplete="off"
      aria-label={`${words.length} ${words[name]}`}
      aria-invalid={!isRange}
      aria-describedby={isRange ? undefined : faultId}
      placeholder={words[name]}
      value={draft[name]}
      onInput={(event) => edit({ [name]: event.currentTarget.value })}
      onChange={(event) => choose({ [name]: tidyNumber(event.currentTarget.value), time: '' })}
    />
  );
  return (
    <fieldset class="field">
      <legend>{words.length}</legend>
      <div class="range">
        {field('minlen')}
        <span aria-hidden="true">{list.range('', '')}</span>
        {field('maxlen')}
      </div>
      {!isRange && (
        <p class="fault" id={faultId} role="alert">
          {words.badLength}
        </p>
      )}
      <div class="pills beside tight">
        {LENGTH_PRESETS.map((preset, index) => {
          const isSet = draft.minlen === preset.minlen && draft.maxlen === preset.maxlen;
          return (
            <Pill
              key={index}
              label={words.lengths[index] ?? ''}
              isSet={isSet}
              press={() => choose(isSet ? NO_LENGTH : { ...preset, time: '' })}
            />
          );
        })}
      </div>
    </fieldset>
  );
}

/** Each flag: only novels with it, or without it; the question most asked, either of two, first. */
function MarkFields({ draft, adult, choose }: FieldProps) {
  const { words } = useCatalogue();
  const marks = (['tt', ...MARKS] as const).filter((mark) => isKnownTo(`is${mark}`, adult));
  return (
    <fieldset class="field">
      <legend>{words.form.marks}</legend>
      {marks.map((mark) => {
        const fields = SEARCH_FIELDS.filter((field) => [`is${mark}`, `not${mark}`].includes(field));
        const cleared = Object.fromEntries(fields.map((field) => [field, '']));
        return (
          <div key={mark} class="mark-field">
            <span>{words.marks[mark]}</span>
            {fields.map((field) => {
              const label = field.startsWith('is') ? words.form.only : words.form.without;
              return (
                <Pill
                  key={field}
                  label={label}
                  name={`${words.marks[mark]}: ${label}`}
                  isSet={draft[field] === '1'}
                  press={() => choose({ ...cleared, [field]: draft[field] === '1' ? '' : '1' })}
                />
              );
            })}
          </div>
        );
      })}
    </fieldset>
  );
}
