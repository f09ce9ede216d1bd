import { isPassing } from '@mokuroku/kit/requests';
import { Fact } from '../shell/fact.tsx';
import { Fields, coded } from './endpoint-view.tsx';
import { HEADERS } from './openapi.ts';
import type { Reference } from './openapi.ts';
import { generalFacts } from './places.ts';
import type { ReferenceWords } from './words-ja.ts';
import { useReference } from './words.ts';

/** The first screen: general facts for every reader. */
export function FirstScreen({ service, title }: Pick<Reference, 'service' | 'title'>) {
  const { words } = useReference();
  const { lead, page } = words.services[service];
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
            {coded(text)}
          </Fact>
        ))}
      </dl>
    </>
  );
}

/** Common tasks, each with its endpoint. */
export function Tasks({ endpoints }: Pick<Reference, 'endpoints'>) {
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

export const titleOfTable = (words: ReferenceWords, id: string): string =>
  id === HEADERS ? words.headers : id;

/** The fields of all responses, each once. The first table is the one that is read most. */
export function FieldTables({ tables }: Pick<Reference, 'tables'>) {
  const { words } = useReference();
  return (
    <section id="fields" aria-labelledby="fields-title">
      <h2 id="fields-title">{words.fields}</h2>
      {tables.map(({ id, description, fields }, index) => (
        <details key={id} class="field-table" open={index === 0}>
          <summary id={id}>
            {titleOfTable(words, id)} ({fields.length})
          </summary>
          <p>{coded(id === HEADERS ? words.headersText : description)}</p>
          <Fields table={id} fields={fields} />
        </details>
      ))}
    </section>
  );
}

export function ErrorsView({ errors }: Pick<Reference, 'errors'>) {
  const { words } = useReference();
  return (
    <section id="errors" aria-labelledby="errors-title">
      <h2 id="errors-title">{words.facts.errors}</h2>
      <p>{words.errorsText}</p>
      <dl class="pairs ruled">
        {errors.map(({ code, status, meaning }) => (
          <Fact key={code} id={`error-${code}`} name={<code>{`${status} ${code}`}</code>}>
            {coded(meaning)} {isPassing(Number(status)) && <small class="fine">{words.retry}</small>}
          </Fact>
        ))}
      </dl>
    </section>
  );
}
