import net from 'node:net';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { record } from '../../test/loopback-world.ts';
import type { WhoisReply } from '../../test/loopback-world.ts';
import { openRdap, recordOf } from '../../test/rdap-world.ts';
import { NIC, codeOf, errorOf, listen, open, openRegistry } from '../../test/opened-world.ts';
import { collectGarbage } from '../../../../test/collect-garbage.ts';
import { stopTimers } from '../../../../test/stop-timers.ts';
import { MAX_WHOIS_BYTES } from '../whois/client.ts';

/** Resolves when our side has closed the connection. */
const letGo = (socket: Socket) => new Promise<void>((done) => socket.once('close', () => done()));

/** RST, not FIN: Node's resetAndDestroy sends both while the socket is still writable. */
function reset(socket: Socket): void {
  Object.assign(socket, { resetAndClosing: true }).destroy();
}

/** Sends the text, and disconnects 20 ms later. */
const cutOffAfter =
  (text: string): WhoisReply =>
  (_query, socket) =>
    socket.write(text, () => void setTimeout(reset, 20, socket));

describe('a WHOIS server that', () => {
  it.each([
    ['drips for ever', '', 'Domain Name: example.test\r\n'],
    ['says nothing and stays', '', ''],
    ['answers and never ends', record('example.test'), ''],
  ])('%s costs no more than the deadline', async (_, first, drip) => {
    const pass = stopTimers();
    let gone: Promise<void> | undefined;
    const answer: WhoisReply = (_query, socket) => {
      socket.write(first);
      const seconds = setInterval(() => {
        socket.write(drip);
        pass(1_000);
      }, 1);
      gone = letGo(socket).then(() => clearInterval(seconds));
    };
    const { lookUp } = await openRegistry(answer);
    expect(await codeOf(lookUp('example.test'))).toBe('registry_timeout');
    await gone;
  });

  it('names another registrar for each name leaves no more of its answers than that', async () => {
    const rest = `Remarks: ${'none '.repeat(40_000)}\r\n`;
    const { lookUp } = await openRegistry((name, socket) =>
      socket.end(`${record(name)}Registrar WHOIS Server: whois.registrar-of-${name}\r\n${rest}`),
    );
    const heapAfter = async (from: number, to: number) => {
      for (let at = from; at < to; at++) await lookUp(`umi${at}.test`, 'registrar');
      await collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    const before = await heapAfter(0, 10);
    expect((await heapAfter(10, 60)) - before).toBeLessThan(3_000_000);
  });

  it('floods is disconnected long before memory fills', async () => {
    const chunk = Buffer.alloc(65_536, 'Domain Name: example.test\r\n');
    let sent = 0;
    let gone: Promise<void> | undefined;
    const { lookUp } = await openRegistry((_query, socket) => {
      gone = letGo(socket);
      const pour = () => {
        while (sent < 200_000_000 && !socket.destroyed) {
          sent += chunk.length;
          if (!socket.write(chunk)) break;
        }
      };
      socket.on('drain', pour);
      pour();
    });
    expect(await codeOf(lookUp('example.test'))).toBe('registry_unavailable');
    await gone;
    expect(sent).toBeLessThan(20_000_000);
  });

  it('sends exactly the maximum is read, one byte more is disconnected', async () => {
    const ofLength = (bytes: number) => openRegistry(record('example.test').padEnd(bytes, '\n'));
    const { lookUp } = await ofLength(MAX_WHOIS_BYTES);
    expect((await lookUp('example.test')).raw).toHaveLength(MAX_WHOIS_BYTES);
    const error = await errorOf((await ofLength(MAX_WHOIS_BYTES + 1)).lookUp('example.test'));
    expect(error).toHaveProperty('details.hops.1.outcome', 'too_large');
  });

  it('disconnects within a record proves that the name is registered, and the answer is marked as truncated', async () => {
    const text = record('example.test');
    const part = text.slice(0, text.indexOf('.example', text.indexOf('Name Server')));
    const { lookUp } = await openRegistry(cutOffAfter(part));
    expect(await lookUp('example.test')).toMatchObject({
      truncated: true,
      raw: part,
      state: 'registered',
      // The last line may be incomplete.
      parsed: { registrar: 'Sample Registrar', nameServers: [] },
      hops: [{}, { outcome: 'cut_off' }],
    });
  });

  it('throttles is not circumvented by the other service, nor while it is paused', async () => {
    const { lookUp, requests } = await openRdap((request, response) => response.end(recordOf(request)), {
      root: { test: { refer: NIC } },
      whois: { [NIC]: 'You have exceeded your quota of queries.\r\n' },
    });
    for (let count = 0; count < 2; count++)
      expect(await codeOf(lookUp('example.test'))).toBe('registry_rate_limited');
    expect(requests).toEqual([]);
  });
  it('disconnects within a record is not the last asked: the whole record of the other service counts', async () => {
    const part = `Domain Name: example.test\r\nRegistrar: Kamome Ltd.\r\n${' '.repeat(80)}`;
    const { lookUp } = await openRdap((request, response) => response.end(recordOf(request)), {
      root: { test: { refer: NIC } },
      whois: { [NIC]: cutOffAfter(part) },
    });
    const { truncated, protocol, state, hops } = await lookUp('example.test');
    expect([truncated, protocol, state]).toEqual([undefined, 'rdap', 'registered']);
    expect(hops.map(({ outcome }) => outcome)).toEqual(['referral', 'cut_off', 'registered']);
  });

  it.each(['', 'Dom', 'No match for "EXAMPLE.TEST".\r\n'])(
    'disconnects after %j gives no result: the name is never reported as not registered',
    async (part) => {
      const { lookUp } = await openRegistry(cutOffAfter(part));
      expect(await codeOf(lookUp('example.test'))).toBe('registry_unavailable');
    },
  );

  it('disconnects after its last word is treated as truncated', async () => {
    const { lookUp } = await openRegistry((query, socket) => {
      const text = query.startsWith('free') ? 'No match!!\r\n' : record(query);
      socket.write(text, () => {
        reset(socket);
      });
    });
    expect(await codeOf(lookUp('free.test'))).toBe('registry_unavailable');
    expect(await lookUp('example.test')).toMatchObject({ truncated: true, state: 'registered' });
  });

  it('disconnects at once, or refuses the connection, is unavailable', async () => {
    const { lookUp } = await openRegistry((_query, socket) => socket.end(), {
      root: { test: { refer: NIC }, dead: { refer: 'whois.dead.test' } },
    });
    expect(await codeOf(lookUp('example.test'))).toBe('registry_unavailable');
    expect(await codeOf(lookUp('example.dead'))).toBe('registry_unavailable');
  });

  it('half-closes and then waits is read and closed', async () => {
    let gone: Promise<void> | undefined;
    const server = net.createServer({ allowHalfOpen: true }, (socket) => {
      socket.on('error', () => undefined);
      gone = letGo(socket);
      socket.resume();
      socket.end(record('example.test'));
    });
    const ports = { [NIC]: await listen(server) };
    const { lookUp } = await open({ root: { test: { refer: NIC } }, ports });
    expect((await lookUp('example.test')).parsed.domainName).toBe('example.test');
    await gone;
  });

  it('sends UTF-8 byte by byte is decoded correctly', async () => {
    const text = record('example.test').replace('Sample Registrar', '見本レジストラ €');
    const { lookUp } = await openRegistry((_query, socket) => {
      socket.setNoDelay(true);
      for (const byte of Buffer.from(text)) socket.write(Buffer.of(byte));
      socket.end();
    });
    expect((await lookUp('example.test')).parsed.registrar).toBe('見本レジストラ €');
  });
});
