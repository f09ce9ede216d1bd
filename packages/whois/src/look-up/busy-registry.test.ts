import { afterEach, describe, expect, it } from 'vitest';
import { record } from '../../test/loopback-world.ts';
import { NIC, closeWorld } from '../../test/opened-world.ts';
import { openRdap, recordOf } from '../../test/rdap-world.ts';

afterEach(closeWorld);

/** A registry with both services, whose WHOIS server says this. */
const registryWith = (text: string) =>
  openRdap((request, response) => response.end(recordOf(request)), {
    root: { test: { refer: NIC } },
    whois: { [NIC]: text },
  });

describe('a registry that throttles our queries', () => {
  it('is not queried by its other service, neither at once nor during the pause', async () => {
    const { lookUp, requests } = await registryWith('You have exceeded your quota of queries.\r\n');
    for (const name of ['a.test', 'b.test']) {
      await expect(lookUp(name)).rejects.toMatchObject({ code: 'registry_rate_limited' });
    }
    expect(requests).toEqual([]);
  });

  it('differs from one with an unreadable answer: that is queried by its other service', async () => {
    const { lookUp, requests } = await registryWith('<html>Maintenance</html>');
    expect(await lookUp('a.test')).toMatchObject({ protocol: 'rdap', state: 'registered' });
    expect(requests).toHaveLength(1);
  });

  it('differs from one that responds: that is queried by one service only', async () => {
    const { lookUp, requests } = await registryWith(record('a.test'));
    expect(await lookUp('a.test')).toMatchObject({ protocol: 'whois' });
    expect(requests).toEqual([]);
  });
});
