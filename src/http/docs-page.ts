import { ERROR_TABLE } from '../errors.ts';
import type { PublishedEndpoint, PublishedParameter } from './endpoint.ts';
import type { ServiceDescription } from './openapi.ts';

// The page at /docs: what openapi.json says, for people. No script runs on it, and nothing is loaded from elsewhere.

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Plain text with `code` in it. */
const toHtml = (text: string) => escape(text).replace(/`([^`]+)`/g, '<code>$1</code>');

const kindOf = ({ schema }: PublishedParameter): string => {
  const {
    type,
    enum: values,
    items,
  } = schema as { type?: string; enum?: unknown[]; items?: { type?: string } };
  if (values) return values.join(' | ');
  return type === 'array' ? `list of ${items?.type ?? 'string'}, with commas` : (type ?? 'string');
};

function parameterRow(parameter: PublishedParameter): string {
  const { name, required, description, example } = parameter;
  const byDefault = parameter.schema['default'] as string | number | undefined;
  const facts = [
    kindOf(parameter),
    required ? 'required' : '',
    byDefault === undefined ? '' : `default ${byDefault}`,
    example === undefined ? '' : `e.g. ${example}`,
  ].filter((fact) => fact !== '');
  return `<tr><th scope="row"><code>${escape(name)}</code></th><td>${toHtml(description)}<br><small>${escape(facts.join('; '))}</small></td></tr>`;
}

/** A call that works: the path with its examples in place. */
function exampleUrl({ path, parameters }: PublishedEndpoint): string {
  return path.replace(/:(\w+)/g, (_whole, name: string) => {
    const parameter = parameters.find((each) => each.in === 'path' && each.name === name);
    return encodeURIComponent(String(parameter?.example ?? name));
  });
}

function section(endpoint: PublishedEndpoint): string {
  const url = exampleUrl(endpoint);
  const parameters = endpoint.parameters.map(parameterRow).join('');
  const errors = endpoint.errors.map(
    (code) => `<li><code>${ERROR_TABLE[code].status} ${code}</code> ${escape(ERROR_TABLE[code].title)}</li>`,
  );
  return `<section id="${endpoint.name}"><h3>${escape(endpoint.summary)}</h3>
<p class="path"><code>GET ${escape(endpoint.path)}</code></p><p>${toHtml(endpoint.description)}</p>
<p>Try it: <a href="${escape(url)}">${escape(url)}</a></p>
${parameters === '' ? '' : `<table><caption>Parameters</caption><tbody>${parameters}</tbody></table>`}
<details><summary>Errors</summary><ul>${errors.join('')}</ul></details></section>`;
}

/** The document as one HTML page; its style sheet is DOCS_STYLE, served at /docs/style.css. */
export function docsPage(service: ServiceDescription, endpoints: readonly PublishedEndpoint[]): string {
  const groups = service.tags.map(({ name, description }) => {
    const own = endpoints.filter((endpoint) => endpoint.group === name);
    const links = own.map((each) => `<li><a href="#${each.name}">${escape(each.summary)}</a></li>`);
    return {
      menu: `<li>${escape(name)}<ul>${links.join('')}</ul></li>`,
      body: `<h2>${escape(name)}</h2><p>${toHtml(description)}</p>${own.map(section).join('\n')}`,
    };
  });
  const paragraphs = service.description.split(/\n\s*\n/).map((text) => `<p>${toHtml(text)}</p>`);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(service.title)}</title><meta name="description" content="Reference of the ${escape(service.title)}.">
<link rel="stylesheet" href="/docs/style.css"></head>
<body><header><h1>${escape(service.title)}</h1><p>Version ${escape(service.version)}. <a href="/openapi.json">openapi.json</a> is the same for programs.</p></header>
<nav aria-label="Contents"><ul>${groups.map(({ menu }) => menu).join('')}</ul></nav>
<main>${paragraphs.join('')}
<p>Every client has 60 requests a minute: <code>RateLimit</code> tells what is left, and a <code>429</code> carries <code>Retry-After</code>, after which the next request succeeds. Answers carry <code>ETag</code>, <code>Age</code> and <code>Cache-Status</code>.</p>
${groups.map(({ body }) => body).join('\n')}</main></body></html>
`;
}

export const DOCS_STYLE = `:root{color-scheme:light dark;--line:light-dark(#ccc,#555);--link:light-dark(#0b4f8a,#8cc4ff)}
*{box-sizing:border-box}body{font:16px/1.6 system-ui,sans-serif;max-width:68rem;margin:0 auto;padding:1rem}
a{color:var(--link)}code{font:.9em ui-monospace,monospace;overflow-wrap:anywhere}
@media (min-width:60rem){body{display:grid;grid-template-columns:15rem 1fr;gap:0 2.5rem}header{grid-column:1/-1}nav{position:sticky;top:1rem;align-self:start;max-height:95vh;overflow:auto}}
nav ul{list-style:none;padding-left:.75rem;margin:0 0 .5rem}nav a{display:inline-block;min-height:24px}
main{min-width:0}section{border-top:1px solid var(--line);padding:.5rem 0 1rem}h2{margin-top:2.5rem}.path{font-size:1.1em}
table{border-collapse:collapse;width:100%}caption{text-align:left;font-weight:600}th,td{text-align:left;vertical-align:top;padding:.4rem .5rem;border-top:1px solid var(--line)}th{width:9rem;font-weight:400}
`;
