/** The results of `call`, a few at once, each as soon as it is there. Nothing more is called once nobody reads. */
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
