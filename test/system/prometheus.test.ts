import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { startProgram, startServe, until } from './running-service.ts';
import { freePort } from '../free-port.ts';
import { temporaryFolder } from '../temporary-folder.ts';

// Runs deploy/'s files for Prometheus and Grafana with Debian's prometheus over a running service.

const deploy = path.join(import.meta.dirname, '../../deploy');
const RULES = ['service-alerts.yaml', 'domain-alerts.yaml'];

const folder = temporaryFolder();
let address: string;

interface QueryResponse {
  status: string;
  error?: string;
  data: { result: { metric: Record<string, string>; value: [number, string] }[] };
}

const query = async (expression: string): Promise<QueryResponse> =>
  (await (
    await fetch(`${address}/api/v1/query?query=${encodeURIComponent(expression)}`)
  ).json()) as QueryResponse;

/** Polls until there is a non-empty response. */
async function firstResult(expression: string): Promise<QueryResponse['data']['result']> {
  let found: QueryResponse['data']['result'] = [];
  const isThere = async () => {
    found = (await query(expression).catch(() => undefined))?.data.result ?? [];
    return found.length > 0;
  };
  await until(isThere, 200);
  return found;
}

beforeAll(async () => {
  const metricsPort = await freePort();
  const service = await startServe({
    RATE_LIMIT: '0',
    LOG_LEVEL: 'silent',
    METRICS_PORT: String(metricsPort),
  });
  for (const url of [`${service.catalogue}/v1/novels?lim=1`, `${service.registration}/example.com`]) {
    await (await fetch(url)).arrayBuffer();
  }
  for (const rules of RULES) copyFileSync(path.join(deploy, rules), path.join(folder, rules));
  const settings = readFileSync(path.join(deploy, 'prometheus.yaml'), 'utf8')
    .replace('127.0.0.1:9464', `127.0.0.1:${metricsPort}`)
    .replace('127.0.0.1:3001', new URL(service.registration).host)
    .replaceAll(/scrape_interval: \w+/g, 'scrape_interval: 1s')
    .replaceAll(/scrape_timeout: \w+/g, 'scrape_timeout: 1s');
  writeFileSync(path.join(folder, 'prometheus.yaml'), settings);
  const port = await freePort();
  address = `http://127.0.0.1:${port}`;
  const prometheus = startProgram('prometheus', [
    `--config.file=${folder}/prometheus.yaml`,
    `--storage.tsdb.path=${folder}/data`,
    `--web.listen-address=127.0.0.1:${port}`,
  ]);
  await firstResult('up{job="mokuroku"} == 1');
  return async () => {
    await prometheus.end('SIGKILL');
    await service.end('SIGINT');
  };
});

interface Panel {
  title: string;
  targets?: { expr: string }[];
}
const { panels } = JSON.parse(readFileSync(path.join(deploy, 'grafana-dashboard.json'), 'utf8')) as {
  panels: Panel[];
};
const expressions = panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => ({
    title,
    expr: expr.replaceAll('$service', '.*').replaceAll('$__rate_interval', '1m'),
  })),
);

describe('the dashboard', () => {
  it('queries only metrics that docs/operations.md documents', () => {
    const documented = readFileSync(path.join(import.meta.dirname, '../../docs/operations.md'), 'utf8');
    const names = new Set(expressions.flatMap(({ expr }) => expr.match(/\bmokuroku_\w+(?=\{)/g) ?? []));
    expect(names.size).toBeGreaterThan(12);
    const untold = [...names]
      .map((name) => name.replace(/_bucket$/, ''))
      .filter((name) => !documented.includes(name));
    expect(untold).toEqual([]);
  });

  it.each(expressions)('$title: $expr', async ({ expr }) => {
    expect(await query(expr)).toMatchObject({ status: 'success' });
  });

  it('shows data of a running service', async () => {
    for (const title of [
      'Responses per second, by status',
      'Responses in memory',
      'Bytes in memory',
      'Memory',
    ]) {
      const expr = expressions.find((each) => each.title === title)?.expr ?? '';
      expect((await firstResult(expr)).length, title).toBeGreaterThan(0);
    }
  });
});

describe('watched names', () => {
  it('are looked up by the service, which exposes their expiry', async () => {
    const [result] = await firstResult('domain_expiry_seconds{instance="example.com"}');
    expect(Number(result?.value[1])).toBeGreaterThan(0);
  });
});

/** The alerts that fire after some minutes of these series. */
function alertsOf(series: Readonly<Record<string, string>>, minutes = 45): string[] {
  const test = {
    rule_files: RULES.map((name) => path.join(deploy, name)),
    evaluation_interval: '1m',
    tests: [
      {
        interval: '1m',
        input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
        // promtool prints the actual values when others are expected.
        promql_expr_test: [
          {
            expr: 'ALERTS{alertstate="firing"}',
            eval_time: `${minutes}m`,
            exp_samples: [{ labels: 'none', value: 0 }],
          },
        ],
      },
    ],
  };
  const file = path.join(folder, 'test.json');
  writeFileSync(file, JSON.stringify(test));
  const { stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
  expect(stdout + stderr).toContain('got:');
  const names = [...(stdout + stderr).matchAll(/alertname="(\w+)"/g)].map(([, name = '']) => name);
  return [...new Set(names)];
}

const requests = (status: string, perMinute: number) => ({
  [`mokuroku_http_requests_total{job="mokuroku",instance="a",service="catalogue",status="${status}"}`]: `0+${perMinute}x60`,
});
const DURATION = 'mokuroku_http_request_duration_seconds_bucket{instance="a",service="catalogue"';

describe('an alert', () => {
  const firing: [name: string, series: Record<string, string>, minutes?: number][] = [
    ['MokurokuDown', { 'up{job="mokuroku",instance="a"}': '0x60' }],
    ['MokurokuFails', { ...requests('200', 90), ...requests('502', 10) }],
    ['MokurokuLate', { 'nodejs_eventloop_lag_p99_seconds{job="mokuroku",instance="a"}': '0.4x60' }],
    [
      'MokurokuSlow',
      {
        [`${DURATION},le="2.5"}`]: '0+1x60',
        [`${DURATION},le="5"}`]: '0+9x60',
        [`${DURATION},le="+Inf"}`]: '0+9x60',
      },
    ],
    ['MokurokuUpstreamCircuitOpen', { 'mokuroku_upstream_circuit_open{service="catalogue"}': '1x60' }],
    ['MokurokuUpstreamBudgetLow', { 'mokuroku_upstream_budget_used_ratio{service="catalogue"}': '0.85x60' }],
    ['MokurokuUpstreamBudgetSpent', { 'mokuroku_upstream_budget_used_ratio{service="catalogue"}': '1x60' }],
    ['MokurokuCatalogueAges', { 'mokuroku_catalogue_age_seconds{instance="a"}': '1036801x60' }],
    ['MokurokuCatalogueGone', { 'mokuroku_catalogue_novels{instance="a"}': '0x60' }],
    ['MokurokuStoreGone', { 'mokuroku_store_in_use{instance="a"}': '0x60' }],
    ['DomainExpiresSoon', { 'domain_expiry_seconds{domain="example.com"}': '864000x60' }],
    ['DomainNotRegistered', { 'domain_registered{domain="example.com"}': '0x60' }],
    [
      'DomainIsEnding',
      {
        'domain_ending{domain="example.com",ending="redemption"}': '1 _x59 1 _x59',
        'domain_expiry_seconds{domain="example.com"}': '28512000 _x59 28512000 _x59',
      },
    ],
    // As scraped: once an hour, with gaps.
    ['DomainExpiresSoon', { 'domain_expiry_seconds{domain="example.com"}': '864000 _x59 864000 _x59' }],
    ['DomainNotRegistered', { 'domain_registered{domain="example.com"}': '0 _x59 0 _x59' }],
    ['DomainTargetRefused', { 'up{job="domains",instance="not a name"}': '0 _x59 0 _x59' }],
    ['DomainLookUpFails', { 'domain_lookup_success{domain="example.com"}': '0x800' }, 13 * 60],
  ];

  it.each(firing)('%s fires when it should, and alone', (name, series, minutes) => {
    expect(alertsOf(series, minutes)).toEqual([name]);
  });

  it('is in that table, whichever it is', () => {
    const rules = RULES.map((name) => readFileSync(path.join(deploy, name), 'utf8')).join('');
    const names = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
    expect(new Set(firing.map(([name]) => name))).toEqual(new Set(names));
  });

  it('does not fire for a healthy service', () => {
    const healthy = {
      'up{job="mokuroku",instance="a"}': '1x60',
      ...requests('200', 99),
      ...requests('502', 1),
      'nodejs_eventloop_lag_p99_seconds{job="mokuroku",instance="a"}': '0.02x60',
      'mokuroku_upstream_circuit_open{service="catalogue"}': '0x60',
      'mokuroku_upstream_budget_used_ratio{service="catalogue"}': '0.5x60',
      'mokuroku_catalogue_age_seconds{instance="a"}': '1036800x60',
      'mokuroku_catalogue_novels{instance="a"}': '1x60',
      'mokuroku_store_in_use{instance="a"}': '1x60',
      'up{job="domains",instance="example.com"}': '1 _x59',
      'domain_expiry_seconds{domain="example.com"}': '8640000 _x59',
      'domain_registered{domain="example.com"}': '1 _x59',
      'domain_ending{domain="example.com",ending="none"}': '1 _x59',
    };
    expect(alertsOf(healthy)).toEqual([]);
  });
});
