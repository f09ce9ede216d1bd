import { z } from 'zod';
import type { Endpoint } from '../../http/endpoint.ts';
import { VERSION } from '../../process/version.ts';
import { ignoredOf } from './kept-look-up.ts';
import type { RegistrationServices } from './kept-look-up.ts';
import { Ignored, text } from './look-up-schema.ts';

const About = z
  .object({
    version: text('Of the program.', '1.0.0'),
    source: z.enum(['sample', 'live']).meta({
      description: 'Whom it asks: invented registries, or the real root and registries.',
      example: 'live',
    }),
    rdapBootstrap: z
      .object({
        source: z.enum(['bundled', 'file', 'url']).meta({
          description: 'Where the one in use comes from: bundled with the program, a file, or fetched.',
          example: 'url',
        }),
        publication: text('When it was published, by its own word.', '2026-07-23T02:00:03Z'),
      })
      .meta({ description: 'Which RDAP server answers for which zone.' }),
    rootZone: z
      .object({
        source: z.literal('bundled').meta({ description: 'Where it comes from.', example: 'bundled' }),
        date: text('When the root was asked.', '2026-08-08'),
      })
      .meta({
        description: 'What the root said of every top-level domain; it serves while the root is silent.',
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
    summary: 'Which data the service works with',
    description: 'Version, source, and the dates of what is bundled or fetched.',
    parameters: [],
    answer: About,
    errors: [],
    ask: ({ query }) => ({
      key: '-about',
      policy: { freshSeconds: 0, staleWhileRevalidateSeconds: 0, keepSeconds: 0, absentSeconds: 0 },
      ignored: ignoredOf(query, []),
      load: () => {
        const source = isSample ? 'sample' : 'live';
        return Promise.resolve({ data: { version: VERSION, source, ...domainLookUp.about() }, meta: {} });
      },
    }),
  };
}
