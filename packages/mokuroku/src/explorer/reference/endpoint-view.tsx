import { useRef } from 'preact/hooks';
import { Fact } from '../shell/fact.tsx';
import { CallView } from './call-view.tsx';
import type { SampleChoice } from './call-view.tsx';
import { fieldId } from './openapi.ts';
import type { ReferenceEndpoint, ReferenceField, ReferenceParameter } from './openapi.ts';
import { parameterId } from './places.ts';
import { useReference } from './words.ts';

interface EndpointProps {
  endpoint: ReferenceEndpoint;
  /** The place that the address names. */
  present: string;
  samples: SampleChoice;
}

/** One endpoint: its purpose, a working call with its responses, its parameters and its fields. */
export function EndpointView({ endpoint, present, samples }: EndpointProps) {
  const { words } = useReference();
  const { name, path, summary, description, calls, parameters, fields, tables } = endpoint;
  // The selected call stays, as it was changed, while the address names another place.
  const selected = useRef(calls[0]?.name);
  if (calls.some((each) => each.name === present)) selected.current = present;
  const call = calls.find((each) => each.name === selected.current);
  return (
    <section class="endpoint" id={name} aria-labelledby={`${name}-title`}>
      <h3 id={`${name}-title`}>{coded(summary)}</h3>
      <p class="endpoint-path">
        <span class="call-verb tag">GET</span> <code>{path}</code>
      </p>
      <p>{coded(description)}</p>
      {calls.length > 1 && (
        <ul class="beside tight">
          {calls.map((each) => (
            <li key={each.name}>
              <a class="chip" href={`#${each.name}`} aria-current={each === call ? 'true' : undefined}>
                {each.title}
              </a>
            </li>
          ))}
        </ul>
      )}
      {call && <CallView key={call.name} endpoint={endpoint} call={call} samples={samples} />}
      {parameters.length > 0 && <Parameters {...endpoint} />}
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

function Parameters({ name: endpoint, parameters }: ReferenceEndpoint) {
  const { words } = useReference();
  const factsOf = ({ type, location, required, values, byDefault, example }: ReferenceParameter) => [
    type,
    location === 'path' ? words.inPath : required && words.required,
    values.length > 0 && words.values(values.join(', ')),
    byDefault !== undefined && words.byDefault(byDefault),
    example !== '' && words.example(example),
  ];
  return (
    <details>
      <summary>
        {words.parameters} ({parameters.length})
      </summary>
      <dl class="pairs ruled">
        {parameters.map((parameter) => (
          <Fact
            key={parameter.name}
            id={parameterId(endpoint, parameter.name)}
            name={<code>{parameter.name}</code>}
          >
            {coded(parameter.description)}
            <br />
            <small class="fine">{factsOf(parameter).filter(Boolean).join(' · ')}</small>
          </Fact>
        ))}
      </dl>
    </details>
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
            {coded(description)} <FieldType type={type} />
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

/** Plain text with `code`. */
export const coded = (text: string) =>
  text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));
