import { createLogger } from '@mokuroku/kit/process';

export type LogLine = Readonly<Record<string, unknown>> & { readonly msg: string };

/** A logger and the lines that it has written, from a level on. */
export function recordedLog(level: 'info' | 'warn' = 'warn') {
  const lines: LogLine[] = [];
  const write = (line: string) => lines.push(JSON.parse(line) as LogLine);
  return { lines, logger: createLogger('test', level, { write }).logger };
}
