/** Yields the results of `call` as they arrive, `atOnce` calls at a time. Stops calling when the reader stops. */
export async function* mapUnordered<In, Out>(
  inputs: readonly In[],
  atOnce: number,
  call: (input: In, index: number) => Promise<Out>,
): AsyncGenerator<Out, void, undefined> {
  const underWay = new Map<number, Promise<{ index: number; output: Out }>>();
  let next = 0;
  while (next < inputs.length || underWay.size > 0) {
    while (next < inputs.length && underWay.size < atOnce) {
      const index = next++;
      underWay.set(
        index,
        call(inputs[index] as In, index).then((output) => ({ index, output })),
      );
    }
    const { index, output } = await Promise.race(underWay.values());
    underWay.delete(index);
    yield output;
  }
}
