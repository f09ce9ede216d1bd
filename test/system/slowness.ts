const SAMPLE_MS = 100;

/** The slowdown by other load on the machine: wall time divided by processor time of a busy loop, at least 1. */
export function slowness(): number {
  const from = performance.now();
  const before = process.cpuUsage();
  let usedMs = 0;
  while (usedMs < SAMPLE_MS) {
    const { user, system } = process.cpuUsage(before);
    usedMs = (user + system) / 1_000;
  }
  return Math.max(1, (performance.now() - from) / usedMs);
}
