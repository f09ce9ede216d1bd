import type { SwitchName } from '../../catalogue/narou-server/switches.ts';
import type { DoctorPhrase } from '../phrases.ts';
import { broken, fillPhrase, warning, ok } from '../check.ts';
import type { Check, Finding } from '../check.ts';
import type { NovelSite, SiteReply } from './site.ts';

/** A point that neither a manual nor a recorded response of the novel site answers. */
export interface OpenPoint {
  readonly id: string;
  /** The corresponding switch of our own upstream server. */
  readonly switch?: SwitchName;
  readonly question: DoctorPhrase;
  /** Sends the requests and classifies the answer. */
  readonly probe: (site: NovelSite) => Promise<string>;
  /** The embedded sample's answer, at an instant; null if it has none. */
  readonly assumed: string | null | ((now: number) => string);
  /** The answers with which the service's responses are correct. Missing: any. */
  readonly expected?: readonly string[] | ((now: number) => readonly string[]);
  /** The consequence of any other answer. */
  readonly consequence?: DoctorPhrase;
}

/** The site's present data do not answer the point. */
export const NOT_SEEN = 'not seen';

export const requestsJson = (path: string, query: string): string => `${path}?out=json&gzip=5&${query}`;

/** The records of a reply, without the leading count; undefined if it is no list. */
export function recordsOf({ json }: SiteReply): Record<string, unknown>[] | undefined {
  if (!Array.isArray(json)) return undefined;
  const rows = json as (Record<string, unknown> | null)[];
  const records = rows.filter((row) => row !== null && typeof row === 'object');
  return records.filter((row) => !('allcount' in row));
}

export const readCount = ({ json }: SiteReply): number | undefined => {
  const [first] = Array.isArray(json) ? (json as ({ allcount?: unknown } | null)[]) : [];
  return typeof first?.allcount === 'number' ? first.allcount : undefined;
};

export const ncodesOf = (reply: SiteReply): string[] =>
  (recordsOf(reply) ?? []).map(({ ncode }) => String(ncode).toUpperCase());

/** The kind of a reply that is no list: `error`, or something unknown. */
export const notAList = ({ errorText, status }: SiteReply): string =>
  errorText === undefined ? `other (${status})` : 'error';

/** `error`, `empty` or `rows`. */
export function replyKind(reply: SiteReply): string {
  const records = recordsOf(reply);
  if (records === undefined) return notAList(reply);
  return records.length === 0 ? 'empty' : 'rows';
}

const judgeAnswer = (point: OpenPoint, answer: string, now: number): Finding => {
  const assumed = typeof point.assumed === 'function' ? point.assumed(now) : point.assumed;
  const expected = (typeof point.expected === 'function' ? point.expected(now) : point.expected) ?? null;
  const facts = { point: { answer, assumed, expected }, isUnanswered: answer === NOT_SEEN };
  if (answer === NOT_SEEN) return { ...facts, ...ok(fillPhrase('cannot be determined today')) };
  if (expected && !expected.includes(answer)) {
    const values = { answer, expected: expected.join(' / ') };
    const advice = fillPhrase(point.consequence ?? 'Report it: responses may be wrong.');
    return { ...facts, ...broken(fillPhrase('{answer}; the client expects {expected}', values), advice) };
  }
  if (assumed === null || answer === assumed)
    return { ...facts, ...ok(fillPhrase('{text}', { text: answer })) };
  const message = fillPhrase('{answer}; the sample assumes {assumed}', { answer, assumed });
  const advice = fillPhrase('The client reads both. Report it, so that the sample can be adapted.');
  return { ...facts, ...warning(message, advice) };
};

export const openPointCheck = (point: OpenPoint): Check<NovelSite> => ({
  id: point.id,
  group: 'open-points',
  title: fillPhrase(point.question),
  needs: ['network'],
  run: async (site) => judgeAnswer(point, await point.probe(site), site.clock.now()),
});
