import { describe, expect, it } from 'vitest';
import { ServerFault } from '../net/server-fault.ts';
import type { ServerAnswer } from './query-server.ts';
import { NOTHING_STATED } from '../record/registration-record.ts';
import type { RegistrationState } from '../record/registration-record.ts';
import { conclude, inconclusive as errorWithoutAnswer, noRegistryService } from './result.ts';

const NAME = { spelling: 'example.test', name: 'example.test', tld: 'test', zone: 'test' };

function answerOf(state: RegistrationState, more: Partial<ServerAnswer> = {}): ServerAnswer {
  return {
    service: { protocol: 'whois', source: 'root', endpoint: { host: 'whois.nic.test', port: 43 } },
    isOwn: true,
    server: 'whois.nic.test',
    raw: state,
    state,
    retryAfterSeconds: null,
    reading: { parsed: NOTHING_STATED, incomplete: [], registrarWhoisServer: null },
    registrar: null,
    isTruncated: false,
    ...more,
  };
}

const refused = answerOf('refused');
const broken = answerOf('broken', { server: 'whois.second.test' });
const WEBSITE = 'https://nic.example/';

describe('the answer of a registry', () => {
  it.each([
    [null, 60],
    [7, 7],
  ])('about slowing down (%j s) is passed on: %i s', (stated, expected) => {
    const answer = answerOf('throttled', { retryAfterSeconds: stated });
    expect(() => conclude(NAME, answer, [])).toThrow(
      expect.objectContaining({
        code: 'registry_rate_limited',
        retryAfterSeconds: expected,
        details: { whoisServer: 'whois.nic.test', hops: [], limitedBy: 'registry' },
      }),
    );
  });
});

describe('a name', () => {
  it('that the registry calls invalid is a parameter fault, with as much of its text as fits', () => {
    const text = 'x'.repeat(65_536);
    for (const raw of [text, `${text}y`]) {
      expect(() => conclude(NAME, answerOf('invalid', { raw }), [])).toThrow(
        expect.objectContaining({
          code: 'invalid_domain',
          details: [
            {
              parameter: 'domain',
              given: 'example.test',
              reason: 'whois.nic.test calls it invalid',
              whoisServer: 'whois.nic.test',
              protocol: 'whois',
              raw: text,
            },
          ],
        }),
      );
    }
  });
});

describe('if no service of a registry returns a usable answer', () => {
  const inconclusive = (attempts: (ServerAnswer | ServerFault)[], hops: [], website: string | undefined) => {
    const faults = attempts.filter((attempt) => attempt instanceof ServerFault);
    const answers = attempts.filter((attempt): attempt is ServerAnswer => 'state' in attempt);
    return errorWithoutAnswer(answers, faults, hops, website);
  };

  it.each([
    [
      'a server that is busy counts before all else',
      [new ServerFault('timeout'), waiting('busy', 9)],
      'registry_rate_limited',
      9,
    ],
    ['one that does not say for how long, too', [refused, waiting('busy')], 'registry_rate_limited', 1],
    ['a time-out counts before a refusal', [refused, new ServerFault('timeout')], 'registry_timeout', 10],
    ['all else is unavailable', [new ServerFault('unreachable'), broken], 'registry_unavailable', 10],
  ])('%s', (_which, attempts, code, retryAfterSeconds) => {
    expect(inconclusive(attempts, [], undefined)).toMatchObject({ code, retryAfterSeconds });
  });

  it("our own limit is not reported as the registry's", () => {
    const reported = (reason: 'busy' | 'paused') => {
      const { message, details } = inconclusive([new ServerFault(reason)], [], undefined);
      return [/throttles our queries/.test(message), details];
    };
    expect(reported('paused')).toEqual([true, { hops: [], limitedBy: 'registry' }]);
    expect(reported('busy')).toEqual([false, { hops: [], limitedBy: 'service' }]);
  });

  it('Retry-After is ten seconds, or the end of the last pause', () => {
    const after = (...seconds: (number | undefined)[]) =>
      inconclusive(
        seconds.map((each) => waiting('unreachable', each)),
        [],
        undefined,
      ).retryAfterSeconds;
    expect([after(undefined), after(3), after(30, 20), after(20, 30)]).toEqual([10, 10, 30, 30]);
  });

  it('the cause is the timeout, otherwise the last fault', () => {
    const [first, timeout, last] = [
      new ServerFault('unreachable'),
      new ServerFault('timeout'),
      new ServerFault('bad_answer'),
    ];
    expect(inconclusive([first, timeout, last], [], undefined).cause).toBe(timeout);
    expect(inconclusive([first, last], [], undefined).cause).toBe(last);
    expect(inconclusive([first], [], undefined).cause).toBe(first);
  });

  it('a refusal is shown before an unreadable answer, with the web page if there is one', () => {
    const error = inconclusive([refused, broken], [], WEBSITE);
    expect(error.message).toBe(`The registry refuses our queries. Its web page: ${WEBSITE}`);
    expect(error.details).toEqual({
      hops: [],
      whoisServer: 'whois.nic.test',
      protocol: 'whois',
      raw: 'refused',
      registryWebsite: WEBSITE,
    });
    const without = inconclusive([refused], [], undefined);
    expect(without.message).toBe('The registry refuses our queries.');
    expect(without.details).toMatchObject({ registryWebsite: null });
  });

  it('the answer is called unreadable only if all services have responded', () => {
    const unreadable = 'The registry sent an unreadable answer.';
    const error = inconclusive([broken], [], WEBSITE);
    expect(error.message).toBe(unreadable);
    expect(error.details).toEqual({
      hops: [],
      whoisServer: 'whois.second.test',
      protocol: 'whois',
      raw: 'broken',
    });
    expect(inconclusive([broken, new ServerFault('unreachable')], [], WEBSITE).message).not.toBe(unreadable);
    expect(inconclusive([new ServerFault('unreachable')], [], WEBSITE).details).toEqual({ hops: [] });
  });
});

it('a registry without any service is reported with its web page, or null', () => {
  expect(noRegistryService('test', WEBSITE, [], 'both').message).toContain(WEBSITE);
  expect(noRegistryService('test', undefined, [], 'both').details).toEqual({
    zone: 'test',
    registryWebsite: null,
    hops: [],
  });
});

function waiting(reason: 'busy' | 'unreachable', retryAfterSeconds?: number): ServerFault {
  return new ServerFault(reason, retryAfterSeconds === undefined ? {} : { retryAfterSeconds });
}
