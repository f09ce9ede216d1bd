import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '@mokuroku/kit/process';
import { DEFAULT_SETTINGS, createDomainLookUp } from '../../packages/whois/src/look-up/domain-look-up.ts';
import type { DomainLookUp } from '../../packages/whois/src/look-up/domain-look-up.ts';
import { startSampleRegistries } from '../../packages/mokuroku/src/registration/sample/start-sample-registries.ts';
import type { SampleRegistries } from '../../packages/mokuroku/src/registration/sample/start-sample-registries.ts';

const run = promisify(execFile);

let sample: SampleRegistries;
let domains: DomainLookUp;

beforeAll(async () => {
  sample = await startSampleRegistries();
  const settings = { ...DEFAULT_SETTINGS, ...sample.settings, perSecondPerRegistry: 0 };
  domains = createDomainLookUp(settings, {
    clock: systemClock,
    resolve: () => Promise.resolve([]),
  });
  return async () => {
    domains.stop();
    await sample.close();
  };
});

/**
 * The output of Debian's whois when it starts at the sample's root; -H would only hide the disclaimers that it
 * recognizes.
 */
async function debianWhois(name: string): Promise<string> {
  const { stdout } = await run('whois', ['-h', '127.0.0.1', '-p', String(sample.rootPort), name], {
    timeout: 30_000,
  });
  return stdout;
}

async function rawOf(name: string): Promise<string> {
  try {
    return (await domains.lookUp(domains.readName(name), 'registry')).raw;
  } catch (error) {
    return (error as { details: { raw: string } }).details.raw;
  }
}

const plain = (text: string) => text.replaceAll('\r\n', '\n').trim();

describe("Debian's whois, started at the sample's root, returns the same answer as the service", () => {
  it.each([
    ['a thin registry', 'example.com'],
    ['a thick registry', 'example.org'],
    ['a registry with Japanese text', 'example.jp'],
    ['a registry with options', 'example.de'],
    ['a free name', 'free-name.com'],
    ['another free name', 'free-name.org'],
    ['a reserved name', 'reserved-sample.org'],
    ['a top-level domain', 'com'],
  ])('%s', async (_, name) => {
    const [theirs, ours] = [plain(await debianWhois(name)), plain(await rawOf(name))];
    expect(ours).not.toBe('');
    expect(theirs.endsWith(ours)).toBe(true);
  });
});
