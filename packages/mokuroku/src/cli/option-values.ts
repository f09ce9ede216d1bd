import { UsageError } from './command.ts';

const HTTP = /^https?:\/\//i;

/** The address of a service as given; `localhost:3000` means `http://localhost:3000`. */
export function readServiceAddress(given: string): string {
  const url = HTTP.test(given) ? given : `http://${given}`;
  const hasOtherScheme = given.includes('://') && !HTTP.test(given);
  if (!hasOtherScheme && URL.canParse(url)) return url;
  throw new UsageError(
    `${given} is not the address of a service, such as http://127.0.0.1:3000`,
    `${given} はサービスのアドレスではありません。例: http://127.0.0.1:3000`,
  );
}

/** The value of an option that is a whole number; a UsageError with the bounds if it is not. */
export function readWholeNumber(option: string, given: string, from: number, to: number): number {
  if (/^\d{1,9}$/.test(given) && Number(given) >= from && Number(given) <= to) return Number(given);
  throw new UsageError(
    `${option} ${given}: use a whole number from ${from} to ${to}.`,
    `${option} ${given}: ${from} から ${to} までの整数にしてください。`,
  );
}
