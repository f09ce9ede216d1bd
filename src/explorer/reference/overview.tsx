import { Fact } from '../shell/fact.tsx';
import { Fields } from './endpoint-view.tsx';
import type { Reference, ReferenceEndpoint, ReferenceError, ReferenceField } from './openapi.ts';
import { generalFacts } from './places.ts';
import { Coded } from './coded.tsx';
import { useReference } from './words.ts';

/** The first screen: general facts for every reader. */
export function FirstScreen({ service }: Pick<Reference, 'service'>) {
  const { words } = useReference();
  const { title, lead, page } = words.services[service];
  return (
    <>
      <h1 tabIndex={-1}>{title}</h1>
      <p class="lead">{lead}</p>
      <dl class="first-facts">
        {generalFacts(words, service).map(({ id, name, text }) => (
          <Fact key={id} id={id} name={name}>
            {id === 'about-address' && (
              <>
                <code>{location.origin}</code> <a href="/">{page}</a>
                <br />
              </>
            )}
            <Coded text={text} />
          </Fact>
        ))}
      </dl>
    </>
  );
}

/** Common tasks, each with its endpoint. */
export function Tasks({ endpoints }: { endpoints: readonly ReferenceEndpoint[] }) {
  const { words } = useReference();
  return (
    <section id="tasks" aria-labelledby="tasks-title">
      <h2 id="tasks-title">{words.tasks}</h2>
      <ul class="tasks ruled">
        {endpoints.flatMap(({ calls, path }) =>
          calls.map(({ name, title }) => (
            <li key={name}>
              <a href={`#${name}`}>{title}</a>
              <code class="fine">{path}</code>
            </li>
          )),
        )}
      </ul>
    </section>
  );
}

/** What responses have in common: the members around the data, or the headers. */
export function CommonFields(props: {
  id: 'meta' | 'headers';
  title: string;
  text: string;
  fields: readonly ReferenceField[];
}) {
  const { id, title, text, fields } = props;
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      <p>{text}</p>
      <Fields endpoint={id} fields={fields} />
    </section>
  );
}

export function ErrorsView({ errors }: Pick<Reference, 'errors'>) {
  const { words } = useReference();
  return (
    <section id="errors" aria-labelledby="errors-title">
      <h2 id="errors-title">{words.errors}</h2>
      <p>{words.errorsText}</p>
      <dl class="pairs ruled">
        {errors.map((error) => (
          <ErrorView key={error.code} error={error} />
        ))}
      </dl>
    </section>
  );
}

const LATER: ReadonlySet<string> = new Set(['429', '502', '503', '504']);

function ErrorView({ error: { code, status, meaning, example } }: { error: ReferenceError }) {
  const { words } = useReference();
  return (
    <Fact id={`error-${code}`} name={<code>{`${status} ${code}`}</code>}>
      <Coded text={meaning} />
      {LATER.has(status) && (
        <small class="fine">
          {' '}
          {words.retry}: {words.retryable}
        </small>
      )}
      {example !== undefined && <pre tabIndex={0}>{JSON.stringify(example, null, 2)}</pre>}
    </Fact>
  );
}
