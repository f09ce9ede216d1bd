import type { Random } from './random.ts';
import { SLOTS } from './words/slots.ts';

type Part = string | readonly string[];

/** A form such as `{role}は{place}で{thing}を{verb}`, cut into its text and the lists that fill its slots. */
export interface Form {
  readonly parts: readonly Part[];
}

const compile = (form: string): Form => ({
  parts: form.split(/\{(\w+)\}/).map((piece, index): Part => {
    if (index % 2 === 0) return piece;
    const list = SLOTS[piece];
    if (list === undefined) throw new Error(`No word list stands for {${piece}} in "${form}".`);
    return list;
  }),
});

/** Cuts forms once, so that filling one costs no search. Throws on a slot that has no word list. */
export function compileForms(forms: readonly string[]): readonly Form[] {
  return forms.map(compile);
}

/** Fills every slot of a form with a word of its list, and appends the pieces to `pieces`. */
export function fillForm(form: Form, random: Random, pieces: string[]): void {
  for (const part of form.parts) pieces.push(typeof part === 'string' ? part : random.pick(part));
}
