import { useId } from 'preact/hooks';
import { formatNumber } from '../shell/format.ts';
import { useLanguage } from '../shell/page-context.ts';

interface PillProps {
  label: string;
  /** Where the label says too little by itself. */
  name?: string;
  isSet: boolean;
  press: () => void;
}

/** A choice that is on or off. */
export function Pill({ label, name, isSet, press }: PillProps) {
  return (
    <button type="button" class="pill" aria-label={name} aria-pressed={isSet} onClick={press}>
      {label}
    </button>
  );
}

/** How many of all matches are like what stands before it, where that is known. */
export function Count({ of }: { of: number | undefined }) {
  const language = useLanguage();
  if (of === undefined) return null;
  return (
    <>
      {' '}
      <small class="counted">{formatNumber(language, of)}</small>
    </>
  );
}

type Option = readonly [value: string, label: string];

interface SelectFieldProps {
  label: string;
  value: string;
  options: readonly Option[];
  groups?: readonly { label: string; options: readonly Option[] }[];
  /** When the options are in another language than the page. */
  optionLanguage?: string;
  onChoose: (value: string) => void;
}

/** A labelled select. A value that is not offered (from an address written by hand) is shown as it is. */
export function SelectField(props: SelectFieldProps) {
  const { label, value, options, groups = [], onChoose } = props;
  const id = useId();
  const offered = [...options, ...groups.flatMap((group) => group.options)];
  const isOffered = offered.some(([each]) => each === value);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        lang={props.optionLanguage}
        onChange={(event) => {
          const chosen = event.currentTarget.value;
          // One that only adds keeps no value of its own.
          event.currentTarget.value = value;
          onChoose(chosen);
        }}
      >
        {!isOffered && <option value={value}>{value}</option>}
        {options.map(asOption)}
        {groups.map((group) => (
          <optgroup key={group.label} label={group.label}>
            {group.options.map(asOption)}
          </optgroup>
        ))}
      </select>
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
