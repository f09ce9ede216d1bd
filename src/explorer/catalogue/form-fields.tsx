import { usePage } from '../shell/page-context.ts';

interface PillProps {
  label: string;
  /** Where the label says too little by itself. */
  name?: string;
  /** Not given: it does something, and is neither on nor off. */
  isSet?: boolean;
  isDisabled?: boolean;
  press: () => void;
}

/** A choice that is on or off, or a small button among such. */
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

/** How many of all matches are like what stands before it, where that is known. Until it is, its place stays empty. */
export function Count({ of }: { of: number | null | undefined }) {
  const { format } = usePage();
  if (of === undefined) return null;
  return (
    <>
      {' '}
      <small class="counted">{of !== null && format.number(of)}</small>
    </>
  );
}
