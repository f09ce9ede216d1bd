import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkOf, reportOf, troublesOf } from '../../test/doctor/doctor-under-test.ts';
import { record, rootObject } from '../../test/registration/loopback-world.ts';
import type { Terminal } from '../cli/terminal.ts';
import { builtInTable } from '../registration/look-up/services.ts';
import bundled from '../registration/look-up/data/rdap-bootstrap.json' with { type: 'json' };
import { startWhoisServer } from '../sample/registries/loopback-server.ts';
import { PROBED } from './registries.ts';

const TLDS = PROBED.map((registered) => registered.split('.').at(-1) ?? '');
const serverOf = (tld: string): string => builtInTable.rootWhoisOf(tld) ?? '';

interface World {
  /** A registry's answer for a name. */
  say?: (name: string) => string;
  /** The root's referral, if it differs from the bundled table. */
  refer?: (tld: string) => string;
  /** HTTP status of the bootstrap. */
  status?: number;
}

const usual = (name: string): string => (PROBED.includes(name) ? record(name) : 'No match!!\r\n');

/**
 * Starts a root, one registry for all zones, and an RDAP server with a bootstrap, on loopback. Records the queried
 * names.
 */
async function startWorld(of: World) {
  const { say = usual, refer = serverOf, status = 200 } = of;
  const requests: string[] = [];
  const nameIn = (query: string): string => (query.split(/[ =]/).at(-1) ?? '').replace(/\/e$/, '');
  const registry = await startWhoisServer((query, socket) => {
    requests.push(nameIn(query));
    socket.end(say(nameIn(query)));
  });
  const root = await startWhoisServer((tld, socket) => socket.end(rootObject(tld, refer(tld))));
  const rdap = http.createServer((request, response) => {
    const [, name] = /^\/domain\/(.*)$/.exec(request.url ?? '') ?? [];
    if (name === undefined) {
      const own = TLDS.filter((tld) => serverOf(tld) === '');
      const services = bundled.services.map(([zones = [], bases = []]) => [
        zones.filter((zone) => !own.includes(zone)),
        bases,
      ]);
      const { port } = rdap.address() as AddressInfo;
      response
        .writeHead(status)
        .end(JSON.stringify({ ...bundled, services: [...services, [own, [`http://127.0.0.1:${port}/`]]] }));
      return;
    }
    requests.push(name);
    const isRegistered = PROBED.includes(name);
    response.writeHead(isRegistered ? 200 : 404, { 'content-type': 'application/rdap+json' });
    response.end(
      JSON.stringify(
        isRegistered ? { objectClassName: 'domain', ldhName: name, status: ['active'] } : { errorCode: 404 },
      ),
    );
  });
  await new Promise<void>((done) => rdap.listen(0, '127.0.0.1', done));
  onTestFinished(async () => {
    rdap.closeAllConnections();
    await Promise.all([registry.close(), root.close(), new Promise((done) => rdap.close(done))]);
  });
  const hosts = [...new Set([...TLDS.map(serverOf), ...TLDS.map(refer)])].filter((host) => host !== '');
  const environment = {
    SERVE_ONLY: 'registration',
    WHOIS_ROOT: `127.0.0.1:${root.port}`,
    RDAP_BOOTSTRAP: `http://127.0.0.1:${(rdap.address() as AddressInfo).port}/dns.json`,
    HOST_MAP: hosts.map((host) => `${host}=127.0.0.1:${registry.port}`).join(','),
    ALLOWED_CIDRS: '127.0.0.1/32',
    REGISTRY_PER_SECOND: '0',
  };
  return { environment, requests };
}

const check = async (of: World, terminal: Partial<Terminal> = {}) => {
  const { environment, requests } = await startWorld(of);
  return { ...(await reportOf('doctor --live', environment, terminal)), requests };
};

describe('twenty registries, each queried for a registered and a random name', () => {
  it('are ok if they respond as before; none of their text is in the report', async () => {
    const pauses: number[] = [];
    const pause = (milliseconds: number) => Promise.resolve(void pauses.push(milliseconds));
    const { code, report, requests, text } = await check({}, { pause });
    expect(troublesOf(report)).toEqual({});
    expect(code).toBe(0);
    expect(requests).toHaveLength(40);
    expect(new Set(requests).size).toBe(40);
    expect(PROBED.filter((name) => !requests.includes(name))).toEqual([]);
    expect(checkOf(report, 'root-zone').finding).toMatch(/^all \d\d queried zones match the table of /);
    expect(text).not.toContain('Sample Registrar');
    // One look-up a second: between two of them is the rest of it.
    expect(pauses.length).toBeGreaterThan(20);
    expect(pauses.filter((milliseconds) => milliseconds <= 0 || milliseconds > 1_000)).toEqual([]);
  });

  it('are each reported for what it says', async () => {
    const cases: Record<string, readonly [say: (name: string) => string, finding: string]> = {
      pl: [() => 'No match!!\r\n', 'broken: a name is parsed incorrectly: not_registered, not_registered'],
      se: [record, 'broken: a name is parsed incorrectly: registered, registered'],
      it: [
        (name) => (name === 'nic.it' ? record(name) : 'Reserved name\r\n'),
        'broken: a name is parsed incorrectly: registered, reserved',
      ],
      fr: [() => 'Lorem ipsum dolor sit amet.\r\n', 'broken: unreadable, unreadable'],
      no: [() => 'WHOIS query quota exceeded\r\n', 'warning: unanswered, unanswered'],
    };
    const say = (name: string) => (cases[name.split('.').at(-1) ?? '']?.[0] ?? usual)(name);
    const { report } = await check({ say });
    const starting = (finding: string) => expect.stringContaining(finding) as string;
    expect(troublesOf(report)).toEqual(
      Object.fromEntries(
        Object.entries(cases).map(([tld, [, finding]]) => [`registry-${tld}`, starting(finding)]),
      ),
    );
  });

  it('are not all queried if five in a row do not respond; none of them is reported', async () => {
    const { report, requests, text } = await check({ say: () => 'WHOIS query quota exceeded\r\n' });
    expect(requests.length).toBeLessThan(40);
    expect(report.skipped.map(({ reason }) => reason)).toContain('the registries do not respond');
    expect(text).not.toContain('Report it');
  });

  it('are compared with the bundled tables', async () => {
    const moved = (tld: string) => (tld === 'se' ? 'whois.moved.se' : serverOf(tld));
    const { report } = await check({ refer: moved, status: 500 });
    const { rootZoneDate: date } = builtInTable;
    const unanswered = expect.stringMatching(/^warning: unanswered, unanswered/) as string;
    expect(troublesOf(report)).toEqual({
      bootstrap: 'warning: it cannot be fetched',
      // Reachable by RDAP only, and no bundled bootstrap leads to a server of this test.
      ...Object.fromEntries(
        TLDS.filter((tld) => serverOf(tld) === '').map((tld) => [`registry-${tld}`, unanswered]),
      ),
      'root-zone': `warning: the table of ${date} is outdated for se`,
    });
  });

  it('are reported if the root no longer names a server', async () => {
    const { report } = await check({ refer: (tld) => (tld === 'se' ? '' : serverOf(tld)) });
    const outdated = expect.stringMatching(/ is outdated for se$/) as string;
    expect(troublesOf(report)).toMatchObject({ 'root-zone': outdated });
  });
});
