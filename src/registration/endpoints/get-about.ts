import { z } from 'zod';
import { textSchema } from '../../http/documented-schemas.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { VERSION } from '../../process/version.ts';
import { ignoredOf } from './look-up-domain.ts';
import type { RegistrationServices } from './look-up-domain.ts';
import { Ignored } from './look-up-schema.ts';

const About = z
  .object({
    version: textSchema('Of the program.', '1.0.0'),
    source: z.enum(['sample', 'live']).meta({
      description: 'Source of the data: invented registries, or the real root and registries.',
      example: 'live',
    }),
    rdapBootstrap: z
      .object({
        source: z.enum(['bundled', 'file', 'url']).meta({
          description: 'Its source: bundled with the program, a file, or fetched.',
          example: 'url',
        }),
        publication: textSchema('Its own publication date.', '2026-07-23T02:00:03Z'),
      })
      .meta({ description: 'RDAP servers by zone.' }),
    rootZone: z
      .object({
        source: z.literal('bundled').meta({ description: 'Where it comes from.', example: 'bundled' }),
        date: textSchema('Date of the query to the root.', '2026-08-08'),
      })
      .meta({
        description: "The root's answers for every top-level domain, used while the root is unavailable.",
      }),
    ignored: Ignored,
  })
  .meta({ title: 'About' });

/** GET /-/about */
export function getAbout({ domainLookUp, isSample }: RegistrationServices): Endpoint {
  return {
    name: 'getAbout',
    path: '/-/about',
    group: 'Service',
    summary: 'Data of the service',
    description: 'Version, source, and the dates of what is bundled or fetched.',
    parameters: [],
    answer: About,
    errors: [],
    parse: ({ query }) => ({
      key: '-about',
      policy: { freshSeconds: 0, staleWhileRevalidateSeconds: 0, staleIfErrorSeconds: 0, absentSeconds: 0 },
      ignored: ignoredOf(query, []),
      load: () => {
        const source = isSample ? 'sample' : 'live';
        return Promise.resolve({ data: { version: VERSION, source, ...domainLookUp.about() }, meta: {} });
      },
    }),
  };
}
