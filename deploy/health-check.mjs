// Exits with 0 if the service of SERVE_ONLY (without it, both) is ready, else with 1. For containers without curl.
const setting = (name) => process.env[`MOKUROKU_${name}`] || process.env[name];
const only = setting('SERVE_ONLY');
const ports = [
  ...(only === 'registration' ? [] : [setting('CATALOGUE_PORT') || 3000]),
  ...(only === 'catalogue' ? [] : [setting('REGISTRATION_PORT') || 3001]),
];

async function isReady(port) {
  const response = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(2_000) });
  return response.status === 200;
}

const ready = await Promise.all(ports.map((port) => isReady(port).catch(() => false)));
process.exitCode = ready.every(Boolean) ? 0 : 1;
