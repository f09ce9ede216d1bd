/**
 * Queries the live novel site about what neither its manuals nor recorded responses say, one request a second:
 * `NAROU_CONTACT=me@example.org npm run probe:upstream [-- BASE_URL]`. The points are the switches of
 * `npm run narou-server`; an answer that differs from its default is marked.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '@mokuroku/kit/process';
import { OPEN_POINTS } from './open-points.ts';
import { openProbedSite } from './probed-site.ts';

type ProbeOptions = Parameters<typeof openProbedSite>[0] & { readonly print: (line: string) => void };

/** Prints a line for every point; resolves to the reason why some were not asked, if any. */
export async function probeUpstream({ print, ...options }: ProbeOptions): Promise<string | undefined> {
  const site = openProbedSite(options);
  for (const { name, about, assumed, probe } of OPEN_POINTS) {
    const answer = await probe(site).catch(() => undefined);
    const isAsAssumed = [answer, assumed].includes(undefined) || answer === assumed;
    const mark = isAsAssumed ? '' : ` (the stand-in assumes ${assumed})`;
    print(`${name}: ${answer ?? 'no answer'}${mark} -- ${about}`);
    if (site.stopped() !== undefined) break;
  }
  print(`${site.sentCount()} requests${site.stopped() === undefined ? '' : `, then ${site.stopped()}`}`);
  return site.stopped();
}

if (process.argv[1] === import.meta.filename) {
  const contact = process.env['NAROU_CONTACT'];
  if (!contact) {
    console.error('Set NAROU_CONTACT to an address where you can be reached: it is sent to the site.');
    process.exit(2);
  }
  const stopped = await probeUpstream({
    baseUrl: process.argv[2] ?? 'https://api.syosetu.com',
    userAgent: `mokuroku-probe (${contact})`,
    clock: systemClock,
    pause,
    print: console.log,
  });
  if (stopped !== undefined) process.exitCode = 1;
}
