import { wordFor } from '../shell/words.ts';
import { useDomain } from './words.ts';

/** How a registration ends, if it does: redemption, about to be deleted, expired, on hold. */
export function EndingMark({ ending }: { ending: string | null | undefined }) {
  const { words } = useDomain();
  if (ending == null || ending === 'none') return null;
  return (
    <>
      {' '}
      <b class="tag ending" data-ending={ending}>
        {wordFor(words.endings, ending)}
      </b>
    </>
  );
}
