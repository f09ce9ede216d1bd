/** Lets one of several processes do what all of them want. */
export interface SharedFlight {
  /**
   * Runs `lead` unless another process is at it already; then waits for what that one brings about, asking
   * `follow` again and again until it gives something. When the other process dies, one that waits takes over.
   * A failure of the other is this one's failure too. Without contact to the others `lead` simply runs.
   */
  once<T>(key: string, lead: () => Promise<T>, follow: () => Promise<T | undefined>): Promise<T>;
}
