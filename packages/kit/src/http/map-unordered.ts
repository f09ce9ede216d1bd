/** Yields the results of `call` as they arrive, `atOnce` calls at a time. Stops calling when the reader stops. */
export async function* mapUnordered<In, Out>(
  inputs: readonly In[],
  atOnce: number,
  call: (input: In, index: number) => Promise<Out>,
): AsyncGenerator<Out, void, undefined> {
  const running = new Map<number, Promise<{ index: number; output: Out }>>();
  let next = 0;
  while (next < inputs.length || running.size > 0) {
    while (next < inputs.length && running.size < atOnce) {
      const index = next++;
      running.set(
        index,
        call(inputs[index] as In, index).then((output) => ({ index, output })),
      );
    }
    const { index, output } = await Promise.race(running.values());
    running.delete(index);
    yield output;
  }
}
