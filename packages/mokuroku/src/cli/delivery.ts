import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { DeadlineError, withDeadline } from '@mokuroku/kit/deadline';
import { ATTEMPT_MS, postTo, untilAccepted } from 'mokuroku-client/parts';
import type { Refused } from 'mokuroku-client/parts';
import { UsageError, option } from './command.ts';
import type { GivenOptions } from './command.ts';
import { LABELS } from './labels.ts';
import { readServiceAddress } from './service-options.ts';
import { warn, writeData } from './terminal.ts';
import type { Terminal } from './terminal.ts';

/** Receivers of events other than the terminal. */
export const DELIVERY_OPTIONS = {
  post: option(
    'url',
    'POST each event as JSON; it counts as delivered once the response is 2xx.',
    '変更を 1 件ずつ JSON で POST します。2xx のレスポンスで配信済みになります。',
    LABELS.output,
    { excludes: ['exec'] },
  ),
  exec: option(
    'command',
    'Run a shell command for each event, with its JSON on standard input; exit code 0 means delivered.',
    '変更 1 件ごとに、JSON を標準入力に渡してシェルのコマンドを実行します。終了コード 0 で配信済みになります。',
    LABELS.output,
  ),
} as const;

/** Resolves once an event is printed, or its receiver has accepted it. */
type Report<Event> = (event: Event) => Promise<void>;

interface HowToReport<Event> {
  /** The printed line without `--json`. */
  lineOf: (event: Event) => string;
  /** Whether attempts are repeated without end, otherwise up to a DeliveryError. */
  isEndless: boolean;
  attemptMs?: number;
}

/** One attempt: undefined if the receiver accepted the event. */
type Attempt = (json: string, signal: AbortSignal) => Promise<Refused | undefined>;

/** Without --watch, a run ends after so many failed attempts at one event. */
const ATTEMPTS_WITHOUT_WATCH = 5;

/** A receiver did not accept an event. */
export class DeliveryError extends Error {}

/**
 * Reports events on the terminal, or by `--post` or `--exec`. Attempts are repeated with growing pauses, or as the
 * receiver's `Retry-After` says.
 */
export function openReport<Event extends object>(
  args: GivenOptions<typeof DELIVERY_OPTIONS> & { json?: boolean | undefined },
  terminal: Terminal,
  { lineOf, isEndless, attemptMs = ATTEMPT_MS }: HowToReport<Event>,
): Report<Event> {
  const { post, exec, json } = args;
  const attempt =
    post !== undefined
      ? readReceiver(post, attemptMs)
      : exec !== undefined
        ? runWith(exec, attemptMs)
        : undefined;
  if (attempt === undefined) {
    return (event) => {
      if (json) writeData(terminal, `${JSON.stringify(event)}\n`);
      else terminal.out(`${lineOf(event)}\n`);
      return terminal.flush();
    };
  }
  return async (event) => {
    const body = JSON.stringify(event);
    const onRetry = (why: string, seconds: number) =>
      warn(
        terminal,
        `Not delivered (${why}); retrying in ${seconds} s.`,
        `配信できませんでした（${why}）。${seconds} 秒後に再試行します。`,
      );
    const refused = await untilAccepted(
      () => attempt(body, terminal.interrupted),
      { signal: terminal.interrupted, onRetry, pause: (ms) => terminal.pause(ms) },
      isEndless ? Infinity : ATTEMPTS_WITHOUT_WATCH,
    );
    if (refused !== undefined) throw new DeliveryError(refused.why);
  };
}

function readReceiver(given: string, attemptMs: number): Attempt {
  try {
    return postTo(readServiceAddress(given), attemptMs);
  } catch {
    throw new UsageError(
      '--post needs an http or https address, such as https://chat.example/hook',
      '--post には http か https のアドレスを指定します。例: https://chat.example/hook',
    );
  }
}

function runWith(command: string, attemptMs: number): Attempt {
  return async (json, signal) => {
    try {
      const code = await withDeadline(attemptMs, signal, (ending) => run(command, json, ending));
      return code === 0 ? undefined : { why: `command: ${code ?? 'killed'}` };
    } catch (error) {
      if (error instanceof DeadlineError) return { why: 'command: timeout' };
      return { why: `command: ${(error as NodeJS.ErrnoException).code ?? 'error'}` };
    }
  };
}

/** The exit code; null after a signal. A group of its own, so that a hanging command ends with all that it started. */
async function run(command: string, json: string, signal: AbortSignal): Promise<number | null> {
  const isGroup = process.platform !== 'win32';
  const child = spawn(command, { shell: true, detached: isGroup, stdio: ['pipe', 'inherit', 'inherit'] });
  signal.addEventListener('abort', () => {
    if (child.pid === undefined) return;
    try {
      process.kill(isGroup ? -child.pid : child.pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  });
  // A command may ignore its input.
  child.stdin.on('error', () => undefined).end(`${json}\n`);
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}
