import type { DoctorPhrase } from '../phrases.ts';
import { read } from './open-point.ts';
import type { OpenPoint } from './open-point.ts';
import { requestsJson } from './site.ts';

/** A weekly date that is no Tuesday: certainly an error (manual of rankget). */
const error = (gzip: string): string => `/rank/rankget/?out=json${gzip}&rtype=20140501-w`;
const PACKED_ERROR = error('&gzip=5');

const novel = (format: string): string => `/novelapi/api/?${format}&lim=1&of=n`;

/** The media type of a format, or the error if it is not offered. Without an assumption the sample has no such format. */
const contentType = (id: string, target: string, question: DoctorPhrase, assumed?: string): OpenPoint => ({
  id: `content-type-${id}`,
  ...(assumed !== undefined && { switch: 'contentType', assumed }),
  question,
  probe: read([target], ({ text, contentType: type }) => (/^Error:/.test(text) ? `error (${type})` : type)),
});

/** Open points about how replies and errors are sent. */
export const POINTS_OF_REPLIES: readonly OpenPoint[] = [
  {
    id: 'maintenance',
    switch: 'maintenance',
    question: 'Is the site under maintenance, and how does it report that?',
    probe: read([requestsJson('/novelapi/api/', 'of=n&lim=20')], ({ status, text, errorText, json }) => {
      if (errorText !== undefined || json !== undefined) return 'off';
      return `${/^\s*</.test(text) ? 'html' : 'text'}${status}`;
    }),
    expected: ['off'],
    consequence: 'Try again later. Report how the site announces it.',
  },
  {
    id: 'error-status',
    switch: 'errorStatus',
    question: 'Which HTTP status does a plain-text error have?',
    probe: read([PACKED_ERROR], ({ kind, status }) => (kind === 'error' ? String(status) : kind)),
    expected: ['200', '400', '404', '500'],
    consequence: 'Errors of the site are not understood. Report it.',
  },
  {
    id: 'error-packed',
    switch: 'errorGzipped',
    question: 'Is a plain-text error a gzip file when gzip is requested?',
    probe: read([PACKED_ERROR], ({ isPacked }) => String(isPacked)),
  },
  contentType(
    'packed',
    novel('out=json&gzip=5'),
    'Which Content-Type does a gzip file have?',
    'application/x-gzip',
  ),
  contentType('json', novel('out=json'), 'Which Content-Type does JSON have?', 'application/json'),
  {
    id: 'content-type-error',
    switch: 'contentType',
    assumed: 'text/plain',
    question: 'Which Content-Type does a plain-text error have?',
    probe: read([error('')], (reply) => reply.contentType),
  },
  contentType('yaml', novel('out=yaml'), 'Which Content-Type does YAML have?', 'text/yaml'),
  contentType(
    'jsonp',
    novel('out=jsonp&callback=a'),
    'Which Content-Type does JSONP have?',
    'application/javascript',
  ),
  contentType('php', novel('out=php'), 'Which Content-Type does serialized PHP have?'),
  contentType('atom', novel('out=atom'), 'Which Content-Type does Atom have?'),
  {
    id: 'unknown-format',
    switch: 'unknownOut',
    question: 'What does out=xml give, a format that does not exist?',
    probe: read([novel('out=xml')], ({ kind, json, text }) =>
      kind !== 'error' && json === undefined && text.includes('ncode') ? 'yaml' : kind,
    ),
  },
  {
    id: 'bad-callback',
    switch: 'badCallback',
    question: 'What does JSONP give without a valid callback?',
    probe: read([novel('out=jsonp&callback=a(b')], ({ kind, json }) => {
      if (kind === 'error') return kind;
      return json === undefined ? 'other' : 'json';
    }),
  },
];
