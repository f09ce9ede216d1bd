import { usePage } from '../shell/page-context.ts';

interface PillProps {
  label: string;
  /** Accessible name, if the label alone is unclear. */
  name?: string;
  /** Missing: the button performs an action and has no state. */
  isSet?: boolean;
  isDisabled?: boolean;
  press: () => void;
}

/** A toggle button, or an action button of the same size. */
export function Pill({ label, name, isSet, isDisabled = false, press }: PillProps) {
  return (
    <button
      type="button"
      class="pill chip"
      aria-label={name}
      aria-pressed={isSet}
      disabled={isDisabled}
      onClick={press}
    >
      {label}
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
