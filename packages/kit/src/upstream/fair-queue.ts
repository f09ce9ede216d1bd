/** Items of a network by client, each client's in the order of their arrival. */
interface Group<Item> {
  size: number;
  readonly clients: Map<string, Set<Item>>;
}

function moveToEnd<Value>(map: Map<string, Value>, name: string): void {
  const value = map.get(name);
  if (value !== undefined && map.delete(name)) map.set(name, value);
}

/** Waiting items. Networks are served in rotation, and within each its clients. */
export class FairQueue<Item> {
  /** The one to serve next comes first. */
  readonly #networks = new Map<string, Group<Item>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  sizeOf(network: string): number {
    return this.#networks.get(network)?.size ?? 0;
  }

  /** How many are served before an item that is added to this network now, at most. */
  aheadOf(network: string): number {
    const ownSize = this.sizeOf(network);
    let ahead = 0;
    for (const { size } of this.#networks.values()) ahead += Math.min(size, ownSize + 1);
    return ahead;
  }

  add(network: string, item: Item, client = ''): void {
    const group = this.#networks.get(network) ?? { size: 0, clients: new Map<string, Set<Item>>() };
    this.#networks.set(network, group);
    const items = group.clients.get(client) ?? new Set();
    group.clients.set(client, items.add(item));
    group.size++;
    this.#size++;
  }

  delete(network: string, item: Item, client = ''): void {
    const group = this.#networks.get(network);
    const items = group?.clients.get(client);
    if (!group || !items?.delete(item)) return;
    this.#size--;
    if (items.size === 0) group.clients.delete(client);
    if (--group.size === 0) this.#networks.delete(network);
  }

  /** Removes the next item that is ready; its network and its client then come last. */
  shift(isReady: (item: Item) => boolean = () => true): Item | undefined {
    for (const [network, group] of this.#networks) {
      for (const [client, items] of group.clients) {
        for (const item of items) {
          if (!isReady(item)) continue;
          this.delete(network, item, client);
          moveToEnd(this.#networks, network);
          moveToEnd(group.clients, client);
          return item;
        }
      }
    }
    return undefined;
  }
}
