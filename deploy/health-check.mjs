// Both services of this machine are ready, or the exit code is 1. For containers without curl.
const ports = [process.env.CATALOGUE_PORT || 3000, process.env.REGISTRATION_PORT || 3001];

async function isReady(port) {
  const response = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(2_000) });
  return response.status === 200;
}

const ready = await Promise.all(ports.map((port) => isReady(port).catch(() => false)));
process.exitCode = ready.every(Boolean) ? 0 : 1;
