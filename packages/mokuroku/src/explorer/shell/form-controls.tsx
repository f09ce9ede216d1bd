import { useId } from 'preact/hooks';
import { usePage } from './page-context.ts';

export type Option = readonly [value: string, label: string];

interface SelectProps {
  id?: string;
  /** Label for screen readers if there is no visible one. */
  name?: string;
  value: string;
  options: readonly Option[];
  groups?: readonly { label: string; options: readonly Option[] }[];
  /** The language of the options if it may not be the page's. */
  optionLanguage?: string;
  /** The label of a value that is not offered (from a hand-written URL); default: the value. */
  unoffered?: string;
  /** Whether a choice only adds a value: the select itself stays as it is. */
  adds?: boolean;
  onChoose: (value: string) => void;
}

export function Select({ id, name, value, options, groups = [], ...props }: SelectProps) {
  const { optionLanguage, unoffered = value, adds = false, onChoose } = props;
  const offered = [...options, ...groups.flatMap((group) => group.options)];
  const isOffered = offered.some(([each]) => each === value);
  return (
    <select
      id={id}
      aria-label={name}
      value={value}
      lang={optionLanguage}
      onKeyDown={adds ? openByKey : undefined}
      onChange={(event) => {
        const chosen = event.currentTarget.value;
        // A select that only adds values has no value of its own.
        event.currentTarget.value = value;
        onChoose(chosen);
      }}
    >
      {!isOffered && <option value={value}>{unoffered}</option>}
      {options.map(asOption)}
      {groups.map((group) => (
        <optgroup key={group.label} label={group.label}>
          {group.options.map(asOption)}
        </optgroup>
      ))}
    </select>
  );
}

/** A closed select takes the next option with each arrow or letter; where nothing is chosen yet, it opens instead. */
function openByKey(event: KeyboardEvent): void {
  const { key, currentTarget: select, ctrlKey, metaKey, altKey } = event;
  const isChange = /^(Arrow.*|Home|End|Page.*|.)$/.test(key) && !ctrlKey && !metaKey && !altKey;
  if (!isChange || !(select instanceof HTMLSelectElement) || !('showPicker' in select)) return;
  select.showPicker();
  event.preventDefault();
}

/** A select with a label. */
export function SelectField({ label, ...props }: SelectProps & { label: string }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <Select {...props} id={id} />
    </div>
  );
}

function asOption([value, label]: Option) {
  return (
    <option key={value} value={value}>
      {label}
    </option>
  );
}

interface PillProps {
  label: string;
  /** Accessible name, if the label alone is unclear. */
  name?: string;
  /** Missing: the button performs an action and has no state. */
  isSet?: boolean;
  count?: number | null | undefined;
  press: () => void;
}

/** A toggle button, or an action button of the same size. */
export function Pill({ label, name, isSet, count, press }: PillProps) {
  const { format } = usePage();
  // A name contains all that is shown.
  const counted = typeof count === 'number' ? ` ${format.number(count)}` : '';
  return (
    <button
      type="button"
      class="pill chip"
      aria-label={name && name + counted}
      aria-pressed={isSet}
      onClick={press}
    >
      {label}
      <Count value={count} />
    </button>
  );
}

/** The number of matches of the preceding value, if known. Its space stays empty until then. */
export function Count({ value }: { value: number | null | undefined }) {
  const { format } = usePage();
  if (value === undefined) return null;
  return (
    <>
      {' '}
      <small class="counted">{value !== null && format.number(value)}</small>
    </>
  );
}
