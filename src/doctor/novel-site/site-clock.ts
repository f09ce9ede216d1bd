import { warning, fillPhrase } from '../check.ts';
import type { Check } from '../check.ts';
import { compareClocks } from '../compare-clocks.ts';
import { requestsJson } from './open-point.ts';
import type { NovelSite } from './site.ts';

export const SITE_CLOCK: Check<NovelSite> = {
  id: 'clock',
  group: 'novel-site',
  needs: ['network'],
  title: fillPhrase('The clock of this machine'),
  run: async (site) => {
    const reply = await site.request(requestsJson('/novelapi/api/', 'of=n&lim=20'));
    if (reply.date === undefined) return warning(fillPhrase('the reply has no date to compare with'));
    return compareClocks(reply.date, reply.readAt);
  },
};
