/** How many calls are made at a time. */
export interface CallLimits<In> {
  atOnce: number;
  /** Inputs of one lane share a limit, and do not delay other lanes. Default: all are in one. */
  laneOf?: (input: In) => string;
  /** Calls at a time in one lane; default: `atOnce`. */
  perLane?: number;
}

/** Inputs of an asynchronous source that may wait; beyond them it is read no further. */
const MAX_WAITING = 1_000;

/** An input with its place among the others. */
interface Place<In> {
  input: In;
  index: number;
  lane: string;
}

type Event<In, Out> = { read: IteratorResult<In, unknown> } | { place: Place<In>; output: Out };

/** The inputs that wait, by lane. */
class Lanes<In> {
  readonly #lanes = new Map<string, Place<In>[]>();
  readonly #limits: CallLimits<In>;
  #count = 0;
  waiting = 0;

  constructor(limits: CallLimits<In>) {
    this.#limits = limits;
  }

  add(input: In): void {
    const lane = this.#limits.laneOf?.(input) ?? '';
    const places = this.#lanes.get(lane) ?? [];
    places.push({ input, index: this.#count++, lane });
    this.#lanes.set(lane, places);
    this.waiting++;
  }

  /** The next input of the first lane that may run another one beside those that run. */
  next(running: readonly Place<In>[]): Place<In> | undefined {
    const { atOnce, perLane = atOnce } = this.#limits;
    if (running.length >= atOnce) return undefined;
    for (const [name, places] of this.#lanes) {
      if (running.filter(({ lane }) => lane === name).length >= perLane) continue;
      if (places.length === 1) this.#lanes.delete(name);
      this.waiting--;
      return places.shift();
    }
    return undefined;
  }
}

/**
 * Yields the results of `call` as they arrive. Stops calling and reading when the reader stops. A list is read at once, an
 * asynchronous source as far as it is needed.
 */
export async function* mapUnordered<In, Out>(
  inputs: Iterable<In> | AsyncIterable<In>,
  limits: CallLimits<In>,
  call: (input: In, index: number) => Promise<Out>,
): AsyncGenerator<Out, void, undefined> {
  const lanes = new Lanes(limits);
  const source = Symbol.asyncIterator in inputs ? inputs[Symbol.asyncIterator]() : undefined;
  if (Symbol.iterator in inputs) for (const input of inputs) lanes.add(input);
  const running = new Map<Place<In>, Promise<Event<In, Out>>>();
  let reading: Promise<Event<In, Out>> | undefined;
  let isRead = source === undefined;

  try {
    for (;;) {
      for (let place = lanes.next([...running.keys()]); place; place = lanes.next([...running.keys()])) {
        const started = place;
        const calling = call(place.input, place.index).then((output) => ({ place: started, output }));
        running.set(place, calling);
      }
      if (!isRead && lanes.waiting < MAX_WAITING) reading ??= source?.next().then((read) => ({ read }));
      if (running.size === 0 && reading === undefined) return;
      const event = await Promise.race([...running.values(), ...(reading ? [reading] : [])]);
      if ('place' in event) {
        running.delete(event.place);
        yield event.output;
      } else {
        reading = undefined;
        if (event.read.done === true) isRead = true;
        else lanes.add(event.read.value);
      }
    }
  } finally {
    // Not awaited: a source that is waiting for its next value would hold the reader.
    if (!isRead) void source?.return?.().catch(() => undefined);
  }
}
