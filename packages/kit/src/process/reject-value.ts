import { z } from 'zod';

/** Ends the transformation of a text that is not valid, with the reason. */
export function rejectValue(context: z.RefinementCtx, message: string): never {
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
}
