import type { PublishedEndpoint } from './endpoint.ts';

/** `/llms.txt` (llmstxt.org): where a language model finds what. */
export function llmsTxt(
  { title, description }: { title: string; description: string },
  endpoints: readonly Pick<PublishedEndpoint, 'path' | 'summary'>[],
): string {
  const paths = endpoints.map(
    ({ path, summary }) => `- \`${path.replace(/:(\w+)/g, '{$1}')}\`: ${summary.en}`,
  );
  return `# ${title}

${description}

## Documents

- [OpenAPI](/openapi.json): every path, parameter, field and error ([in Japanese](/openapi.ja.json))
- [Reference](/docs): the same for people

## Paths

${paths.join('\n')}
`;
}
