import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ConfigError, commaList, milliseconds, portNumber, readConfig, httpAddress } from './config.ts';

const schema = z.object({
  PORT: portNumber().default(3000),
  TIMEOUT_MS: milliseconds().default(1000),
  TRUSTED: commaList().default([]),
});

describe('the settings', () => {
  it('have defaults, also if the variable is empty', () => {
    expect(readConfig(schema, { PORT: ' ' })).toEqual({ PORT: 3000, TIMEOUT_MS: 1000, TRUSTED: [] });
  });

  it('are read from text', () => {
    const config = readConfig(schema, { PORT: '0', TRUSTED: 'a, b,,', OTHER: 'x' });
    expect(config).toEqual({ PORT: 0, TIMEOUT_MS: 1000, TRUSTED: ['a', 'b'] });
  });

  it('if invalid are all named at once, with the valid values', () => {
    const read = () => readConfig(schema, { PORT: '70000', TIMEOUT_MS: '1e3' });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow('PORT="70000": must be a whole number from 0 to 65535');
    expect(read).toThrow('TIMEOUT_MS="1e3": must be a whole number from 1 to 3600000');
  });

  it('in numbers accept both bounds and nothing beyond', () => {
    const isTaken = (environment: Record<string, string>) => schema.safeParse(environment).success;
    expect(['1', '3600000', '0', '3600001'].map((TIMEOUT_MS) => isTaken({ TIMEOUT_MS }))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(['0', '65535', '65536', '-1'].map((PORT) => isTaken({ PORT }))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('that hold a password are named without it', () => {
    for (const PORT of ['redis://me:secret@one', 'unix:///a.sock?password=secret&db=x', '?PASSWORD=secret']) {
      const read = () => readConfig(schema, { PORT });
      expect(read).toThrow(/- PORT=".+": must be/);
      expect(read).not.toThrow('secret');
    }
  });
});

it.each(['ftp://a.example', 'http://', 'http://[', 'http://a.example/"><b>', 'a.example'])(
  '%s is no HTTP address',
  (text) => expect(httpAddress().safeParse(text).success).toBe(false),
);
