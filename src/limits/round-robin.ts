/** Items that wait in groups. The groups are served in rotation, the items of one in the order of their arrival. */
export class RoundRobin<Item> {
  /** The group to serve next comes first. */
  readonly #groups = new Map<string, Set<Item>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  sizeOf(group: string): number {
    return this.#groups.get(group)?.size ?? 0;
  }

  /** How many are served before an item that is added to this group now. */
  aheadOf(group: string): number {
    const ownSize = this.sizeOf(group);
    let ahead = 0;
    for (const [name, { size }] of this.#groups)
      ahead += name === group ? ownSize : Math.min(size, ownSize + 1);
    return ahead;
  }

  add(group: string, item: Item): void {
    const items = this.#groups.get(group);
    if (items) items.add(item);
    else this.#groups.set(group, new Set([item]));
    this.#size++;
  }

  delete(group: string, item: Item): void {
    const items = this.#groups.get(group);
    if (!items?.delete(item)) return;
    this.#size--;
    if (items.size === 0) this.#groups.delete(group);
  }

  /** Removes the next item; its group then comes last. */
  shift(): Item | undefined {
    for (const [group, items] of this.#groups) {
      this.#groups.delete(group);
      for (const item of items) {
        items.delete(item);
        if (items.size > 0) this.#groups.set(group, items);
        this.#size--;
        return item;
      }
    }
    return undefined;
  }
}
