/** Maximum concurrent calls, in total and per lane. */
const AT_ONCE = 32;
const PER_LANE = 4;

interface Lane<In> {
  waiting: In[];
  running: number;
}

/**
 * Yields the results of `call` as they arrive. The inputs of one lane share a limit and do not delay other lanes. Stops
 * calling when the reader stops.
 */
export async function* mapInLanes<In, Out>(
  inputs: readonly In[],
  laneOf: (input: In) => string,
  call: (input: In) => Promise<Out>,
): AsyncGenerator<Out, void, undefined> {
  const byName = new Map<string, Lane<In>>();
  for (const input of inputs) {
    const name = laneOf(input);
    const lane = byName.get(name);
    if (lane === undefined) byName.set(name, { waiting: [input], running: 0 });
    else lane.waiting.push(input);
  }
  for (const lane of byName.values()) lane.waiting.reverse();
  const lanes = new Set(byName.values());
  const running = new Map<symbol, Promise<{ id: symbol; lane: Lane<In>; output: Out }>>();

  function start(lane: Lane<In>): void {
    const id = Symbol('call');
    const promise = call(lane.waiting.pop() as In).then((output) => ({ id, lane, output }));
    // Awaited below, unless the reader has stopped.
    promise.catch(() => undefined);
    running.set(id, promise);
    lane.running++;
    // Moves the lane to the end of the rotation.
    lanes.delete(lane);
    if (lane.waiting.length > 0) lanes.add(lane);
  }

  for (;;) {
    for (const lane of lanes) {
      if (running.size >= AT_ONCE) break;
      if (lane.running < PER_LANE) start(lane);
    }
    if (running.size === 0) return;
    const { id, lane, output } = await Promise.race(running.values());
    running.delete(id);
    lane.running--;
    yield output;
  }
}
