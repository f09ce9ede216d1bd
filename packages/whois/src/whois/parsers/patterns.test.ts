import { describe, expect, test } from 'vitest';
import { listOf } from '../../../../../test/list-of.ts';
import { TROUBLE_LABEL, guessState, isOfTerms, isTrouble } from './patterns.ts';
import type { GuessedState } from './patterns.ts';

const GUESSES: Record<GuessedState, string[]> = {
  throttled: listOf(`
    too many requests | asked too much | too fast | too frequent queries | too frequently | too often |
    too quickly | limit exceeded | limit has been reached | you exceeded the limit |
    you reached your daily quota | exceeded the maximum allowed number of queries |
    exceeding your number of queries | number of allowed queries exceeded |
    the number of queries per day has been exceeded | maximum number of requests per second exceeded |
    query rate exceeded | blocked for exceeding | the query quota for {n} has been exceeded |
    maximum queries per hour reached | only {n} request per second allowed | server too busy |
    please wait a while | please go away | in grace period | quota exceeded | quota has been exceeded |
    you exceeded your quota | rate limit reached | rate limited exceeded | excessive queries |
    excessive requests | excessive use | please slow down | you have been throttled |
    temporarily blocked | temporarily banned | your ip is blocked | ip address has been banned |
    ip blacklisted | you are blacklisted | connection rate | request denied
  `),
  refused: listOf(`
    can t process your request | cannot process your query | tld is not supported | tld not supported |
    unsupported tld | you are not authorized to ask | client is not authorised to ask |
    are not allowed to ask | not permitted | access denied | permission denied | unauthorized |
    unauthorised | does not have any records for that zone | no whois server |
    not supported by this server | service is not available for {zone} | does not have any data for {zone}
  `),
  invalid: listOf(`
    invalid domain | malformed name | illegal object | incorrect request | bad pattern | wrong input |
    invalid string | invalid character | invalid characters | invalid idn | invalid label |
    domain not valid | the name is invalid | query {name} is not valid | not a valid domain |
    not a valid name | contains characters not allowed | contains special characters not allowed |
    syntax error
  `),
  reserved: listOf(`
    this name is reserved | the domain is restricted | {name} is prohibited |
    the string is blocked by umi | {name} is protected by umi | domain cannot be registered |
    domain can not be registered | name not available for registration | domain could not be registered |
    domain unassignable | reserved domain | restricted name | prohibited string | reserved by umi |
    registry reserved name | cannot be registered | it can not be registered | protected by umi |
    a premium name
  `),
};

describe.each(Object.entries(GUESSES))('%s is guessed', (state, lines) => {
  test.each(lines)('from %j', (line) => {
    expect(guessState(line)).toBe(state);
  });

  test.each(['if', 'may', 'might', 'will', 'whether', 'unless', 'shall', 'should', 'agree', 'in case'])(
    'from no line with a condition before it: %s',
    (condition) => {
      for (const line of lines) expect(guessState(`${condition} the ${line}`)).toBeUndefined();
    },
  );
});

describe('no state is guessed', () => {
  test.each(
    listOf(`
      nothing at all | toomany requests | too many hyphens | too many dots | limited |
      the limits exceeded it | the server is slow downtown | domain status client transfer prohibited |
      the domain is protected by law | {name} is protected by the registry lock | data are reserved |
      we may block you: too many requests | terms of use: not permitted |
      in order to stop too many requests | it must not be used if a limit exceeded |
      all rights reserved domain | invalid colour | a valid domain |
      we do it and it does not imply reserved domain | who reserves the right for reserved domain
    `),
  )('from %j', (line) => expect(guessState(line)).toBeUndefined());

  test('a condition after the words changes nothing', () => {
    expect(guessState('too many requests if you ask me')).toBe('throttled');
  });
});

describe('a line reports trouble', () => {
  test.each(
    listOf(`
      error | errors | it fails | failed | failure | fatal | down | busy | timeout | time outs | timed out |
      unavailable | maintenance | unable to | refused | denied | exception | offline | overload |
      overloaded | broken | unreachable | abort | aborted | rejected | corrupt | corrupted | incomplete |
      truncated | partial | stale | retry | later | temporary | temporarily | internal | warning | invalid |
      exceeded | blocked | banned | cannot | can t | could not | lost | reset | closed | interrupted |
      expired | reserved | restricted | taken | already | not available | not free | moved | not valid |
      malformed | bad | wrong | illegal | incorrect | ungültiger | unknown | authenticate |
      rebuilt | migrated | for sale | back order | waiting list | rezervirano | chráněná | foglalt | frátekið | 预留 |
      שמור | δεσμευμένο | สงวน | được bảo vệ | restricted by umi
    `),
  )('%j', (line) => {
    expect(isTrouble(line)).toBe(true);
    if (!/ umi$/.test(line)) expect(isTrouble(`the ${line} here`)).toBe(true);
  });

  test.each([
    '',
    ...listOf(`
      all is well | terrors | downtown | all rights reserved | right restricted | restricted by copyright |
      restricted rights | available | free | latest | badly | minden jog fenntartva | สงวนลิขสิทธิ์ |
      כל הזכויות שמורות | toate drepturile rezervate
    `),
  ])('not %j', (line) => {
    expect(isTrouble(line)).toBe(false);
  });
});

test('a label reports an error with any value', () => {
  const labels = ['Error', 'error code', '%ERROR', 'Reason', 'message ', 'Result', 'RECORDS', '[Warning]'];
  const others = ['Messages', 'The message', 'Result of search', 'Record expires', ''];
  expect([...labels, ...others].filter((label) => TROUBLE_LABEL.test(label))).toEqual(labels);
});

describe('a line is one of terms of use', () => {
  test.each(['it may fail', 'if it is down', 'no liability', 'is not guaranteed', 'for such purposes'])(
    '%j',
    (line) => expect(isOfTerms(line)).toBe(true),
  );

  test.each(['it is down', 'the database was mayor', 'iffy', 'restricted rights'])('not %j', (line) => {
    expect(isOfTerms(line)).toBe(false);
  });
});
