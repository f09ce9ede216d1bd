import type { HarvestProgress } from '@mokuroku/local-catalogue/harvest';
import { UPSTREAM_HOURS } from '@mokuroku/narou/upstream';
import { drawOver, progressBar, formatWholeNumber } from './output.ts';
import { say, translated } from './terminal.ts';
import type { Terminal } from './terminal.ts';
import { text } from '@mokuroku/kit';
import type { Text } from '@mokuroku/kit';

const STEPS: Readonly<Record<HarvestProgress['step'], Text>> = {
  walk: text('novels', '作品'),
  recount: text('counting again, ranges left', '数え直し、残りの範囲'),
  build: text('building the index of', '索引の作成'),
  rankings: text('rankings', 'ランキング'),
  changes: text('new and changed novels', '新着と更新'),
  figures: text('figures of the day', '今日の統計'),
  texts: text('records refreshed', '再取得'),
  idle: text('waiting for the next task', '次の処理を待っています'),
};

const LINE_EVERY_MS = 60_000;
const MINUTE_MS = 60_000;
const REFILL_MS = UPSTREAM_HOURS.client * 3_600_000;

/** Of a step whose end can be estimated. */
type CountedProgress = HarvestProgress & { readonly done: number; readonly total: number };

const isCounted = (progress: HarvestProgress): progress is CountedProgress =>
  progress.done !== undefined && progress.total !== undefined;

/** Progress of a step when this process first reported it. */
interface StepStart {
  readonly step: string;
  readonly done: number;
  readonly usage: HarvestProgress['usage'];
  readonly at: number;
}

/** Milliseconds until a step ends, estimated from its rate so far and from the refill of the quota that it needs. */
function timeLeft(progress: CountedProgress, start: StepStart, now: number): number | undefined {
  const { done, total, usage, share, spent } = progress;
  const progressed = done - start.done;
  if (progressed <= 0 || now <= start.at) return undefined;
  const remaining = Math.max(0, total - done);
  const times = (['requests', 'bytes'] as const).map((unit) => {
    const needed = (remaining * (usage[unit] - start.usage[unit])) / progressed;
    const missing = needed - Math.max(0, share[unit] - spent[unit]);
    return (Math.max(0, missing) / share[unit]) * REFILL_MS;
  });
  return Math.max((remaining * (now - start.at)) / progressed, ...times);
}

function formatTime(terminal: Terminal, milliseconds: number): string {
  const minutes = Math.ceil(milliseconds / MINUTE_MS);
  if (minutes < 120) return say(terminal, `${minutes} min left`, `残り ${minutes}分`);
  const hours = Math.round(minutes / 60);
  if (hours < 48) return say(terminal, `${hours} h left`, `残り ${hours}時間`);
  return say(terminal, `${Math.round(hours / 24)} days left`, `残り ${Math.round(hours / 24)}日`);
}

const perCent = (part: number): string => `${String(Math.floor(Math.min(1, part) * 100))} %`;

/** What is not refilled yet of the quota. */
function formatBudget(terminal: Terminal, { spent, share, usage }: HarvestProgress): string {
  if (share.requests >= Number.MAX_SAFE_INTEGER / 10_000) {
    const sent = formatWholeNumber(usage.requests);
    return say(terminal, `${sent} requests`, `${sent} 回`);
  }
  const [requests, bytes] = [perCent(spent.requests / share.requests), perCent(spent.bytes / share.bytes)];
  return say(
    terminal,
    `budget: ${requests} of the requests, ${bytes} of the bytes`,
    `1 日の上限: リクエストの ${requests}、バイトの ${bytes}`,
  );
}

function progressLine(terminal: Terminal, progress: HarvestProgress, start: StepStart, now: number): string {
  const { step, site, pause } = progress;
  const count = progress.done ?? progress.total;
  const what = translated(terminal, STEPS[step]);
  const parts = [...(site ? [site] : []), count === undefined ? what : `${what} ${formatWholeNumber(count)}`];
  if (pause) {
    const until = new Date(now + pause.seconds * 1_000).toISOString().slice(0, 19);
    parts.push(
      say(terminal, `pausing until ${until}Z: ${pause.message}`, `${until}Z まで待機: ${pause.message}`),
    );
  }
  if (isCounted(progress)) {
    const { done, total } = progress;
    const seconds = (now - start.at) / 1_000;
    if (total > 0) parts.push(`${progressBar(done / total)} ${perCent(done / total)}`);
    if (seconds > 0) parts.push(`${((done - start.done) / seconds).toFixed(0)}/s`);
    const secondsLeft = timeLeft(progress, start, now);
    if (secondsLeft !== undefined) parts.push(formatTime(terminal, secondsLeft));
  }
  if (step !== 'build') parts.push(formatBudget(terminal, progress));
  return parts.join('  ');
}

/** Shows the progress of a harvest: on a terminal as one line redrawn in place, elsewhere as one line a minute. */
export function createHarvestProgress(terminal: Terminal) {
  let start: StepStart | undefined;
  let printedAt = -Infinity;
  let printedPause = '';
  return {
    show: (progress: HarvestProgress): void => {
      const now = terminal.now();
      const step = `${progress.site ?? ''} ${progress.step}`;
      const isNew = start?.step !== step;
      if (start === undefined || isNew) {
        start = { step, done: progress.done ?? 0, usage: { ...progress.usage }, at: now };
      }
      const line = progressLine(terminal, progress, start, now);
      if (terminal.errColumns !== undefined) drawOver(terminal, line);
      else if (
        isNew ||
        now - printedAt >= LINE_EVERY_MS ||
        (progress.pause && printedPause !== progress.pause.message)
      ) {
        terminal.err(`${line}\n`);
        printedAt = now;
        printedPause = progress.pause?.message ?? '';
      }
    },
    end: (): void => drawOver(terminal, ''),
  };
}
