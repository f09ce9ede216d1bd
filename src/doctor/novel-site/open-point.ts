import { UNKNOWN_SWITCHES } from '../../catalogue/narou-server/switches.ts';
import type { DoctorPhrase } from '../phrases.ts';
import { broken, ok, warning } from '../check.ts';
import type { Finding, Row } from '../check.ts';
import type { NovelSite } from './site.ts';
import type { SiteReply } from './site-reply.ts';

/** A point that neither a manual nor a recorded response of the novel site answers. */
export interface OpenPoint {
  readonly id: string;
  /** The corresponding switch of our own upstream server. */
  readonly switch?: keyof typeof UNKNOWN_SWITCHES;
  readonly question: DoctorPhrase;
  /** Sends the requests and classifies the answer. */
  readonly probe: (site: NovelSite) => Promise<string>;
  /** The embedded sample's answer, at an instant. Missing: the default of the switch, if any. */
  readonly assumed?: string | ((now: number) => string);
  /** The answers with which the service's responses are correct. Missing: any. */
  readonly expected?: readonly string[] | ((now: number) => readonly string[]);
  /** The consequence of any other answer. */
  readonly consequence?: DoctorPhrase;
}

/** The site's present data do not answer the point. */
export const NOT_SEEN = 'not seen';

/** Sends requests one after the other, and reads the answer from their replies. */
export const read =
  <Targets extends readonly string[]>(
    targets: readonly [...Targets],
    answer: (...replies: { [Index in keyof Targets]: SiteReply }) => string,
  ): OpenPoint['probe'] =>
  async (site) => {
    const replies: SiteReply[] = [];
    for (const target of targets) replies.push(await site.request(target));
    return answer(...(replies as { [Index in keyof Targets]: SiteReply }));
  };

function assumedAnswer({ assumed, switch: name }: OpenPoint, now: number): string | null {
  if (assumed !== undefined) return typeof assumed === 'string' ? assumed : assumed(now);
  return name === undefined ? null : String(UNKNOWN_SWITCHES[name].default);
}

function judgeAnswer(point: OpenPoint, answer: string, now: number): Finding {
  const assumed = assumedAnswer(point, now);
  const expected = (typeof point.expected === 'function' ? point.expected(now) : point.expected) ?? null;
  const facts = { point: { answer, assumed, expected }, isUnanswered: answer === NOT_SEEN };
  if (answer === NOT_SEEN) return { ...facts, ...ok('cannot be determined today') };
  if (expected && !expected.includes(answer)) {
    const values = { answer, expected: expected.join(' / ') };
    const advice = point.consequence ?? 'Report it: responses may be wrong.';
    return { ...facts, ...broken('{answer}; the client expects {expected}', values, advice) };
  }
  if (assumed === null || answer === assumed) return { ...facts, ...ok('{text}', { text: answer }) };
  const advice = 'The client reads both. Report it, so that the sample can be adapted.';
  return { ...facts, ...warning('{answer}; the sample assumes {assumed}', { answer, assumed }, advice) };
}

export const openPointCheck = (point: OpenPoint): Row<NovelSite> => ({
  id: point.id,
  title: point.question,
  run: async (site) => judgeAnswer(point, await point.probe(site), site.clock.now()),
});
