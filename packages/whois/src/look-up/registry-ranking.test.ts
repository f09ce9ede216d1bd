import { describe, expect, it, onTestFinished } from 'vitest';
import { readAll } from '../../test/client-world.ts';
import { createLookUpClient } from '../index.ts';
import { startWhoisServer } from '../../../mokuroku/src/registration/sample/loopback-server.ts';
import { record, rootObject } from '../../test/loopback-world.ts';
import type { WhoisReply } from '../../test/loopback-world.ts';
import { codeOf, errorOf, open } from '../../test/opened-world.ts';
import { RECORD } from '../../test/rdap-world.ts';
import { readBootstrap } from '../rdap/bootstrap.ts';
import bundled from './data/rdap-bootstrap.json' with { type: 'json' };
import { builtInTable } from './services.ts';

const { facts, rootWhois, controlOf } = builtInTable;
const { basesFor } = readBootstrap(bundled);
const listed = [...facts].flatMap(([zone, { whois, rdap }]) => ((whois ?? rdap) ? [zone] : []));
const isBelow = (zone: string) => zone.includes('.');
/** The root names WHOIS, the built-in list RDAP. */
const NAMED = listed.filter(
  (zone) => !isBelow(zone) && rootWhois.get(zone) != null && basesFor(zone).length === 0,
);
/** No one else names a server. */
const LISTED = listed.filter(
  (zone) => isBelow(zone) || (rootWhois.get(zone) == null && basesFor(zone).length === 0),
);
const REFUSING = ['ch', 'li'];

/** What a registry's servers say of a name. */
type Says = 'held' | 'free' | 'reserved' | 'throttled' | 'refused' | 'empty';

const WHOIS_TEXTS: Readonly<Record<Says, (name: string) => string>> = {
  held: record,
  free: () => 'No match!!\r\n',
  reserved: (name) => `${name} is reserved by the registry.\r\n`,
  throttled: () => 'Query rate limit exceeded. Try again in 40 seconds.\r\n',
  refused: () => 'Requests of this client are not permitted. Please use https://www.nic.example/whois/\r\n',
  empty: () => '',
};

function rdapResponse(says: Says, name: string): Response {
  const json = (body: object, status = 200, headers = {}) =>
    new Response(JSON.stringify(body), { status, headers });
  if (says === 'held') return json({ ...RECORD, ldhName: name });
  if (says === 'reserved') return json({ ...RECORD, ldhName: name, status: ['reserved'] });
  if (says === 'throttled') return json({ errorCode: 429 }, 429, { 'retry-after': '40' });
  return json({ errorCode: 404, title: 'Not Found' }, says === 'free' ? 404 : 500);
}

interface Registry {
  whois?: (name: string) => Says | 'unreachable';
  rdap?: (name: string) => Says;
  protocols?: 'rdap';
}

/** The servers of a zone as the root or the built-in list names them. */
async function openZone(
  zone: string,
  { whois, rdap = whois as Registry['rdap'], protocols = 'both' as never }: Registry,
) {
  const tld = zone.slice(zone.lastIndexOf('.') + 1);
  const host =
    (isBelow(zone) ? undefined : rootWhois.get(tld)) ?? facts.get(zone)?.whois ?? 'whois.none.test';
  const answer: WhoisReply = (query, socket) => {
    const name = query.replace(/^.*[ =]|\/e$/g, '');
    const says = whois?.(name) ?? 'unreachable';
    if (says === 'unreachable') socket.resetAndDestroy();
    else socket.end(WHOIS_TEXTS[says](name));
  };
  const world = await open({
    root: { [tld]: rootObject(tld, rootWhois.get(tld) ?? '') },
    whois: { [host]: answer },
    fetch: (url) =>
      Promise.resolve(
        rdapResponse(
          rdap?.(url.slice(url.lastIndexOf('/') + 1)) ?? 'free',
          url.slice(url.lastIndexOf('/') + 1),
        ),
      ),
    settings: { protocols },
  });
  return { ...world, code: (name: string) => codeOf(world.lookUp(`${name}.${zone}`)) };
}

/** The zones of which `isSo` holds. */
async function zonesWhere(zones: readonly string[], isSo: (zone: string) => Promise<boolean>) {
  const found: string[] = [];
  for (const zone of zones) if (await isSo(zone)) found.push(zone);
  return found;
}

const holding =
  (...names: string[]) =>
  (name: string): Says =>
    names.includes(name) ? 'held' : 'free';

it('the bundled data have zones of both kinds', () => {
  expect([NAMED.length, LISTED.length]).toEqual([35, 119]);
});

describe('where the root names WHOIS and the list RDAP', () => {
  it.each<[string, Omit<Registry, 'rdap'>]>([
    ['is unreachable', { whois: () => 'unreachable' }],
    ['sends nothing', { whois: () => 'empty' }],
    ['is excluded', { protocols: 'rdap' }],
  ])(
    'RDAP that holds only nic, or only what was looked up, calls no name free if WHOIS %s',
    async (_, registry) => {
      const free = await zonesWhere(NAMED, async (zone) => {
        const { code, lookUp } = await openZone(zone, { ...registry, rdap: holding(`nic.${zone}`) });
        expect(await lookUp(`nic.${zone}`)).toMatchObject({ state: 'registered', protocol: 'rdap' });
        return !REFUSING.includes(zone) && (await code('held-at-whois')) === 'not_registered';
      });
      expect(free).toEqual([]);
    },
  );

  it.each(REFUSING)(
    'and WHOIS of .%s refuses, RDAP may deny a name if it holds the control',
    async (zone) => {
      const whois = () => 'refused' as const;
      const half = await openZone(zone, { whois, rdap: holding(`nic.${zone}`) });
      expect(await half.code('held-at-whois')).toBe('registry_unavailable');
      const whole = await openZone(zone, { whois, rdap: holding(controlOf(zone)) });
      expect(await errorOf(whole.lookUp(`free.${zone}`))).toMatchObject({
        code: 'not_registered',
        details: { evidence: { control: { name: controlOf(zone) } } },
      });
    },
  );

  it('WHOIS itself denies a name without a control', async () => {
    const denied = await zonesWhere(NAMED, async (zone) => {
      const { code, queries } = await openZone(zone, { whois: () => 'free' });
      return (await code('free')) === 'not_registered' && queries.length === 2;
    });
    expect(denied).toEqual(NAMED);
  });
});

describe('where only the list names servers', () => {
  const withControl = (says: Says) => async (zone: string) => {
    const { lookUp } = await openZone(zone, {
      whois: (name) => (name === controlOf(zone) ? says : 'free'),
    });
    return errorOf(lookUp(`free.${zone}`));
  };

  it.each(['held', 'reserved'] as const)('a name is free if the control is %s', async (says) => {
    const free = await zonesWhere(
      LISTED,
      async (zone) => (await withControl(says)(zone)).code === 'not_registered',
    );
    expect(free).toEqual(LISTED);
  });

  it('nothing is known for a day if the control is denied', async () => {
    const unknown = await zonesWhere(LISTED, async (zone) => {
      const { code, details, retryAfterSeconds } = await withControl('free')(zone);
      expect(details).toMatchObject({ control: { name: controlOf(zone), outcome: 'not_registered' } });
      return code === 'registry_unavailable' && retryAfterSeconds === 86_400;
    });
    expect(unknown).toEqual(LISTED);
  });

  it('a control that is throttled is a limit, with its own wait', async () => {
    const limited = await zonesWhere(LISTED, async (zone) => {
      const { code, details, retryAfterSeconds } = await withControl('throttled')(zone);
      expect(details).toMatchObject({ limitedBy: 'registry' });
      return code === 'registry_rate_limited' && retryAfterSeconds === 40;
    });
    expect(limited).toEqual(LISTED);
  });

  it('any name of the registry proves the denials of the others, also its own earlier registration', async () => {
    const held = new Set<string>();
    const dropped = await zonesWhere(LISTED, async (zone) => {
      const { code, lookUp } = await openZone(zone, { whois: (name) => (held.has(name) ? 'held' : 'free') });
      held.add(`once.${zone}`);
      await lookUp(`once.${zone}`);
      held.clear();
      return (await code('other')) === 'not_registered' && (await code('once')) === 'not_registered';
    });
    expect(dropped).toEqual(LISTED);
  });
});

it.each([
  ['the free one first', ['free.uk.com', 'held.uk.com']],
  ['the free one last', ['held.uk.com', 'free.uk.com']],
])('a list proves its denials by its own names, %s', async (_, names) => {
  const queries: string[] = [];
  const server = await startWhoisServer((name, socket) => {
    queries.push(name);
    socket.end(WHOIS_TEXTS[name === 'held.uk.com' ? 'held' : 'free'](name));
  });
  onTestFinished(server.close);
  const client = createLookUpClient({
    hostMap: { 'whois.centralnic.com': `127.0.0.1:${server.port}` },
    allowedCidrs: ['127.0.0.1/32'],
    protocols: 'whois',
    concurrentPerRegistry: 1,
  });
  onTestFinished(client.close);
  await readAll(client.lookUpMany(['alone.za.com']));
  expect(queries).toEqual(['alone.za.com', 'nic.za.com']);
  const outcomes = await readAll(client.lookUpMany(['free.za.com', ...names]));
  const states = outcomes.map(({ name, data, error }) => [name, data?.state ?? error?.code]);
  expect(Object.fromEntries(states)).toEqual({
    'free.za.com': 'registry_unavailable',
    'free.uk.com': 'not_registered',
    'held.uk.com': 'registered',
  });
});

it("no name is free by the list alone while the operator's bootstrap, which may name a server, is missing", async () => {
  const says = holding(controlOf('bd'));
  const openWith = (status: number) =>
    open({
      root: { bd: rootObject('bd', '') },
      whois: { [facts.get('bd')?.whois ?? '']: (name, socket) => socket.end(WHOIS_TEXTS[says(name)](name)) },
      fetch: () => Promise.resolve(Response.json(bundled, { status })),
      settings: { rdapBootstrap: { url: 'http://bootstrap.test/dns.json' } },
    });
  const codes = [500, 200].map(async (status) => codeOf((await openWith(status)).lookUp('free.bd')));
  expect(await Promise.all(codes)).toEqual(['registry_unavailable', 'not_registered']);
});

it('a registry is that of the table: a name two labels below it has the same control', async () => {
  const { lookUp } = await openZone('bd', { whois: holding(controlOf('bd')) });
  expect(await codeOf(lookUp('free.com.bd'))).toBe('not_registered');
});
