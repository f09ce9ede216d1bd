import type { Movement } from './boards.ts';
import { useCatalogue } from './words.ts';

/** The movement of a novel: ranks up (negative: down), or that it has entered, in words of the view. */
export function MovementMark({ by, entered }: { by: Movement; entered: string }) {
  const { words, format } = useCatalogue();
  const places = by === 'entered' ? '' : format.number(Math.abs(by));
  const [look, shown, said] =
    by === 'entered'
      ? ['entered', words.ranking.enteredMark, entered]
      : by === 0
        ? ['same', '–', words.ranking.same]
        : by > 0
          ? ['up', `▲${places}`, words.ranking.up(places)]
          : ['down', `▼${places}`, words.ranking.down(places)];
  return (
    <span class={`movement soft ${look}`}>
      <span aria-hidden="true">{shown}</span>
      <span class="hidden">{said}</span>
    </span>
  );
}
