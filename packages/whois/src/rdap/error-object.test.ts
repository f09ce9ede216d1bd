import { describe, expect, it } from 'vitest';
import { listOf } from '../../../../test/list-of.ts';
import { hasThreadTime, threadTime } from '../../test/thread-time.ts';
import { read as readRdap } from '../../test/rdap-record.ts';

const read = (body: unknown, { isAuthoritative = true, status = 404 } = {}) =>
  readRdap(body, { status, isAuthoritative }, { name: 'free.example' }).state;
const error = (title: string, ...description: string[]) => ({
  rdapConformance: ['rdap_level_0'],
  errorCode: 404,
  title,
  description,
});

describe('an RDAP answer 404', () => {
  it.each([
    [error('Not Found', 'free.example is not in this registry.')],
    [error('Object not found')],
    [error('Domain not found', 'The domain you asked for does not exist')],
    [{ errorCode: 404 }],
    [{ errorCode: '404', title: 'Object not found' }],
    [{ errorCode: 404, message: 'Domain not found' }],
    [{ errorCode: 404, error: 'Not Found', path: '/domain/free.example', timestamp: '2026-11-30T07:00:00Z' }],
    [{ errorCode: 404, title: 7, description: 'one line', notices: [] }],
    // The status of the answer is the code.
    [{}],
    [{ title: 'Not Found' }],
    [{ errorCode: null, description: ['free.example is not registered'] }],
    [{ rdapConformance: ['rdap_level_0'], lang: 'en', notices: [{ title: 'Terms of Use' }], sample_tip: 7 }],
  ])('is a denial as the error object of RFC 9083: %j', (body) => {
    expect(read(body)).toBe('not_registered');
  });

  it.each([
    ['free.example is blocked by GlobalBlock.', 'reserved'],
    ['The domain name is blocked.', 'reserved'],
    ['This name is reserved by the registry.', 'reserved'],
    ['Too many requests', 'throttled'],
    // Terms of use mention everything else.
    ['Service unavailable, try again later. Access to the zone is denied.', 'not_registered'],
    ['The domain is invalid.', 'not_registered'],
    ['The registry reserves the right to restrict or block your access.', 'not_registered'],
    ['Reserved', 'broken'],
    ['Reserved name', 'reserved'],
    ['Blocked.', 'broken'],
    ['Reserved for the municipality', 'reserved'],
    // One that is too long to be read may state a reservation.
    ['x'.repeat(4_000), 'not_registered'],
    ['x'.repeat(4_001), 'broken'],
  ])(
    'may state a reservation or throttling in its notices or remarks, and nothing else: %s',
    (text, state) => {
      for (const inner of [
        { notices: [{ title: 'Status', description: [text] }] },
        { remarks: [{ title: text }] },
        { remarks: [text] },
        { notices: text },
        { nic_state: { reason: text } },
        { notices: [[{ description: { text } }]] },
      ])
        expect(read({ ...error('Not Found'), ...inner })).toBe(state);
    },
  );

  it('is a denial without a body too', () => {
    expect(read('')).toBe('not_registered');
    expect(read('\r\n')).toBe('not_registered');
  });

  it.each([
    ['404 page not found'],
    ['{"errorCode":404,"title":"Rate limit exceeded","title":"Not Found"}'],
    ['{"errorCode":404,"ti\\u0074le":"Rate limit exceeded","title":"Not Found"}'],
    ['{"errorCode":500,"errorCode":404}'],
    ['{"title":"Not Found","title":"Not Found","title":""}'],
    ['default backend - 404'],
    ['<html><title>404 Not Found</title></html>'],
    ['No RDAP service is available'],
    ['null'],
    ['404'],
    ['[]'],
    [{ message: 'no Route matched with those values' }],
    [{ error: 'not found' }],
    [{ status: 404, error: 'Not Found', path: '/domain/free.example' }],
    [{ code: 404, message: 'Domain not found' }],
    [{ errorCode: 400, title: 'Bad request' }],
    [{ errorCode: 'none', title: 'Not Found' }],
    [{ ErrorCode: 400 }],
    [{ ...error('Not Found'), Description: ['This name is reserved by the registry.'] }],
    [{ ...error('Not Found'), NOTICES: [{ title: 'Reserved' }] }],
    [{ title: 'Not Found', description: ['The service is temporarily down'] }],
    [{ lang: 'en', objectClassName: 'domain' }],
    [{ errorCode: 4_040_010 }],
    [{ ...error('Not Found'), description: 'The service is temporarily down' }],
    [{ ...error('Not Found'), description: [['The service is down']] }],
    [{ ...error('Not Found'), description: [{ text: 'The service is down' }] }],
    [{ ...error('Not Found'), description: [[[[['The service is down']]]]] }],
    [{ errorCode: 404, title: ['Not Found', 'The service is down'] }],
    [{ ...error('Not Found'), objectClassName: 'domain', ldhName: 'free.example' }],
    [{ errorCode: 404, ldhName: 'free.example', nameservers: [{ ldhName: 'ns1.example' }] }],
    [
      {
        errorCode: 404,
        ldhName: 'other.example',
        events: [{ eventAction: 'registration', eventDate: '2001-02-03' }],
      },
    ],
    [{ errorCode: 404, status: ['client hold'] }],
    [{ errorCode: 404, status: ['reserved'] }],
    [{ errorCode: 404, message: 'The service is temporarily down' }],
    [{ errorCode: 404, upstream: { status: 503 } }],
    [{ errorCode: 404, httpCode: 503 }],
    [{ errorCode: 404, title: 'Not Found', description: [503] }],
    [{ errorCode: 404, title: 'Error', details: { reason: 'Database connection lost' } }],
    [{ type: 'about:blank', title: 'Not Found', status: 404, detail: 'No domain free.example' }],
    [{ error: { errorCode: 404, title: 'Not Found' } }],
    [[{ errorCode: 404, title: 'Not Found' }]],
  ])('of any other form proves nothing: %j', (body) => {
    expect(read(body)).toBe('broken');
  });

  it.each([
    "Couldn't locate free.example",
    ...listOf(`
      not found in registry database | No record found in database | Unable to find domain free.example |
      No RDAP record exists for free.example | Object not found on this server |
      The domain could not be found. | free.example is not registered in this registry |
      The requested domain was not found in the Registry or Registrar’s RDAP Server. |
      No such domain exists. | The domain or its variants do not exist | It was not possible to find the domain | Domain not found. Processing time: 3 ms | No domain, nameserver or entity found | Domain not found in TLD .example |
      The resource you requested does not exist | Error 404 | Erreur 404 | 404 - Fehler | エラー404 |
      HTTP Status 404 | HTTP/1.1 404 | Not found, 10:15:30.500Z in 430.5-c503 | Code d’erreur : 404 | Ошибка 404 | Not found. Support code 555-0100, +431 5550 | Not found (450 ms; 1,500 of 71503, 50312) |
      The server has not found anything matching the request. | Unknown domain | Zarbl frobnicates
    `),
  ])('is a denial unless its text is about something else: %s', (text) => {
    expect([read(error('Not Found', text)), read(error(text))]).toEqual(Array(2).fill('not_registered'));
  });

  it('is a denial of a name that looks like a code, too', () => {
    const name = 'error-502.example';
    const answer = { status: 404, isAuthoritative: true };
    expect(readRdap(error('Not Found', `${name} not found`), answer, { name }).state).toBe('not_registered');
  });

  it('is a denial beside a figure that looks like a code, too', () => {
    expect(read({ ...error('Not Found'), took: 431, debug: { line: 512 } })).toBe('not_registered');
  });

  it.each(
    listOf(`
      The TLD example is not served here | Unknown zone | zone not supported | Unsupported TLD |
      not served here | This server does not know the zone .example | Invalid TLD |
      Invalid domain: this server is not authoritative for it | No registry found for free.example |
      No such domain in this registrar | The domain exists, see the registrar | Tenant not found |
      Authentication failed: user not found |
      The requested URL /rdap/domain/free.example was not found on this server. |
      No handler found for GET /domain/free.example | This service has moved to https://rdap.new.example/ |
      Nameserver not found | Entity not found | IP network not found |
      Your session is not valid | Malformed token | No object name given | Access denied
    `),
  )('or 400 about the zone or the request is a refusal: %s', (text) => {
    const texts = [error('Not Found', text), { errorCode: 400, title: 'Bad Request', description: [text] }];
    expect([read(texts[0]), read(texts[1], { status: 400 })]).toEqual(['refused', 'refused']);
  });

  it.each(
    listOf(`
      No RDAP service is available for this resource | The RDAP service is currently not available |
      Backend unavailable | Database connection not found | Database not found | Internal error |
      Registry under maintenance, please try again later | The service is temporarily down |
      other.example not found | The domain other.example is reserved | Auction pending | The domain is registered but its data are not public |
      Domain free.example is in redemption | Not available | Forbidden | Status: withheld |
      free.example may not be registered. | Rights to this list are reserved by the registry. | Premium |
      Object not cached | Not disclosed | Query limit | Held by the registry | The name is a variant |
      Error 502 | HTTP 503 | HTTP/1.1 500 | 502 Bad Gateway | Upstream status code: 500 | Fehler 502 | エラー502 | StatusCode=503 | StatusCode503 | Upstream returned 503 | Zarbl-502 | Erreur | Erreur interne 404 | エラー404: メンテナンス中 |
      错误 404: 系统维护 | Fehler 404: Wartung |
      Sunrise period | Name collision | Available: no | Der Name ist reserviert | 予約ドメイン名です
    `),
  )('or 400 about trouble or a name in transition is unreadable: %s', (text) => {
    const texts = [error('Not Found', text), { errorCode: 400, title: 'Bad Request', description: [text] }];
    expect([read(texts[0]), read(texts[1], { status: 400 })]).toEqual(['broken', 'broken']);
  });

  it('with more text than any error has proves nothing', () => {
    const long = error('Not Found', 'free.example was not found. '.repeat(8_000));
    expect(read(long)).toBe('broken');
    const terms = [{ description: ['domain '.repeat(35_000)] }];
    expect(read({ ...error('Not Found', ''), notices: terms })).toBe('broken');
    expect(read({ ...long, errorCode: 400, title: 'Bad Request' }, { status: 400 })).toBe('broken');
    expect(read(error('Not Found', ...Array<string>(2_000).fill('gone')))).toBe('broken');
    expect(read(error('Not Found', 'free.example was not found. '.repeat(100)))).toBe('not_registered');
  });

  it.runIf(hasThreadTime)(
    'with more notices than any error has proves nothing, and none of them is read',
    () => {
      const notices = (count: number) => [{ description: Array<string>(count).fill('name '.repeat(790)) }];
      const timeOf = (object: object, state: string) => {
        const before = threadTime();
        for (let count = 0; count < 5; count++) expect(read(object)).toBe(state);
        return threadTime() - before;
      };
      const few = timeOf({ ...error('Not Found', ''), notices: notices(8) }, 'not_registered');
      expect(timeOf({ ...error('Not Found', ''), remarks: notices(64) }, 'broken')).toBeLessThan(few);
    },
  );

  it('is read however deep its description is nested', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    expect(read(`{"errorCode":404,"description":${deep}}`)).toBe('not_registered');
  });

  it('from another host than the queried one proves nothing', () => {
    expect(read(error('Not Found'), { isAuthoritative: false })).toBe('broken');
    expect(read('', { isAuthoritative: false })).toBe('broken');
  });

  it('is judged the same when it comes with a 200', () => {
    expect(read(error('Not Found'), { status: 200 })).toBe('not_registered');
    expect(read(error('Reserved by Registry'), { status: 200 })).toBe('reserved');
    expect(read(error('Not Found'), { status: 200, isAuthoritative: false })).toBe('broken');
  });

  it.each([
    ['Domain Name: held-back.example', 'This name is not available for registration:', 'Registry Reserved'],
    ['Reserved by Registry'],
    ['The domain is reserved'],
    ['It cannot be registered.'],
    ['Protected by the registry'],
    ['Restricted'],
  ])('for a reserved name is no denial: %j', (...description) => {
    expect(read(error('Not Found', ...description))).toBe('reserved');
    expect(read({ errorCode: 404, message: description })).toBe('reserved');
  });
});
