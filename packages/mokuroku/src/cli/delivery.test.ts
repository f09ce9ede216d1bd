import fs from 'node:fs';
import type http from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { collectGarbage } from '../../../../test/collect-garbage.ts';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { serveHttp } from '../../../../test/http/serve-http.ts';
import { recordingTerminal } from '../../test/cli/recording-terminal.ts';
import { UsageError } from './command.ts';
import type { Terminal } from './terminal.ts';
import { DeliveryError, openReport } from './delivery.ts';

type Behaviour = number | 'hang' | 'cut';

/** A receiver that behaves as scripted, then accepts everything. */
async function startReceiver(script: Behaviour[] = [], headers: http.OutgoingHttpHeaders = {}) {
  const received: { body: string; authorization: string | undefined; type: string | undefined }[] = [];
  const address = await serveHttp((request, response) => {
    const next = script.shift() ?? 204;
    void text(request).then((body) => {
      if (next === 'hang') return collectGarbage();
      if (next === 'cut') return void request.socket.destroy();
      if (next < 300) {
        const { authorization, 'content-type': type } = request.headers;
        received.push({ body, authorization, type });
      }
      response.writeHead(next, headers).end('ok');
    });
  });
  return { received, host: new URL(address).host };
}

/** A terminal that records its pauses instead of waiting. */
function pausingTerminal() {
  const pauses: number[] = [];
  const pause = (ms: number) => {
    pauses.push(ms);
    return Promise.resolve();
  };
  return { pauses, terminal: recordingTerminal({ pause }) };
}

const endlessReport = (to: Parameters<typeof openReport>[0], terminal: Terminal, attemptMs?: number) =>
  openReport(to, terminal, { lineOf: String, isEndless: true, ...(attemptMs && { attemptMs }) });

const EVENT = { id: 'N0001AA/episode/2', cursor: '00000000-1-1' };

describe('--post', () => {
  it('delivers an event that the receiver refuses and cuts, once it accepts', async () => {
    const { host, received } = await startReceiver([500, 404, 'cut', 302, 200]);
    const { pauses, terminal } = pausingTerminal();
    const deliver = endlessReport({ post: `http://${host}/hook` }, terminal);
    await deliver(EVENT);
    await deliver({ ...EVENT, id: 'second' });
    expect(received.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      EVENT,
      { ...EVENT, id: 'second' },
    ]);
    expect(received[0]?.type).toBe('application/json; charset=utf-8');
    expect(pauses).toEqual([1000, 2000, 4000, 8000]);
  });

  it('repeats an attempt that the receiver leaves unanswered', async () => {
    const { host, received } = await startReceiver(['hang']);
    const { terminal } = pausingTerminal();
    await endlessReport({ post: host }, terminal, 300)(EVENT);
    expect(terminal.written().err).toContain(`${host}: timeout`);
    // On a busy machine, an accepted attempt may time out as well.
    expect(received.length).toBeGreaterThan(0);
  });

  it.each([
    [429, '7', 7000],
    [503, '999999', 3_600_000],
    [429, '0', 1000],
  ])(
    'waits after a %i as long as its Retry-After of %s says, a second at least, an hour at most',
    async (status, after, ms) => {
      const { host } = await startReceiver([status], { 'Retry-After': after });
      const { pauses, terminal } = pausingTerminal();
      await endlessReport({ post: host }, terminal)(EVENT);
      expect(pauses).toEqual([ms]);
    },
  );

  it('pauses five minutes at most, and never gives up with --watch', async () => {
    const { host, received } = await startReceiver(Array.from({ length: 40 }, () => 500));
    const { pauses, terminal } = pausingTerminal();
    await endlessReport({ post: host }, terminal)(EVENT);
    expect(received).toHaveLength(1);
    expect(pauses).toHaveLength(40);
    expect(Math.max(...pauses)).toBe(300_000);
  });

  it('gives up after five attempts without --watch', async () => {
    const { host, received } = await startReceiver([500, 500, 500, 500, 500]);
    const { pauses, terminal } = pausingTerminal();
    const deliver = openReport({ post: host }, terminal, { lineOf: String, isEndless: false });
    await expect(deliver(EVENT)).rejects.toThrow(DeliveryError);
    expect(received).toEqual([]);
    expect(pauses).toHaveLength(4);
  });

  it('sends the credentials of an address as a header, and repeats no secret', async () => {
    const { host, received } = await startReceiver([500]);
    const { terminal } = pausingTerminal();
    const deliver = endlessReport({ post: `http://me:p%40ss@${host}/secret?token=hidden` }, terminal);
    await deliver(EVENT);
    expect(received[0]?.authorization).toBe(`Basic ${Buffer.from('me:p@ss').toString('base64')}`);
    const { err } = terminal.written();
    expect(err).toContain(host);
    expect(err).not.toMatch(/secret|hidden|p%40ss|p@ss/);
  });

  it('rejects other addresses without repeating them', () => {
    for (const post of ['ftp://files.example/secret', 'http://', 'http://a b/secret']) {
      const open = () => endlessReport({ post }, pausingTerminal().terminal);
      expect(open, post).toThrow(UsageError);
      expect(open, post).not.toThrow(/secret/);
    }
  });
});

describe('--exec', () => {
  const folder = temporaryFolder();

  it('passes the event on standard input, and repeats a command that fails', async () => {
    const file = path.join(folder, 'received');
    const { pauses, terminal } = pausingTerminal();
    // Fails at first.
    const exec = `test -e '${file}.tried' || { touch '${file}.tried'; exit 3; }; cat >> '${file}'`;
    const deliver = endlessReport({ exec }, terminal);
    await deliver(EVENT);
    await deliver({ ...EVENT, id: 'second' });
    const lines = fs.readFileSync(file, 'utf8').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([EVENT, { ...EVENT, id: 'second' }]);
    expect(pauses).toEqual([1000]);
    expect(terminal.written().err).toContain('command: 3');
  });

  it('ends a command that hangs, with all that it started', async () => {
    const file = path.join(folder, 'hanging');
    const { terminal } = pausingTerminal();
    const exec = `test -e '${file}' || { sleep 600 & echo $! > '${file}'; wait; }`;
    const delivered = endlessReport({ exec }, terminal, 500)(EVENT);
    await collectGarbage();
    await delivered;
    expect(terminal.written().err).toContain('command: timeout');
    const started = `/proc/${Number(fs.readFileSync(file, 'utf8'))}/cmdline`;
    // Empty until the system has noted its end.
    await expect
      .poll(() => fs.existsSync(started) && fs.readFileSync(started, 'utf8'))
      .toBeOneOf([false, '']);
  });

  it('repeats a command that cannot be started', async () => {
    const { pauses, terminal } = pausingTerminal();
    // Linux accepts an argument of 128 KiB.
    const exec = `true ${'x'.repeat(2_000_000)}`;
    const deliver = openReport({ exec }, terminal, { lineOf: String, isEndless: false });
    await expect(deliver(EVENT)).rejects.toThrow(new DeliveryError('command: E2BIG'));
    expect(pauses).toEqual([1000, 2000, 4000, 8000]);
  });

  it('accepts a command that ignores its input', async () => {
    const { pauses, terminal } = pausingTerminal();
    const event = { ...EVENT, text: 'x'.repeat(2_000_000) };
    await endlessReport({ exec: 'exec <&-; true' }, terminal)(event);
    expect(pauses).toEqual([]);
  });
});
