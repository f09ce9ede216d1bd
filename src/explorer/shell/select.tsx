import { useId } from 'preact/hooks';

export type Option = readonly [value: string, label: string];

interface SelectProps {
  id?: string;
  /** To those who do not see it, where no label is beside it. */
  name?: string;
  value: string;
  options: readonly Option[];
  groups?: readonly { label: string; options: readonly Option[] }[];
  /** When the options are in another language than the page. */
  optionLanguage?: string;
  /** How a value is shown that is not offered (from an address written by hand); else as it is. */
  unoffered?: string;
  onChoose: (value: string) => void;
}

export function Select({ id, name, value, options, groups = [], ...props }: SelectProps) {
  const { optionLanguage, unoffered = value, onChoose } = props;
  const offered = [...options, ...groups.flatMap((group) => group.options)];
  const isOffered = offered.some(([each]) => each === value);
  return (
    <select
      id={id}
      aria-label={name}
      value={value}
      lang={optionLanguage}
      onChange={(event) => {
        const chosen = event.currentTarget.value;
        // One that only adds keeps no value of its own.
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

/** A select under its label. */
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
