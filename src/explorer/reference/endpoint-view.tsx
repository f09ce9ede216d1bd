import { Fact } from '../shell/fact.tsx';
import { CallView } from './call-view.tsx';
import type { SampleChoice } from './call-view.tsx';
import { fieldId } from './openapi.ts';
import type { ReferenceCall, ReferenceEndpoint, ReferenceField, ReferenceParameter } from './openapi.ts';
import { parameterId } from './places.ts';
import { Coded } from './coded.tsx';
import { useReference } from './words.ts';

/** One endpoint: its purpose, a working call with its responses, its parameters and its fields. */
export function EndpointView(props: {
  endpoint: ReferenceEndpoint;
  /** The selected call. */
  call: ReferenceCall | undefined;
  samples: SampleChoice;
}) {
  const { endpoint, call, samples } = props;
  const { words } = useReference();
  const { name, path, summary, description, parameters, fields, tables } = endpoint;
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
      {tables.length > 0 && (
        <p>
          {words.tablesOf} <FieldType type={tables.join(' ・ ')} />
        </p>
      )}
      {fields.length > 0 && (
        <details>
          <summary>{words.fieldsOf(String(fields.length))}</summary>
          <Fields table={name} fields={fields} />
        </details>
      )}
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

/** A type whose shared schemas link to their tables. */
function FieldType({ type }: { type: string }) {
  const parts = type.split(/(?<!")\b([A-Z]\w+)/);
  return (
    <small class="fine" lang="en">
      {parts.map((part, index) =>
        index % 2 === 1 ? (
          <a key={index} href={`#${part}`}>
            {part}
          </a>
        ) : (
          part
        ),
      )}
    </small>
  );
}

/** Fields that another table describes are links. */
export function Fields(props: { table: string; fields: readonly ReferenceField[] }) {
  const { table, fields } = props;
  const { words } = useReference();
  const isOwn = ({ id, name }: ReferenceField) => id === fieldId(table, name);
  const others = fields.filter((field) => !isOwn(field));
  return (
    <>
      <dl class="pairs ruled">
        {fields.filter(isOwn).map(({ id, name, type, description }) => (
          <Fact key={id} id={id} name={<code>{name}</code>}>
            {description !== '' && <Coded text={description} />} <FieldType type={type} />
          </Fact>
        ))}
      </dl>
      {others.length > 0 && (
        <ul class="beside" aria-label={words.sharedFields}>
          <li>{words.sharedFields}:</li>
          {others.map(({ id, name }) => (
            <li key={id}>
              <a class="target" href={`#${id}`}>
                <code>{name}</code>
              </a>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
