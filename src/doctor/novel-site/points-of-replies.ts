import { requestsJson, notAList } from './open-point.ts';
import type { OpenPoint } from './open-point.ts';
import type { NovelSite, SiteReply } from './site.ts';

/** A weekly date that is no Tuesday: certainly an error (manual of rankget). */
const errorTarget = (gzip: string): string => `/rank/rankget/?out=json${gzip}&rtype=20140501-w`;

const probeError = (site: NovelSite): Promise<SiteReply> => site.request(errorTarget('&gzip=5'));

const novel = (format: string): string => `/novelapi/api/?${format}&lim=1&of=n`;

const NOT_OFFERED = /^Error:/;

/** The media type of a format, or the error if it is not offered. */
const probeType =
  (target: string) =>
  async (site: NovelSite): Promise<string> => {
    const reply = await site.request(target);
    return NOT_OFFERED.test(reply.text) ? `error (${reply.contentType})` : reply.contentType;
  };

async function probeMaintenance(site: NovelSite): Promise<string> {
  const { status, text, errorText, json } = await site.request(requestsJson('/novelapi/api/', 'of=n&lim=20'));
  if (errorText !== undefined || json !== undefined) return 'off';
  return `${/^\s*</.test(text) ? 'html' : 'text'}${status}`;
}

async function probeUnknownFormat(site: NovelSite): Promise<string> {
  const reply = await site.request(novel('out=xml'));
  if (reply.errorText !== undefined) return 'error';
  return reply.json === undefined && /ncode/.test(reply.text) ? 'yaml' : notAList(reply);
}

async function probeBadCallback(site: NovelSite): Promise<string> {
  const reply = await site.request(novel('out=jsonp&callback=a(b'));
  if (reply.errorText !== undefined) return 'error';
  return reply.json === undefined ? 'other' : 'json';
}

/** Open points about how replies and errors are sent. */
export const POINTS_OF_REPLIES: readonly OpenPoint[] = [
  {
    id: 'maintenance',
    switch: 'maintenance',
    assumed: 'off',
    probe: probeMaintenance,
    question: 'Is the site under maintenance, and how does it report that?',
    expected: ['off'],
    consequence: 'Try again later. Report how the site announces it.',
  },
  {
    id: 'error-status',
    switch: 'errorStatus',
    assumed: '200',
    question: 'Which HTTP status does a plain-text error have?',
    probe: async (site) => {
      const reply = await probeError(site);
      return reply.errorText === undefined ? notAList(reply) : String(reply.status);
    },
    expected: ['200', '400', '404', '500'],
    consequence: 'Errors of the site are not understood. Report it.',
  },
  {
    id: 'error-packed',
    switch: 'errorGzipped',
    assumed: 'false',
    question: 'Is a plain-text error a gzip file when gzip is requested?',
    probe: async (site) => String((await probeError(site)).isPacked),
  },
  {
    id: 'content-type-packed',
    switch: 'contentType',
    assumed: 'application/x-gzip',
    question: 'Which Content-Type does a gzip file have?',
    probe: probeType(novel('out=json&gzip=5')),
  },
  {
    id: 'content-type-json',
    switch: 'contentType',
    assumed: 'application/json',
    question: 'Which Content-Type does JSON have?',
    probe: probeType(novel('out=json')),
  },
  {
    id: 'content-type-error',
    switch: 'contentType',
    assumed: 'text/plain',
    question: 'Which Content-Type does a plain-text error have?',
    probe: async (site) => (await site.request(errorTarget(''))).contentType,
  },
  {
    id: 'content-type-yaml',
    switch: 'contentType',
    assumed: 'text/yaml',
    question: 'Which Content-Type does YAML have?',
    probe: probeType(novel('out=yaml')),
  },
  {
    id: 'content-type-jsonp',
    switch: 'contentType',
    assumed: 'application/javascript',
    question: 'Which Content-Type does JSONP have?',
    probe: probeType(novel('out=jsonp&callback=a')),
  },
  {
    id: 'content-type-php',
    assumed: null,
    probe: probeType(novel('out=php')),
    question: 'Which Content-Type does serialized PHP have?',
  },
  {
    id: 'content-type-atom',
    assumed: null,
    probe: probeType(novel('out=atom')),
    question: 'Which Content-Type does Atom have?',
  },
  {
    id: 'unknown-format',
    switch: 'unknownOut',
    assumed: 'yaml',
    probe: probeUnknownFormat,
    question: 'What does out=xml give, a format that does not exist?',
  },
  {
    id: 'bad-callback',
    switch: 'badCallback',
    assumed: 'error',
    probe: probeBadCallback,
    question: 'What does JSONP give without a valid callback?',
  },
];
