import { checksOf } from '../check.ts';
import type { Check, Row } from '../check.ts';
import { compareClocks } from '../compare-clocks.ts';
import { INTERFACE_CHECKS } from './interfaces.ts';
import { openPointCheck } from './open-point.ts';
import { POINTS_OF_RANKINGS } from './points-of-rankings.ts';
import { POINTS_OF_REPLIES } from './points-of-replies.ts';
import { POINTS_OF_SEARCHES } from './points-of-searches.ts';
import { requestsJson } from './site.ts';
import type { NovelSite } from './site.ts';

export const OPEN_POINTS = [...POINTS_OF_REPLIES, ...POINTS_OF_SEARCHES, ...POINTS_OF_RANKINGS];

const CLOCK: Row<NovelSite> = {
  id: 'clock',
  title: 'The clock of this machine',
  run: async (site) => {
    const { date, readAt } = await site.request(requestsJson('/novelapi/api/', 'of=n&lim=20'));
    return compareClocks(date, readAt);
  },
};

/** Checks of the novel site. The first checks whether it responds at all. */
export const SITE_CHECKS: readonly Check<NovelSite>[] = [
  ...checksOf({ group: 'novel-site', needs: ['network'] }, [CLOCK, ...INTERFACE_CHECKS]),
  ...checksOf({ group: 'open-points', needs: ['network'] }, OPEN_POINTS.map(openPointCheck)),
];

/** Maximum number of requests, each a second apart. */
export const SITE_REQUESTS = 48;
