import { Fact } from '../shell/fact.tsx';
import { CallView } from './call-view.tsx';
import type { SampleChoice } from './call-view.tsx';
import type { ReferenceCall, ReferenceEndpoint, ReferenceField, ReferenceParameter } from './openapi.ts';
import { fieldId, parameterId } from './places.ts';
import { Coded } from './coded.tsx';
import { useReference } from './words.ts';

/** One endpoint: its purpose, a working call, its parameters, its fields and its errors. */
export function EndpointView(props: {
  endpoint: ReferenceEndpoint;
  /** The selected call. */
  call: ReferenceCall | undefined;
  samples: SampleChoice;
}) {
  const { endpoint, call, samples } = props;
  const { words } = useReference();
  const { name, path, summary, description, parameters, fields, errors } = endpoint;
  return (
    <section class="endpoint" id={name} aria-labelledby={`${name}-title`}>
      <h3 id={`${name}-title`}>
        <Coded text={summary} />
      </h3>
      <p class="endpoint-path">
        <span class="call-verb tag">GET</span> <code>{path}</code>
      </p>
      <p>
        <Coded text={description} />
      </p>
      <CallChoice endpoint={endpoint} present={call} />
      {call && <CallView key={call.name} endpoint={endpoint} call={call} samples={samples} />}
      {parameters.length > 0 && <Parameters endpoint={name} parameters={parameters} />}
      {fields.length > 0 && (
        <details open>
          <summary>{words.fields(String(fields.length))}</summary>
          <Fields endpoint={name} fields={fields} />
        </details>
      )}
      <details>
        <summary>{words.errorsOf(String(errors.length))}</summary>
        <ul class="codes beside">
          {errors.map(({ code, status }) => (
            <li key={code}>
              <a class="target" href={`#error-${code}`}>
                <code>
                  {status} {code}
                </code>
              </a>
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
}

/** The other example calls of the endpoint. */
function CallChoice(props: { endpoint: ReferenceEndpoint; present: ReferenceCall | undefined }) {
  const { endpoint, present } = props;
  if (endpoint.calls.length < 2) return null;
  return (
    <ul class="beside tight">
      {endpoint.calls.map((call) => (
        <li key={call.name}>
          <a class="chip" href={`#${call.name}`} aria-current={call === present ? 'true' : undefined}>
            {call.title}
          </a>
        </li>
      ))}
    </ul>
  );
}

function Parameters(props: { endpoint: string; parameters: readonly ReferenceParameter[] }) {
  const { endpoint, parameters } = props;
  const { words } = useReference();
  return (
    <details>
      <summary>
        {words.parameters} ({parameters.length})
      </summary>
      <dl class="pairs ruled">
        {parameters.map((parameter) => (
          <ParameterRow
            key={parameter.name}
            id={parameterId(endpoint, parameter.name)}
            parameter={parameter}
          />
        ))}
      </dl>
    </details>
  );
}

function ParameterRow({ id, parameter }: { id: string; parameter: ReferenceParameter }) {
  const { words } = useReference();
  const { name, location, required, description, type, values, byDefault, example } = parameter;
  const facts = [
    type,
    location === 'path' ? words.inPath : required ? words.required : '',
    values.length > 0 ? words.values(values.join(', ')) : '',
    byDefault === undefined ? '' : words.byDefault(byDefault),
    example === '' ? '' : words.example(example),
  ].filter((fact) => fact !== '');
  return (
    <Fact id={id} name={<code>{name}</code>}>
      <Coded text={description} />
      <br />
      <small class="fine">{facts.join(' · ')}</small>
    </Fact>
  );
}

export function Fields(props: { endpoint: string; fields: readonly ReferenceField[] }) {
  const { endpoint, fields } = props;
  return (
    <dl class="pairs ruled">
      {fields.map(({ name, type, description }) => (
        <Fact key={name} id={fieldId(endpoint, name)} name={<code>{name}</code>}>
          {description !== '' && <Coded text={description} />}{' '}
          <small class="fine" lang="en">
            {type}
          </small>
        </Fact>
      ))}
    </dl>
  );
}
