import type { Check } from '../check.ts';
import { INTERFACE_CHECKS } from './interfaces.ts';
import { openPointCheck } from './open-point.ts';
import { POINTS_OF_RANKINGS } from './points-of-rankings.ts';
import { POINTS_OF_REPLIES } from './points-of-replies.ts';
import { POINTS_OF_SEARCHES } from './points-of-searches.ts';
import { SITE_CLOCK } from './site-clock.ts';
import type { NovelSite } from './site.ts';

export const OPEN_POINTS = [...POINTS_OF_REPLIES, ...POINTS_OF_SEARCHES, ...POINTS_OF_RANKINGS];

/** Checks of the novel site. The first checks whether it responds at all. */
export const SITE_CHECKS: readonly Check<NovelSite>[] = [
  SITE_CLOCK,
  ...INTERFACE_CHECKS,
  ...OPEN_POINTS.map(openPointCheck),
];

/** Maximum number of requests, each a second apart. */
export const SITE_REQUESTS = 48;
