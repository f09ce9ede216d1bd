import { useEffect, useState } from 'preact/hooks';
import type { FlowState } from './flow.ts';
import { nameOfBoard, useCatalogue } from './words.ts';

/** Milliseconds per ranking: thirty days take some twenty seconds, twelve months ten. */
const SHOWN_MS = { daily: 600, weekly: 800, monthly: 900, quarterly: 900 };

/** Plays the rankings in order, and selects any of them; both support the arrow keys. */
export function FlowControls({ type, flow, board, show }: FlowState) {
  const { words, format } = useCatalogue();
  const [isPlaying, setPlaying] = useState(false);
  const last = flow.dates.length - 1;
  useEffect(() => {
    if (!isPlaying) return undefined;
    if (board >= last) {
      setPlaying(false);
      return undefined;
    }
    const timer = setTimeout(() => show(board + 1), SHOWN_MS[type]);
    return () => clearTimeout(timer);
  }, [isPlaying, board]);
  const play = () => {
    if (!isPlaying && board >= last) show(0);
    setPlaying(!isPlaying && last > 0);
  };
  const goTo = (position: number) => {
    setPlaying(false);
    show(Math.max(0, Math.min(last, position)));
  };
  const name = nameOfBoard(words, format, type, flow.dates[board] ?? '');
  return (
    <div class="flow-controls beside">
      <button
        type="button"
        onClick={play}
        onKeyDown={({ key }) => {
          if (key === 'ArrowLeft') goTo(board - 1);
          if (key === 'ArrowRight') goTo(board + 1);
        }}
      >
        <span aria-hidden="true">{isPlaying ? '❚❚' : '▶'}</span>{' '}
        {isPlaying ? words.flow.pause : words.flow.play}
      </button>
      <input
        type="range"
        min={0}
        max={last}
        value={board}
        aria-label={words.flow.shown}
        aria-valuetext={name}
        onInput={(event) => goTo(Number(event.currentTarget.value))}
      />
      <output>{name}</output>
    </div>
  );
}
