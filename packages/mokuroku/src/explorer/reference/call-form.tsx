import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { requestText } from '@mokuroku/kit/requests';
import { parseJson, responseFacts, unreachable } from 'mokuroku-client/parts';
import { useImeSafeForm } from '../shell/keyboard.ts';
import { Select } from '../shell/form-controls.tsx';
import type { Option } from '../shell/form-controls.tsx';
import { useShell } from '../shell/page-context.ts';
import { problemOf } from '../shell/words.ts';
import type { ReferenceEndpoint, ReferenceParameter, Request } from './openapi.ts';
import { urlOf } from './samples.ts';
import { useReference } from './words.ts';

interface CallFormProps {
  endpoint: ReferenceEndpoint;
  request: Request;
  change: (request: Request) => void;
  /** Renders the response: undefined before the first run. */
  children: (live: unknown) => ComponentChildren;
}

/** The latest run of a URL. Before its response the outcome is `running`, without one the code of a problem. */
interface CallRun {
  url: string;
  outcome: Awaited<ReturnType<typeof run>> | string;
}

async function run(url: string) {
  const started = performance.now();
  const { response, text } = await requestText({ url }, undefined);
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json');
  return {
    ...responseFacts(url, response),
    milliseconds: Math.round(performance.now() - started),
    body: isJson ? (parseJson(text) ?? text) : text,
  };
}

/** A form to change, add and remove the parameters of a call, with its response. */
export function CallForm({ endpoint, request, change, children }: CallFormProps) {
  const { words } = useReference();
  const shell = useShell().words;
  const [latest, setLatest] = useState<CallRun>();
  const url = urlOf(location.origin, endpoint, request);
  const ran = latest?.url === url ? latest.outcome : undefined;
  const form = useImeSafeForm(() => {
    if (ran === 'running') return;
    setLatest({ url, outcome: 'running' });
    const finish = (outcome: CallRun['outcome']) =>
      setLatest((present) => (present?.url === url ? { url, outcome } : present));
    run(url).then(finish, (cause: unknown) => finish(unreachable(url, cause).code));
  });
  const set = (location: 'path' | 'query', name: string, value?: string) => {
    const { [name]: _, ...others } = request[location];
    change({
      ...request,
      [location]: value === undefined ? others : { ...request[location], [name]: value },
    });
  };
  const used = endpoint.parameters.filter(
    ({ location, name }) => location === 'path' || name in request.query,
  );
  const unused = endpoint.parameters.filter((each) => !used.includes(each));
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
              value={request[parameter.location][parameter.name] ?? ''}
              set={(value) => set(parameter.location, parameter.name, value)}
            />
          ))}
          {unused.length > 0 && (
            <Select
              name={words.add}
              value=""
              adds
              options={[['', words.add], ...unused.map(({ name }): Option => [name, name])]}
              onChoose={(name) => {
                const { example, byDefault } = unused.find((each) => each.name === name) ?? {};
                if (name !== '') set('query', name, example || byDefault || '1');
              }}
            />
          )}
          <p class="call-run beside">
            {/* Not `disabled`, which would lose the focus. */}
            <button type="submit" aria-disabled={ran === 'running'}>
              {ran === 'running' ? words.running : words.run}
            </button>
            <a href={url} target="_blank" rel="noreferrer">
              {words.openInTab}
            </a>
            <span role="status" class="fine">
              {typeof ran === 'string' && ran !== 'running' && problemOf(shell, ran)[0]}
              {result && words.answered(String(result.status), String(result.milliseconds))}
              {result?.remaining !== undefined && ` ・ ${words.remaining(String(result.remaining))}`}
            </span>
          </p>
        </form>
      </details>
      {children(result?.body)}
    </>
  );
}

interface FieldProps {
  parameter: ReferenceParameter;
  value: string;
  set: (value?: string) => void;
}

function Field({ parameter: { name, values, type, required }, value, set }: FieldProps) {
  const { words } = useReference();
  const id = useId();
  const isChoice = values.length > 0 && !type.endsWith(',…');
  return (
    <div class="call-field">
      <label for={id}>
        <code>{name}</code>
      </label>
      {isChoice ? (
        <Select id={id} value={value} options={values.map((each) => [each, each])} onChoose={set} />
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
      {!required && (
        <button type="button" class="quiet" aria-label={words.remove(name)} onClick={() => set()}>
          ×
        </button>
      )}
    </div>
  );
}
