import { UsageError } from './command.ts';

/** The value of an option that is a whole number; a UsageError with the bounds if it is not. */
export function readWholeNumber(option: string, given: string, from: number, to: number): number {
  if (/^\d{1,9}$/.test(given) && Number(given) >= from && Number(given) <= to) return Number(given);
  throw new UsageError(
    `${option} ${given}: use a whole number from ${from} to ${to}.`,
    `${option} ${given}: ${from} から ${to} までの整数にしてください。`,
  );
}
