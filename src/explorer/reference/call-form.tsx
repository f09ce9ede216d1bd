import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { useImeSafeForm } from '../shell/keyboard.ts';
import { useWords } from '../shell/page-context.ts';
import type { ReferenceEndpoint, ReferenceParameter } from './openapi.ts';
import { urlOf } from './samples.ts';
import type { Request } from './samples.ts';
import { REFERENCE_WORDS } from './words.ts';

interface CallFormProps {
  endpoint: ReferenceEndpoint;
  request: Request;
  change: (request: Request) => void;
  /** Draws the answer: undefined until something has been run. */
  children: (live: unknown) => ComponentChildren;
}

interface Ran {
  status: number;
  milliseconds: number;
  /** Requests left, as the service says. */
  left: string | undefined;
  body: unknown;
}

async function run(url: string): Promise<Ran> {
  const started = performance.now();
  const response = await fetch(url);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  return {
    status: response.status,
    milliseconds: Math.round(performance.now() - started),
    left: /r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1],
    body: isJson ? (JSON.parse(text) as unknown) : text,
  };
}

/** The parameters of a call, to be changed, left out and added; and what comes of it. */
export function CallForm({ endpoint, request, change, children }: CallFormProps) {
  const words = useWords(REFERENCE_WORDS);
  const [ran, setRan] = useState<Ran | 'running' | 'unreachable'>();
  const url = urlOf(location.origin, endpoint, request);
  const form = useImeSafeForm(() => {
    setRan('running');
    run(url).then(setRan, () => setRan('unreachable'));
  });
  const set = (place: 'path' | 'query', name: string, value: string | undefined) => {
    const others = Object.entries(request[place]).filter(([each]) => value !== undefined || each !== name);
    const values = { ...Object.fromEntries(others), ...(value !== undefined && { [name]: value }) };
    change({ ...request, [place]: values });
  };
  const used = endpoint.parameters.filter(({ place, name }) => place === 'path' || name in request.query);
  const result = typeof ran === 'object' ? ran : undefined;
  return (
    <>
      <details class="call-form">
        <summary>{words.change}</summary>
        <form {...form}>
          {used.map((parameter) => (
            <Field
              key={parameter.name}
              parameter={parameter}
              value={request[parameter.place][parameter.name] ?? ''}
              set={(value) => set(parameter.place, parameter.name, value)}
            />
          ))}
          <AddField
            parameters={endpoint.parameters.filter((each) => !used.includes(each))}
            add={({ name, example, byDefault }) => set('query', name, example || byDefault || '1')}
          />
          <p class="call-run beside">
            <button type="submit" disabled={ran === 'running'}>
              {ran === 'running' ? words.running : words.run}
            </button>
            <a href={url} target="_blank" rel="noreferrer">
              {words.openInTab}
            </a>
            <span role="status" class="fine">
              {ran === 'unreachable' && words.unreachable}
              {result && words.answered(String(result.status), String(result.milliseconds))}
              {result?.left !== undefined && ` ・ ${words.left(result.left)}`}
            </span>
          </p>
        </form>
      </details>
      {children(result?.body)}
    </>
  );
}

function Field(props: {
  parameter: ReferenceParameter;
  value: string;
  set: (value: string | undefined) => void;
}) {
  const { parameter, value, set } = props;
  const words = useWords(REFERENCE_WORDS);
  const id = useId();
  const { name, values, type } = parameter;
  const isChoice = values.length > 0 && !type.endsWith(',…');
  return (
    <div class="call-field">
      <label for={id}>
        <code>{name}</code>
      </label>
      {isChoice ? (
        <select id={id} value={value} onChange={(event) => set(event.currentTarget.value)}>
          {values.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          type="text"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          value={value}
          onInput={(event) => set(event.currentTarget.value)}
        />
      )}
      {!parameter.required && (
        <button type="button" class="quiet" aria-label={words.remove(name)} onClick={() => set(undefined)}>
          ×
        </button>
      )}
    </div>
  );
}

function AddField(props: {
  parameters: readonly ReferenceParameter[];
  add: (parameter: ReferenceParameter) => void;
}) {
  const words = useWords(REFERENCE_WORDS);
  if (props.parameters.length === 0) return null;
  return (
    <select
      class="call-add"
      aria-label={words.add}
      value=""
      onChange={(event) => {
        const chosen = props.parameters.find(({ name }) => name === event.currentTarget.value);
        event.currentTarget.value = '';
        if (chosen) props.add(chosen);
      }}
    >
      <option value="">{words.add}</option>
      {props.parameters.map(({ name }) => (
        <option key={name}>{name}</option>
      ))}
    </select>
  );
}
