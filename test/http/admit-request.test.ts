import { afterEach, describe, expect, it } from 'vitest';
import { codeOf, pendingLoads } from './raw-connection.ts';
import { endThings, startThings } from './things-service.ts';
import { estimateRequestBytes } from '../../packages/kit/src/http/admit-request.ts';

afterEach(endThings);

describe('simultaneous work', () => {
  it('beyond the maximum is rejected, whatever the networks, until earlier work is complete', async () => {
    const { load, names, release, releaseAll } = pendingLoads();
    const { get } = await startThings(load, { maxRequests: 2, trustedProxies: ['127.0.0.1'] });
    const request = (host: number) => get(`/things/${host}`, { 'x-forwarded-for': `198.51.${host}.1` });
    const admitted = [request(1), request(2)];
    await expect.poll(() => names).toHaveLength(2);
    const { status, text, headers } = await request(3);
    expect([status, codeOf(text), headers['retry-after']]).toEqual([503, 'overloaded', '1']);
    expect((await get('/livez')).status).toBe(200);
    releaseAll();
    expect((await Promise.all(admitted)).map((each) => each.status)).toEqual([200, 200]);
    const later = request(3);
    await expect.poll(() => names).toHaveLength(3);
    release();
    expect((await later).status).toBe(200);
  });

  it('of one network, however many clients it has, leaves half to all others; networks take turns', async () => {
    const { load, names, releaseAll } = pendingLoads();
    const { get } = await startThings(load, { maxRequests: 40, trustedProxies: ['127.0.0.1'] });
    const query = (name: string, from: string) => get(`/things/${name}`, { 'x-forwarded-for': from });
    const many = Array.from({ length: 30 }, (_, index) => query(`many-${index}`, `2001:db8:1:${index}::1`));
    const refused = await Promise.race(many);
    expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    const other = query('other', '198.51.100.1');
    await expect.poll(() => names).toContain('other');
    await expect.poll(() => names).toHaveLength(21);
    releaseAll();
    expect((await other).status).toBe(200);
    const statuses = (await Promise.all(many)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
  });

  it('needs memory for its headers twice, as text and as fields', () => {
    expect(estimateRequestBytes({ rawHeaders: ['Host', 'a.example'] })).toBe(
      4_096 + 2 * 'Hosta.example'.length,
    );
  });
});
