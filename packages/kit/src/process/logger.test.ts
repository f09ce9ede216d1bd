import { describe, expect, it } from 'vitest';
import { createLogger } from './logger.ts';
import { readableLog } from './readable-log.ts';

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
  });
});
