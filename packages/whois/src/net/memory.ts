import type { Clock } from '@mokuroku/kit/clock';

interface Entry<Value> {
  value: Value;
  /** Monotonic milliseconds. */
  freshUntil: number;
}

interface MemoryOptions<Value> {
  clock: Clock;
  /** Maximum number of values. Beyond it, the least recently used one at rest is dropped, else the least recently used one. */
  max: number;
  /** Whether a value may be dropped; default: any may. */
  isAtRest?: (value: Value) => boolean;
  /** How long a value is fresh; default: for ever. */
  lifetimeMs?: (value: Value) => number;
}

/** Values by key. Concurrent loads of one key are shared. */
export class Memory<Value> {
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #loads = new Map<string, Promise<Value>>();
  readonly #options: MemoryOptions<Value>;

  constructor(options: MemoryOptions<Value>) {
    this.#options = options;
  }

  /** The latest value, also one that is no longer fresh. */
  get(key: string): { value: Value; isFresh: boolean } | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    // A map lists its keys in the order of insertion: the last one is the most recently used.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return { value: entry.value, isFresh: this.#options.clock.monotonic() < entry.freshUntil };
  }

  getFresh(key: string): Value | undefined {
    const entry = this.get(key);
    return entry?.isFresh === true ? entry.value : undefined;
  }

  set(key: string, value: Value): void {
    const { clock, max, lifetimeMs } = this.#options;
    this.#entries.delete(key);
    if (this.#entries.size >= max) this.#dropOne();
    const freshUntil = clock.monotonic() + (lifetimeMs?.(value) ?? Infinity);
    this.#entries.set(key, { value, freshUntil });
  }

  #dropOne(): void {
    const { isAtRest = () => true } = this.#options;
    const [oldest] = this.#entries.keys();
    for (const [key, { value }] of this.#entries) {
      if (isAtRest(value)) return void this.#entries.delete(key);
    }
    if (oldest !== undefined) this.#entries.delete(oldest);
  }

  /** The latest value; made and stored if there is none. */
  getOrMake(key: string, make: () => Value): Value {
    const known = this.get(key);
    if (known !== undefined) return known.value;
    const value = make();
    this.set(key, value);
    return value;
  }

  /** Loads and stores a value, or joins the running load of the key. Rejects with the load's error, and stores nothing. */
  load(key: string, load: () => Promise<Value>): Promise<Value> {
    const running = this.#loads.get(key);
    if (running !== undefined) return running;
    const loading = load()
      .then((value) => {
        this.set(key, value);
        return value;
      })
      .finally(() => this.#loads.delete(key));
    this.#loads.set(key, loading);
    return loading;
  }
}
