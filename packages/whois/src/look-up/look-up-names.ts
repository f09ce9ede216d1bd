import type { Sleep } from '@mokuroku/kit/clock';
import { LookUpError, isUnproved } from './look-up-error.ts';

/** The outcome of one name: its registration, or the error of its look-up. */
export type NameOutcome<Data> =
  { name: string; data: Data; error?: undefined } | { name: string; data?: undefined; error: LookUpError };

interface NamesOptions<Data> {
  lookUp: (name: string, signal: AbortSignal) => Promise<Data>;
  /** Names of one zone share a registry, and its limits. */
  zoneOf: (name: string) => string;
  signal: AbortSignal | undefined;
  sleep: Sleep;
}

/** Looks names up, a few at once, and waits for our own limits. Aborts running look-ups when the reader stops. */
export async function* lookUpNames<Data>(
  names: Inputs<string>,
  { lookUp, zoneOf, signal, sleep }: NamesOptions<Data>,
): AsyncGenerator<NameOutcome<Data>, void, undefined> {
  const readerStopped = new AbortController();
  const either = signal ? AbortSignal.any([signal, readerStopped.signal]) : readerStopped.signal;

  async function outcomeOf(name: string): Promise<NameOutcome<Data>> {
    for (;;) {
      try {
        return { name, data: await lookUp(name, either) };
      } catch (error) {
        if (!(error instanceof LookUpError)) throw error;
        if (!isOwnLimit(error)) return { name, error };
        // If aborted meanwhile, the next look-up throws the signal's reason.
        await sleep((error.retryAfterSeconds ?? 1) * 1_000, either).catch(() => undefined);
      }
    }
  }

  try {
    const unproved: NameOutcome<Data>[] = [];
    const zones = new Set<string>();
    const topLevelOf = (name: string) => zoneOf(name).replace(/.*\./, '');
    for await (const outcome of mapByKey(names, zoneOf, outcomeOf)) {
      if (outcome.data !== undefined) zones.add(topLevelOf(outcome.name));
      if (isUnproved(outcome.error?.details) && unproved.length < MAX_WAITING) unproved.push(outcome);
      else yield outcome;
    }
    // A name behind them in the list may have proved that the server knows the zone.
    const mayBeProved = ({ name }: NameOutcome<Data>) => zones.has(topLevelOf(name));
    for (const outcome of unproved) if (!mayBeProved(outcome)) yield outcome;
    const again = unproved.filter(mayBeProved).map(({ name }) => name);
    yield* mapByKey(again, zoneOf, outcomeOf);
  } finally {
    readerStopped.abort();
  }
}

function isOwnLimit({ code, details }: LookUpError): boolean {
  const { limitedBy } = (details ?? {}) as { limitedBy?: unknown };
  return code === 'registry_rate_limited' && limitedBy === 'service';
}

/** Maximum concurrent calls, in total and per lane. */
const AT_ONCE = 32;
const PER_LANE = 4;
/** Inputs of an asynchronous source that may wait; beyond them it is read no further. */
const MAX_WAITING = 1_000;

type Inputs<In> = Iterable<In> | AsyncIterable<In>;

interface Lane<In> {
  waiting: In[];
  running: number;
}

type Event<In, Out> = { read: IteratorResult<In, unknown> } | { id: symbol; lane: Lane<In>; output: Out };

/** Inputs by lane. */
class Lanes<In> {
  readonly #byName = new Map<string, Lane<In>>();
  readonly #withInputs = new Set<Lane<In>>();
  waiting = 0;

  readonly #laneOf: (input: In) => string;

  constructor(laneOf: (input: In) => string) {
    this.#laneOf = laneOf;
  }

  add(input: In): void {
    const name = this.#laneOf(input);
    const lane = this.#byName.get(name) ?? { waiting: [], running: 0 };
    this.#byName.set(name, lane);
    lane.waiting.push(input);
    this.#withInputs.add(lane);
    this.waiting++;
  }

  /** The next input of a lane that may run another one. */
  next(): { lane: Lane<In>; input: In } | undefined {
    for (const lane of this.#withInputs) {
      if (lane.running >= PER_LANE) continue;
      const input = lane.waiting.shift() as In;
      lane.running++;
      this.waiting--;
      if (lane.waiting.length === 0) this.#withInputs.delete(lane);
      return { lane, input };
    }
    return undefined;
  }
}

/**
 * Yields the results of `call` as they arrive. The inputs of one lane share a limit and do not delay other lanes. Stops
 * calling and reading when the reader stops. A list is read at once, an asynchronous source as far as it is needed.
 */
async function* mapByKey<In, Out>(
  inputs: Inputs<In>,
  laneOf: (input: In) => string,
  call: (input: In) => Promise<Out>,
): AsyncGenerator<Out, void, undefined> {
  const lanes = new Lanes(laneOf);
  const source = Symbol.asyncIterator in inputs ? inputs[Symbol.asyncIterator]() : undefined;
  if (Symbol.iterator in inputs) for (const input of inputs) lanes.add(input);
  const running = new Map<symbol, Promise<Event<In, Out>>>();
  let reading: Promise<Event<In, Out>> | undefined;
  let isRead = source === undefined;

  try {
    for (;;) {
      while (running.size < AT_ONCE) {
        const next = lanes.next();
        if (next === undefined) break;
        const id = Symbol('call');
        const promise = call(next.input).then((output) => ({ id, lane: next.lane, output }));
        running.set(id, promise);
      }
      if (!isRead && lanes.waiting < MAX_WAITING) reading ??= source?.next().then((read) => ({ read }));
      if (running.size === 0 && reading === undefined) return;
      const event = await Promise.race([...running.values(), ...(reading ? [reading] : [])]);
      if ('read' in event) {
        reading = undefined;
        if (event.read.done === true) isRead = true;
        else lanes.add(event.read.value);
      } else {
        running.delete(event.id);
        event.lane.running--;
        yield event.output;
      }
    }
  } finally {
    // Not awaited: a source that is waiting for its next value would hold the reader.
    if (!isRead) void source?.return?.().catch(() => undefined);
  }
}
