import type { HarvestProgress } from '../catalogue/harvest/harvest-run.ts';
import { drawOver, progressBar, wholeNumber } from './output.ts';
import { say } from './say.ts';
import type { Phrase } from './say.ts';
import type { Terminal } from './terminal.ts';

const STEPS: Readonly<Record<HarvestProgress['step'], Phrase>> = {
  walk: 'novels',
  recount: 'counting again, ranges left',
  build: 'building the index of',
  rankings: 'rankings',
  changes: 'what is new or changed',
  figures: 'figures of the day',
  texts: 'records anew',
  idle: 'waiting for what is next',
};

const LINE_EVERY_MS = 60_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** How far a step was when it was first told of by this process. */
interface Beginning {
  readonly step: string;
  readonly done: number;
  readonly asked: HarvestProgress['asked'];
  readonly at: number;
}

/** Milliseconds until a step is over, by its rate so far, and by how many days of the budget it takes. */
function timeLeft(progress: HarvestProgress, beginning: Beginning, now: number): number | undefined {
  const { done, total, asked, share, spent } = progress;
  const came = done - beginning.done;
  if (total === undefined || came <= 0 || now <= beginning.at) return undefined;
  const left = Math.max(0, total - done);
  const times = (['requests', 'bytes'] as const).map((unit) => {
    const wanted = (left * (asked[unit] - beginning.asked[unit])) / came;
    const beyondToday = wanted - Math.max(0, share[unit] - spent[unit]);
    return beyondToday <= 0 ? 0 : spent.windowEndsAt - now + Math.floor(beyondToday / share[unit]) * DAY_MS;
  });
  return Math.max((left * (now - beginning.at)) / came, ...times);
}

function sayTime(terminal: Terminal, milliseconds: number): string {
  const minutes = Math.ceil(milliseconds / MINUTE_MS);
  if (minutes < 120) return say(terminal, '{minutes} min left', { minutes });
  const hours = Math.round(minutes / 60);
  if (hours < 48) return say(terminal, '{hours} h left', { hours });
  return say(terminal, '{days} days left', { days: Math.round(hours / 24) });
}

const perCent = (part: number): string => `${String(Math.floor(Math.min(1, part) * 100))} %`;

/** Of what may be asked in a day. */
function sayBudget(terminal: Terminal, { spent, share, asked }: HarvestProgress): string {
  if (share.requests >= Number.MAX_SAFE_INTEGER / 100) {
    return say(terminal, '{requests} requests', { requests: wholeNumber(asked.requests) });
  }
  const [requests, bytes] = [spent.requests / share.requests, spent.bytes / share.bytes];
  return say(terminal, 'budget: {requests} of the requests, {bytes} of the bytes', {
    ...{ requests: perCent(requests), bytes: perCent(bytes) },
  });
}

/** Steps that say how far they are, and so how long they will take. */
const hasBar = ({ step }: HarvestProgress): boolean => /^(?:walk|rankings|figures|texts)$/.test(step);

function lineOf(terminal: Terminal, progress: HarvestProgress, beginning: Beginning, now: number): string {
  const { step, site, done, total, rest } = progress;
  const seconds = (now - beginning.at) / 1_000;
  const count = step === 'build' ? total : step === 'idle' || step === 'changes' ? undefined : done;
  const what = say(terminal, STEPS[step]);
  const parts = [...(site ? [site] : []), count === undefined ? what : `${what} ${wholeNumber(count)}`];
  if (rest) {
    const until = new Date(now + rest.seconds * 1_000).toISOString().slice(0, 19);
    parts.push(say(terminal, 'resting until {until}Z: {message}', { until, message: rest.message }));
  }
  if (hasBar(progress)) {
    if (total !== undefined && total > 0) parts.push(`${progressBar(done / total)} ${perCent(done / total)}`);
    if (seconds > 0) parts.push(`${((done - beginning.done) / seconds).toFixed(0)}/s`);
    const left = timeLeft(progress, beginning, now);
    if (left !== undefined) parts.push(sayTime(terminal, left));
  }
  if (step !== 'build') parts.push(sayBudget(terminal, progress));
  return parts.join('  ');
}

/** Shows how a harvest goes on: a line that is drawn over itself on a terminal, elsewhere one a minute. */
export function createHarvestProgress(terminal: Terminal) {
  let beginning: Beginning | undefined;
  let saidAt = -Infinity;
  let said = '';
  return {
    show: (progress: HarvestProgress): void => {
      const now = terminal.now();
      const step = `${progress.site ?? ''} ${progress.step}`;
      const isNew = beginning?.step !== step;
      if (beginning === undefined || isNew) {
        beginning = { step, done: progress.done, asked: { ...progress.asked }, at: now };
      }
      const line = lineOf(terminal, progress, beginning, now);
      if (terminal.errColumns !== undefined) drawOver(terminal, line);
      else if (isNew || now - saidAt >= LINE_EVERY_MS || (progress.rest && said !== progress.rest.message)) {
        terminal.err(`${line}\n`);
        saidAt = now;
        said = progress.rest?.message ?? '';
      }
    },
    end: (): void => {
      if (beginning !== undefined) drawOver(terminal, '');
    },
  };
}
