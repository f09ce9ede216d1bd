import { domainToASCII } from 'node:url';
import { z } from 'zod';
import type { LookUp, NameOutcome } from 'mokuroku-client/source';
import { parseJson } from 'mokuroku-client/parts';
import { daysLeft, isUnknown } from 'mokuroku-whois/record';
import { UsageError, option, readWholeNumber } from './command.ts';
import type { GivenOptions } from './command.ts';
import { DELIVERY_OPTIONS, openReport } from './delivery.ts';
import { LABELS } from './labels.ts';
import { openStateFile } from './state-file.ts';
import { warn } from './terminal.ts';
import type { Terminal } from './terminal.ts';
import { terminalText } from './text-width.ts';

/** What is compared of a name. Lists are sorted: registries state them in varying order. */
const Facts = z.object({
  state: z.string(),
  registrar: z.string().nullable(),
  nameServers: z.array(z.string()),
  status: z.array(z.string()),
});
type Facts = z.infer<typeof Facts>;

/** With the expiry, which is not compared. */
const StatedFacts = Facts.extend({ expirationDate: z.string().nullable() });

/** The facts of a name whose changes have been delivered. */
const WatchedName = Facts.extend({
  /** When they were first seen: ISO, UTC. The ids of changes contain it, so that a repeated delivery has the same id. */
  since: z.string(),
  /** The expiry of which the receiver has been warned. */
  warnedOf: z.string().nullable(),
});
export type WatchedName = z.infer<typeof WatchedName>;

const WatchedNames = z.record(z.string(), WatchedName);

const CHANGES = ['state', 'registrar', 'nameServers', 'status'] as const satisfies readonly (keyof Facts)[];

/** A change of a registration, or (`expiring`) its end within the days of `--expiring`. */
export interface NameEvent {
  /** The same in each delivery of the event. */
  id: string;
  kind: (typeof CHANGES)[number] | 'expiring';
  domain: string;
  /** ISO, UTC. */
  noticedAt: string;
  before: string | readonly string[] | null;
  /** Of `expiring`: the expiry. */
  after: string | readonly string[] | null;
  daysLeft?: number;
}

const REGISTERED = 'registered';

/**
 * A fact that this response states in part or not at all, since an answer is missing or unreadable, is as before. Throws a
 * TypeError if the response has another format: the file would not be read again.
 */
function factsOf(data: LookUp, before: Facts | undefined): z.infer<typeof StatedFacts> {
  const { registrar, nameServers, status, expirationDate } = data.parsed;
  const { data: facts, error } = StatedFacts.safeParse({
    state: data.state,
    registrar: registrar ?? (isUnknown(data, 'registrar') ? (before?.registrar ?? null) : null),
    nameServers: before && isUnknown(data, 'nameServers') ? before.nameServers : nameServers.toSorted(),
    status: before && isUnknown(data, 'status') ? before.status : status.toSorted(),
    expirationDate,
  });
  if (error) throw new TypeError(`${error.issues[0]?.path.join('.')}: ${error.issues[0]?.message}`);
  return facts;
}

const NO_FACTS = { registrar: null, nameServers: [], status: [], expirationDate: null };

/** What an outcome says of a name, and the events since `before`. Undefined if it says nothing: a failed look-up. */
export function compareName(
  { name, data, error }: NameOutcome,
  before: WatchedName | undefined,
  { now, expiringDays }: { now: number; expiringDays: number },
): { watched: WatchedName; events: NameEvent[] } | undefined {
  if (!data && error.code !== 'not_registered') return undefined;
  const { expirationDate, ...facts } = data
    ? factsOf(data, before)
    : { state: 'not_registered', ...NO_FACTS };
  const noticedAt = new Date(now).toISOString();
  const isChanged = (fact: (typeof CHANGES)[number]) =>
    before !== undefined && String(before[fact]) !== String(facts[fact]);
  // With the state, all else changes.
  const changed = isChanged('state') ? (['state'] as const) : CHANGES.filter(isChanged);
  const events = changed.map((kind): NameEvent => {
    const id = `${name}/${kind}/${before?.since ?? ''}`;
    return { id, kind, domain: name, noticedAt, before: before?.[kind] ?? null, after: facts[kind] };
  });
  const expiry = facts.state === REGISTERED ? expirationDate : null;
  const days = daysLeft(expiry, now);
  const isNear = days !== null && days <= expiringDays;
  if (isNear && before?.warnedOf !== expiry) {
    const id = `${name}/expiring/${expiry}`;
    events.push({
      id,
      kind: 'expiring',
      domain: name,
      noticedAt,
      before: null,
      after: expiry,
      daysLeft: days,
    });
  }
  const isSame = before !== undefined && changed.length === 0;
  const since = isSame ? before.since : noticedAt;
  return { watched: { ...facts, since, warnedOf: isNear ? expiry : (before?.warnedOf ?? null) }, events };
}

/** A name in one spelling: A-labels in lower case, without the last dot; an invalid one is unchanged. */
export const oneSpelling = (name: string): string => domainToASCII(name).replace(/\.$/, '') || name;

/** The watched names of a file (`--state`), by name, or in memory only. Throws a UsageError if it is unreadable. */
function openWatchedNames(name: string | undefined) {
  const file = name === undefined ? undefined : openStateFile('--state', name);
  const read = WatchedNames.safeParse(parseJson(file?.read() ?? '{}'));
  if (!read.success)
    throw new UsageError(
      `--state ${name} is not a file of this command. Name another, or delete it.`,
      `--state ${name} はこのコマンドのファイルではありません。別のファイルを指定するか、削除してください。`,
    );
  const names = new Map(Object.entries(read.data));
  return {
    get: (each: string): WatchedName | undefined => names.get(each),
    /** Saved before the next name, once its events are delivered. */
    set: (each: string, watched: WatchedName): void => {
      if (JSON.stringify(names.get(each)) === JSON.stringify(watched)) return;
      names.set(each, watched);
      file?.write(`${JSON.stringify(Object.fromEntries(names), null, 1)}\n`);
    },
  };
}

const DEFAULT_HOURS = 6;
const DEFAULT_EXPIRING_DAYS = 30;
const HOUR_MS = 3_600_000;

export const WATCH_OPTIONS = {
  watch: option(
    'file',
    'Keep running and report changes of the names in a file: state, registrar, name servers, status, a near expiry.',
    '実行を続け、ファイルにある名前の変更（状態、レジストラ、ネームサーバー、ステータス、近い有効期限）を出力または配信します。',
    LABELS.watch,
    { excludes: ['from', 'raw', 'csv', 'web'] },
  ),
  state: option(
    'file',
    'File that has what was last reported; the next run continues there.',
    '最後に出力または配信した内容を保存するファイル。次回の実行はそこから続けます。',
    LABELS.watch,
    { needs: 'watch' },
  ),
  every: option(
    'hours',
    'Hours between two rounds (default: 6).',
    '確認する間隔（時間。既定: 6）。',
    LABELS.watch,
    { needs: 'watch' },
  ),
  expiring: option(
    'days',
    'Report an expiry once it is this near (default: 30 days).',
    '有効期限がこの日数以内になったら出力または配信します（既定: 30 日）。',
    LABELS.watch,
    { needs: 'watch' },
  ),
  post: { ...DELIVERY_OPTIONS.post, needs: 'watch' },
  exec: { ...DELIVERY_OPTIONS.exec, needs: 'watch' },
} as const;

/** `2026-11-28 05:00Z  registrar  example.com  Kamome Names -> Umineko` */
function eventLine({ noticedAt, kind, domain, before, after }: NameEvent): string {
  const time = noticedAt.slice(0, 16).replace('T', ' ');
  const value = (fact: NameEvent['after']) => (fact === null || fact.length === 0 ? '-' : String(fact));
  const change = kind === 'expiring' ? value(after) : `${value(before)} -> ${value(after)}`;
  return terminalText(`${time}Z  ${kind.padEnd(11)}  ${domain}  ${change}`);
}

/** Compares all names with what was last reported, round by round, until Ctrl-C. */
export async function watchNames(
  args: GivenOptions<typeof WATCH_OPTIONS> & { json?: boolean | undefined },
  terminal: Terminal,
  {
    readNames,
    lookUp,
  }: {
    /** Each name once, see `oneSpelling`. */
    readNames: () => Promise<readonly string[]>;
    lookUp: (names: readonly string[]) => AsyncIterable<NameOutcome>;
  },
): Promise<never> {
  const number = (name: 'every' | 'expiring', byDefault: number, most: number) =>
    args[name] === undefined ? byDefault : readWholeNumber(`--${name}`, args[name], 1, most);
  const everyMs = number('every', DEFAULT_HOURS, 24 * 31) * HOUR_MS;
  const expiringDays = number('expiring', DEFAULT_EXPIRING_DAYS, 3650);
  const report = openReport(args, terminal, { lineOf: eventLine, isEndless: true });
  const watched = openWatchedNames(args.state);
  for (;;) {
    const failed = new Map<string, string[]>();
    // Each round, so that names can be added.
    const names = await readNames();
    if (names.length === 0) warn(terminal, 'There is no name to watch.', '監視する名前がありません。');
    for await (const outcome of lookUp(names)) {
      const { name, error } = outcome;
      const compared = compareName(outcome, watched.get(name), { now: terminal.now(), expiringDays });
      if (error && !compared) failed.set(error.code, [...(failed.get(error.code) ?? []), name]);
      for (const event of compared?.events ?? []) await report(event);
      if (compared) watched.set(name, compared.watched);
    }
    for (const [code, each] of failed)
      warn(
        terminal,
        `No look-up (${code}), compared in the next round: ${each.join(', ')}`,
        `問い合わせできませんでした（${code}）。次回に比べます: ${each.join(', ')}`,
      );
    await terminal.pause(everyMs);
  }
}
