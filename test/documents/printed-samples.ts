import { readReference } from '../../packages/mokuroku/src/explorer/reference/openapi.ts';
import type {
  Reference,
  ReferenceCall,
  ReferenceEndpoint,
} from '../../packages/mokuroku/src/explorer/reference/openapi.ts';
import { SAMPLES } from '../../packages/mokuroku/src/explorer/reference/samples.ts';
import type { SampleLanguage } from '../../packages/mokuroku/src/explorer/reference/samples.ts';

export interface PrintedSample {
  endpoint: ReferenceEndpoint;
  call: ReferenceCall;
  /** Address of the service. */
  base: string;
  code: string;
}

/** The references of running services, by address. */
export async function readReferences(bases: readonly string[]): Promise<ReadonlyMap<string, Reference>> {
  const documents = bases.map(async (base) => {
    const document: unknown = await (await fetch(`${base}/openapi.json`)).json();
    return [base, readReference(document)] as const;
  });
  return new Map(await Promise.all(documents));
}

/** The samples of /docs in a language: every call that can be written in it. */
export function printedSamples(
  references: ReadonlyMap<string, Reference>,
  language: SampleLanguage,
): PrintedSample[] {
  return [...references].flatMap(([base, { endpoints }]) =>
    endpoints.flatMap((endpoint) =>
      endpoint.calls.flatMap((call) => {
        const code = SAMPLES[language](base, endpoint, call);
        return code === null ? [] : [{ endpoint, call, base, code }];
      }),
    ),
  );
}
