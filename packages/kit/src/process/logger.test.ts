import { describe, expect, it } from 'vitest';
import { createLineBlock, createLogger } from './logger.ts';
import { readableLog } from './readable-log.ts';

const BLOCK = 65_536;
const lineOf = (length: number, letter = 'x') => `${letter.repeat(length - 1)}\n`;

function blockUnderTest() {
  const written: string[] = [];
  return { written, ...createLineBlock((text) => written.push(text)) };
}

describe('buffered lines of the log', () => {
  it('are flushed as one text, and not at all if there are none', () => {
    const { append, flush, written } = blockUnderTest();
    flush();
    append('one\n');
    append('two\n');
    expect(written).toEqual([]);
    flush();
    flush();
    expect(written).toEqual(['one\ntwo\n']);
  });

  it('are buffered up to exactly 64 kB', () => {
    const { append, flush, written } = blockUnderTest();
    append(lineOf(BLOCK - 10, 'a'));
    append(lineOf(10, 'b'));
    expect(written).toEqual([]);
    append('c\n');
    expect(written).toEqual([lineOf(BLOCK - 10, 'a') + lineOf(10, 'b')]);
    flush();
    expect(written[1]).toBe('c\n');
  });
});

it('a line after the log is closed is lost, and no failure', async () => {
  const log = createLogger('things', 'info', 'json');
  await log.close();
  expect(() => log.logger.info('late')).not.toThrow();
});

const access =
  '{"level":30,"time":1767225600000,"service":"catalogue","id":"a-1","method":"GET","url":"/v1/novels?lim=1","status":200,"ms":0.412,"bytes":900,"cache":"hit","client":"192.0.2.0"}\n';

describe('a line on a terminal', () => {
  it('of a request is one line: time, service, request and result', () => {
    expect(readableLog(access)).toMatch(
      /^\d\d:\d\d:\d\d catalogue GET \/v1\/novels\?lim=1 200 hit 0\.4 ms\n$/,
    );
    expect(readableLog(access + access).split('\n')).toHaveLength(3);
  });

  it('of a message has its level, its fields and the stack of an error', () => {
    const lines: string[] = [];
    const { logger } = createLogger('catalogue', 'info', { write: (line) => lines.push(line) });
    logger.warn({ code: 'upstream_timeout', times: 3 }, 'the upstream fails');
    logger.error({ err: new Error('broken') }, 'internal');
    logger.info({ id: 'a-1', client: '192.0.2.0' }, 'ready');
    const [warning = '', fault = '', plain = ''] = lines.map(readableLog);
    expect(warning).toMatch(/^\S+ catalogue WARN the upstream fails code=upstream_timeout times=3\n$/);
    expect(fault).toMatch(/^\S+ catalogue ERROR internal \nError: broken\n {4}at /);
    expect(plain).toMatch(/^\S+ catalogue ready\n$/);
  });

  it('has no control characters', () => {
    expect(readableLog('{"level":30,"msg":"a\\u001b[2Jb","time":0}\n')).toContain('a[2Jb');
    // A terminal reads U+009B as it reads ESC [.
    expect(readableLog('{"level":30,"msg":"a\\u009b2Jb","time":0}\n')).toContain('a2Jb');
  });
});
