import { useId } from 'preact/hooks';
import { NOCGENRES, NOVEL18API_ORDERS } from '@mokuroku/narou';
import { Count, Pill, SelectField } from '../shell/form-controls.tsx';
import type { Option } from '../shell/form-controls.tsx';
import { isLocal } from '../shell/page-facts.ts';
import { endsOf, isRange, rangeOf, tidyNumber, withCode } from './conditions.ts';
import type { CountOf } from './conditions.ts';
import { BOUNDED, MARKS, RANGES, SEARCH_FIELDS, WORD_FILTERS, isKnownTo } from './view.ts';
import type { BoundedField, RangeField, SearchInput } from './view.ts';
import { genreGroups, genreName, useCatalogue } from './words.ts';

/** First in the list. */
const POINT_ORDERS = ['weeklypoint', 'dailypoint', 'monthlypoint', 'quarterpoint', 'yearlypoint', 'hyoka'];

/** A type of a hand-written URL is offered beside these. */
const OFFERED_TYPES = ['', 'er', 'r', 't'];

/** The upstream's interfaces have none of these. */
const LOCAL: readonly string[] = ['episodes', 'points', 'anykeyword', 'notkeyword'];
const offered = <Field extends string>(fields: readonly Field[]) =>
  fields.filter((field) => isLocal() || !LOCAL.includes(field));

/** Whether the ranges with a field here are valid; the service reports others. */
export const hasRanges = (search: SearchInput) => offered(BOUNDED).every((field) => isRange(search[field]));

interface FieldProps {
  draft: SearchInput;
  countOf: CountOf;
  /** Changes a text, which is applied on Enter. */
  edit: (change: Partial<SearchInput>) => void;
  /** Changes a value that is applied at once. */
  choose: (change: Partial<SearchInput>) => void;
}

/** All filters and the order of a search, without its words. */
export function SearchConditions(props: FieldProps) {
  const { draft, countOf, edit, choose } = props;
  const { adult } = draft;
  const { words } = useCatalogue();
  const orders = words.values.order;
  const offeredOrders = [...new Set([...POINT_ORDERS, ...Object.keys(orders)])].filter(
    (order) => !adult || order in NOVEL18API_ORDERS,
  );
  const withCount = useWithCount();
  const sites = NOCGENRES.map(({ code, label_ja }): Option => [
    String(code),
    withCount(label_ja, countOf('nocgenre', String(code))),
  ]);
  const select = (field: 'order' | 'target' | 'nocgenre' | RangeField, options: readonly Option[]) => (
    <SelectField
      key={field}
      label={words.filters[field]}
      value={draft[field]}
      options={options}
      {...(field === 'nocgenre' && { optionLanguage: 'ja' })}
      onChoose={(value) => {
        // The upstream accepts a length or a reading time, not both.
        choose({ [field]: value, ...(field === 'time' && value !== '' && { length: '' }) });
      }}
    />
  );
  return (
    <>
      {select(
        'order',
        offeredOrders.map((order) => [order, orders[order] ?? order]),
      )}
      {adult ? (
        select('nocgenre', [['', words.form.anyGenre], ...sites])
      ) : (
        <>
          <GenreField {...props} without={false} />
          <GenreField {...props} without />
        </>
      )}
      <StateField {...props} />
      {offered(BOUNDED).map((name) => (
        <BoundedFields key={name} {...props} name={name} />
      ))}
      {RANGES.map((field) => select(field, Object.entries(words.values[field])))}
      <MarkFields {...props} />
      {offered(WORD_FILTERS).map((field) => (
        <label key={field} class="field">
          <span>{words.filters[field]}</span>
          <input
            type="text"
            name={field}
            autocomplete="off"
            value={draft[field]}
            placeholder={words.form.notwordPlaceholder}
            onInput={(event) => edit({ [field]: event.currentTarget.value })}
          />
        </label>
      ))}
      {select('target', Object.entries(words.values.target))}
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
  const isSet = (without ? draft.notgenre + draft.notbiggenre : draft.genre + draft.biggenre) !== '';
  const counted = (field: string, code: number, label: string) =>
    without ? label : withCount(label, countOf(field, String(code)));
  return (
    <SelectField
      label={words.filters[without ? 'notgenre' : 'genre']}
      value=""
      adds
      options={[['', isSet ? words.form.addGenre : without ? words.form.noGenre : words.form.anyGenre]]}
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

function StateField({ draft, countOf, choose }: FieldProps) {
  const { words } = useCatalogue();
  const name = useId();
  const types = Object.entries(words.values.type).filter(
    ([type]) => OFFERED_TYPES.includes(type) || type === draft.type,
  );
  return (
    <fieldset class="field pills beside tight">
      <legend>{words.filters.type}</legend>
      {types.map(([type, label]) => (
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
        label={words.values.stop[1]}
        count={countOf('isstop', '0')}
        isSet={draft.stop === '1'}
        press={() => choose({ stop: draft.stop === '1' ? '' : '1' })}
      />
    </fieldset>
  );
}

/** Minimum and maximum of a number. */
function BoundedFields({ draft, name, edit, choose }: FieldProps & { name: BoundedField }) {
  const { form: words, list, filters } = useCatalogue().words;
  const faultId = useId();
  const label = filters[name];
  const [from, to] = endsOf(draft[name]);
  const isValid = isRange(draft[name]);
  const field = (end: string, value: string, withEnd: (text: string) => string) => (
    <input
      type="text"
      inputMode="numeric"
      autocomplete="off"
      aria-label={`${label} ${end}`}
      aria-invalid={!isValid}
      aria-describedby={isValid ? undefined : faultId}
      placeholder={end}
      value={value}
      onInput={(event) => edit({ [name]: withEnd(event.currentTarget.value) })}
      onChange={(event) => {
        const range = withEnd(tidyNumber(event.currentTarget.value));
        // The upstream accepts a length or a reading time, not both.
        choose({ [name]: range, ...(name === 'length' && { time: '' }) });
      }}
    />
  );
  return (
    <fieldset class="field">
      <legend>{label}</legend>
      <div class="range">
        {field(words.from, from, (text) => rangeOf(text, to))}
        <span aria-hidden="true">{list.range('', '')}</span>
        {field(words.to, to, (text) => rangeOf(from, text))}
      </div>
      {!isValid && (
        <p class="fault" id={faultId} role="alert">
          {words.badRange}
        </p>
      )}
    </fieldset>
  );
}

/** Each flag: only novels with it, or without it; the question most asked, either of two (not counted), first. */
function MarkFields({ draft, countOf, choose }: FieldProps) {
  const { words } = useCatalogue();
  const marks = (['tt', ...MARKS] as const).filter((mark) => isKnownTo(`is${mark}`, draft.adult));
  return (
    <fieldset class="field">
      <legend>{words.form.marks}</legend>
      {marks.map((mark) => {
        const fields = SEARCH_FIELDS.filter((field) => [`is${mark}`, `not${mark}`].includes(field));
        const isSet = fields.some((field) => draft[field] === '1');
        const cleared = Object.fromEntries(fields.map((field) => [field, '']));
        return (
          <div key={mark} class="mark-field">
            <span>{words.marks[mark]}</span>
            {fields.map((field) => {
              const [label, value] = field.startsWith('is')
                ? [words.form.only, '1']
                : [words.form.without, '0'];
              return (
                <Pill
                  key={field}
                  label={label}
                  name={`${words.marks[mark]}: ${label}`}
                  count={isSet ? undefined : countOf(`is${mark}`, value)}
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
