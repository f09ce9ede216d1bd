import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ERRORS } from '@mokuroku/kit';
import { startSampleServices } from '../../../../test/sample-services.ts';
import { REGISTRY_ERRORS } from '../../src/registration/errors.ts';
import { REGISTRATION_ERRORS } from '../../src/registration/endpoints/look-up-error-schema.ts';
import { LookUpAnswer } from '../../src/registration/endpoints/look-up-schema.ts';
import { SAMPLE_DOMAINS, SAMPLE_ZONES } from '../../src/registration/sample/sample-domains.ts';

const guide = readFileSync(path.join(import.meta.dirname, '../../../../docs/registration.md'), 'utf8');

describe('docs/registration.md', () => {
  it.each([...REGISTRATION_ERRORS, 'rate_limited'] as const)(
    'explains the error %s with its status',
    (code) => {
      const { status } = { ...ERRORS, ...REGISTRY_ERRORS }[code];
      const begin = `- \`${code}\` (${status}): `;
      expect(
        guide.split('\n').filter((line) => line.startsWith(begin)),
        `lines of "${begin}"`,
      ).toHaveLength(1);
    },
  );

  it('has every path', async () => {
    const { registration, close } = await startSampleServices();
    const document: unknown = await (await fetch(`${registration.address}/openapi.json`)).json();
    await close();
    const paths = Object.keys((document as { paths: object }).paths);
    // `/{domain}/availability` is shown with a name.
    const isNamed = (each: string) => guide.includes(each.replace('/{domain}', ''));
    expect([paths.length > 6, paths.filter((each) => !isNamed(each))]).toEqual([true, []]);
  });

  it.each(Object.keys(LookUpAnswer.shape))('describes the member %s', (member) => {
    expect(guide).toContain(member);
  });

  it('suggests names that exist in the sample', () => {
    const zones = SAMPLE_ZONES.map(({ tld }) => tld);
    const names = new Set(SAMPLE_DOMAINS.map(({ name }) => name));
    const paragraph = /^Names to try in the sample: ([^]*?)\n\n/m.exec(guide)?.[1] ?? '';
    const tried = [...paragraph.matchAll(/`([a-z.-]+)`/g)].map(([, name]) => name ?? '');
    expect(tried.length).toBeGreaterThan(8);
    for (const name of tried) {
      if (name.startsWith('.')) expect(zones).toContain(name.slice(1));
      else expect(names).toContain(name);
    }
  });
});
