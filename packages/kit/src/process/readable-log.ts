import { pino } from 'pino';

/** Fields that only log processors need, or that the line shows elsewhere. */
const HIDDEN = new Set(['level', 'time', 'service', 'msg', 'err', 'id', 'client']);

type Entry = Record<string, unknown>;

const withoutControls = (text: string): string => text.replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, '');

const clockTime = (time: unknown): string => new Date(Number(time)).toTimeString().slice(0, 8);

const logText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** `GET /things?lim=1 200 hit 0.4 ms` */
function accessText({ method, url, status, cache, ms }: Entry): string {
  return [method, url, status, cache, Number(ms).toFixed(1), 'ms'].map(logText).join(' ');
}

/** The message of a log entry and its facts, `name=value`. */
export function messageText(entry: Entry): string {
  const facts = Object.entries(entry).filter(([name]) => !HIDDEN.has(name));
  const stack = (entry['err'] as { stack?: unknown } | undefined)?.stack;
  return [
    logText(entry['msg'] ?? ''),
    ...facts.map(([name, value]) => `${name}=${logText(value)}`),
    ...(typeof stack === 'string' ? [`\n${stack}`] : []),
  ].join(' ');
}

function readableLine(line: string): string {
  const entry = JSON.parse(line) as Entry;
  const level = pino.levels.labels[Number(entry['level'])] ?? 'info';
  const isAccess = 'method' in entry && 'url' in entry && 'status' in entry;
  const shown = level === 'info' ? [] : [level.toUpperCase()];
  const parts = [clockTime(entry['time']), logText(entry['service'] ?? ''), ...shown];
  return withoutControls(`${parts.join(' ')} ${isAccess ? accessText(entry) : messageText(entry)}`);
}

/** Formats the lines of a JSON log for a terminal. */
export const readableLog = (lines: string): string =>
  lines
    .split('\n')
    .map((line) => (line === '' ? '' : readableLine(line)))
    .join('\n');
