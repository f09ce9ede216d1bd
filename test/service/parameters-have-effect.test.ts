import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dereference } from '../../packages/kit/test/http/dereference.ts';
import { startSampleServices } from '../sample-services.ts';

interface PublishedParameter {
  name: string;
  in: 'path' | 'query';
  required?: boolean;
  example?: string | number;
  schema: {
    format?: string;
    minimum?: number;
    enum?: readonly (string | number)[];
    items?: { enum?: readonly (string | number)[] };
  };
}
type Operation = { parameters?: readonly unknown[] };

let services: Awaited<ReturnType<typeof startSampleServices>>;
beforeAll(async () => {
  services = await startSampleServices();
});
afterAll(() => services.close());

/** Parameters that the service accepts only beside others. */
const BESIDE: Readonly<Record<string, string>> = { to: 'from=2026-10-01' };

/** What may be given for a parameter: the example may be the default, or name too much. */
const candidatesOf = ({ example, schema }: PublishedParameter) => {
  const { format, minimum, enum: values = [], items } = schema;
  return [
    ...(example === undefined ? [1] : [example]),
    ...(format === 'date' ? ['2026-11-20'] : []),
    ...values,
    ...(items?.enum ?? []),
    ...(minimum === undefined ? [] : [minimum, minimum + 1]),
  ];
};

interface Answer {
  status: number;
  isHit: boolean;
  type: string | null;
  /** Without what differs with each request. */
  content: string;
  ignored: readonly string[];
}

async function send(url: string): Promise<Answer> {
  const response = await fetch(url);
  const type = response.headers.get('content-type');
  const text = await response.text();
  const { meta, ...rest } = type?.startsWith('application/json')
    ? (JSON.parse(text) as { meta?: Record<string, unknown>; ignored?: string[] })
    : { meta: {}, text, ignored: [] };
  const { cached: _cached, tookMs: _took, ignored = rest.ignored ?? [], ...lasting } = meta ?? {};
  const isHit = /; hit/.test(response.headers.get('cache-status') ?? '');
  const content = JSON.stringify({ ...rest, ignored: undefined, hops: undefined, lasting });
  return { status: response.status, isHit, type, content, ignored: ignored as string[] };
}

/** Whether a parameter makes another question, another answer or another form, or is named as one without effect. */
async function isRead(address: string, plain: Answer, parameter: PublishedParameter): Promise<boolean> {
  for (const value of candidatesOf(parameter)) {
    const join = address.includes('?') ? '&' : '?';
    const answer = await send(`${address}${join}${parameter.name}=${encodeURIComponent(value)}`);
    if (answer.status === 400) continue;
    if (answer.ignored.some((each) => each.split('=')[0] === parameter.name)) return true;
    if (!answer.isHit || answer.type !== plain.type || answer.content !== plain.content) return true;
  }
  return false;
}

describe.each(['catalogue', 'registration'] as const)('%s', (name) => {
  it('reads every parameter that it publishes', async () => {
    const { address } = services[name];
    const document = (await (await fetch(`${address}/openapi.json`)).json()) as {
      paths: Record<string, { get?: Operation }>;
    };
    const { paths } = document;
    const unread: string[] = [];
    let count = 0;
    for (const [path, { get: { parameters: published = [] } = {} }] of Object.entries(paths)) {
      const parameters = published.map((each) => dereference(document, each) as PublishedParameter);
      const exampleOf = (each: string) =>
        parameters.find((parameter) => parameter.name === each)?.example ?? '';
      const place = path.replace(/\{(\w+)\}/g, (_, each: string) => encodeURIComponent(exampleOf(each)));
      const query = parameters.filter((each) => each.in === 'query');
      const needed = query.flatMap((each) =>
        each.required ? [`${each.name}=${encodeURIComponent(each.example ?? '')}`] : [],
      );
      for (const parameter of query.filter((each) => !each.required)) {
        const given = [...needed, ...(BESIDE[parameter.name] ? [BESIDE[parameter.name]] : [])].join('&');
        const url = `${address}${place}${given && '?'}${given}`;
        const plain = await send(url);
        // Of a text nothing says whether it is another one.
        if (plain.status !== 200 || !plain.type?.startsWith('application/json')) continue;
        count++;
        // The first may have been a load.
        if (!(await isRead(url, await send(url), parameter))) unread.push(`${path} ${parameter.name}`);
      }
    }
    expect(unread).toEqual([]);
    expect(count).toBeGreaterThan(name === 'catalogue' ? 100 : 0);
  }, 120_000);
});
