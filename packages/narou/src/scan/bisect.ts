/** The first of `count` places in ascending order for which `isBefore` is false; `count` if there is none. */
export function bisect(count: number, isBefore: (index: number) => boolean): number {
  let from = 0;
  let to = count;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (isBefore(middle)) from = middle + 1;
    else to = middle;
  }
  return from;
}
