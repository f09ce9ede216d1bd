import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Clock } from '@mokuroku/kit/process';
import { type NarouServer, startNarouServer } from '../../../test/upstream/server.ts';
import { makeSwitches } from '../../../test/upstream/switches.ts';
import { createEmbeddedCatalogue, type EmbeddedCatalogue } from '../src/sample/embedded-catalogue.ts';

/** The instant (milliseconds UTC) of a wall time in Japan, `2026-11-21T12:00:00`. */
export const japan = (wallTime: string): number => Date.parse(`${wallTime}+09:00`);

/** A Saturday noon in Japan. */
export const NOON = japan('2026-11-21T12:00:00');

/** A clock that tests move. */
export const standingClock = (now: number): Clock & { set(now: number): void } => {
  let at = now;
  return { now: () => at, monotonic: () => at, set: (later) => void (at = later) };
};

export interface UpstreamUnderTest {
  readonly server: NarouServer;
  readonly catalogue: EmbeddedCatalogue;
  readonly clock: ReturnType<typeof standingClock>;
  /** The text of a response; `path` with its query, without the leading slash. */
  readonly text: (path: string) => Promise<string>;
  /** The parsed response to a request with `out=json`. */
  readonly rows: (path: string) => Promise<Record<string, unknown>[]>;
}

// A catalogue takes a tenth of a second to build: the files of one test thread share it and its clock.
const clock = standingClock(NOON);
const catalogue = createEmbeddedCatalogue({ clock });

/** A server for the tests of one file, on loopback; switches and clock are reset before each test. */
export function upstreamUnderTest(): UpstreamUnderTest {
  // Files of one thread run one after the other, so leftovers of an earlier one must not matter.
  clock.set(NOON);
  let server: NarouServer | undefined;
  const running = (): NarouServer => {
    if (server === undefined) throw new Error('The server runs only within tests.');
    return server;
  };
  beforeAll(async () => {
    server = await startNarouServer({ catalogue, clock });
  });
  beforeEach(() => {
    Object.assign(running().switches, makeSwitches());
    clock.set(NOON);
  });
  afterAll(() => running().close());
  const text = async (path: string): Promise<string> => {
    const response = await fetch(`${running().url}/${path}`, { headers: { 'user-agent': 'test' } });
    return response.text();
  };
  return {
    get server() {
      return running();
    },
    catalogue,
    clock,
    text,
    rows: async (path) => JSON.parse(await text(`${path}&out=json`)) as Record<string, unknown>[],
  };
}
