import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { createFetchJson, createSite } from '../../client/fetch-json.ts';
import type { Language } from '../shell/language.ts';
import { AnswerView } from '../shell/answer-view.tsx';
import type { Answered, ApiQuestion } from '../shell/answers.ts';
import { Frame } from '../shell/frame.tsx';
import type { Choices } from '../shell/frame.tsx';
import { mountDocument } from '../shell/mount.tsx';
import { useTitle } from '../shell/page-context.ts';
import { usePortions } from '../shell/portions.ts';
import type { Start } from '../shell/start.ts';
import { useAnswer } from '../shell/use-answer.ts';
import { useSamples } from './call-view.tsx';
import { EndpointView } from './endpoint-view.tsx';
import { Finder, showPlace } from './finder.tsx';
import { readReference } from './openapi.ts';
import type { FieldTable, Reference } from './openapi.ts';
import { ErrorsView, FieldTables, FirstScreen, Tasks } from './overview.tsx';
import { Coded } from './coded.tsx';
import { useReference } from './words.ts';

const openapi = (language: Language): ApiQuestion<Answered & { data: Reference }> => ({
  key: `openapi ${language}`,
  load: async (service, signal) => {
    const fetchJson = createFetchJson(createSite(service, location.origin));
    const path = language === 'ja' ? '/openapi.ja.json' : '/openapi.json';
    const { body, response } = await fetchJson(path, {}, (answer) => 'openapi' in answer, { signal });
    return { data: readReference(body), response };
  },
});

const addressHash = () => location.hash.slice(1);

/** The target of the URL's hash. */
function useHash(): string {
  const [present, setPresent] = useState(addressHash);
  useEffect(() => {
    const showAnchor = () => setPresent(addressHash());
    addEventListener('hashchange', showAnchor);
    return () => removeEventListener('hashchange', showAnchor);
  }, []);
  return present;
}

function ReferencePage({ choices }: { choices: Choices }) {
  const { words, language } = useReference();
  const request = useAnswer(openapi(language));
  const reference = request.answer?.data;
  const serviceWords = reference && words.services[reference.service];
  useTitle(reference?.title ?? 'API');
  return (
    <Frame brand={{ name: words.brand, reading: serviceWords?.reading ?? 'API' }} choices={choices}>
      {!reference && <h1 class="hidden">API</h1>}
      <AnswerView request={request} skeleton={20} notes={false}>
        {({ data }) => <Whole reference={data} />}
      </AnswerView>
    </Frame>
  );
}

function Whole({ reference }: { reference: Reference }) {
  const present = useHash();
  const { words } = useReference();
  useEffect(() => showPlace(present), [present]);
  const headers = { id: 'headers', description: words.headersText, fields: reference.headers };
  const tables = [...reference.tables, headers];
  return (
    <>
      <FirstScreen {...reference} />
      <Finder reference={reference} />
      <div class="reference">
        <Contents reference={reference} tables={tables} />
        <ReferenceBody reference={reference} tables={tables} present={present} />
      </div>
    </>
  );
}

/** Tasks, each endpoint, and errors: a part at a time, unless the address names a place among them. */
function ReferenceBody(props: { reference: Reference; tables: readonly FieldTable[]; present: string }) {
  const { reference, tables, present } = props;
  const samples = useSamples();
  const { endpoints, groups, errors } = reference;
  const parts = endpoints.length + 2;
  const drawn = usePortions(parts, present === '' ? 1 : parts);
  const isWhole = drawn >= parts;
  // Memoized: what is already rendered is not rendered again with the rest.
  const views = useMemo(
    () =>
      endpoints.map((endpoint) => (
        <EndpointView
          key={endpoint.name}
          endpoint={endpoint}
          call={endpoint.calls.find((call) => call.name === present) ?? endpoint.calls[0]}
          samples={samples}
        />
      )),
    [endpoints, present, samples.language],
  );
  return (
    <div class="reference-body" aria-busy={!isWhole}>
      <Tasks endpoints={endpoints} />
      {groups.map(({ name, description }) => {
        const viewsOfGroup = views.filter(
          (_, index) => index < drawn - 1 && endpoints[index]?.group === name,
        );
        if (viewsOfGroup.length === 0) return null;
        return (
          <section key={name} class="group">
            <h2>
              <Coded text={name} />
            </h2>
            <p>
              <Coded text={description} />
            </p>
            {viewsOfGroup}
          </section>
        );
      })}
      {isWhole && (
        <>
          <FieldTables tables={tables} />
          <ErrorsView errors={errors} />
        </>
      )}
    </div>
  );
}

function Contents(props: { reference: Reference; tables: readonly FieldTable[] }) {
  const { groups, endpoints } = props.reference;
  const { words } = useReference();
  const link = (id: string, label: ComponentChildren) => (
    <li key={id}>
      <a class="target" href={`#${id}`}>
        {label}
      </a>
    </li>
  );
  const group = (name: string, links: ComponentChildren) => (
    <li key={name}>
      <details>
        <summary>
          <Coded text={name} />
        </summary>
        <ul>{links}</ul>
      </details>
    </li>
  );
  return (
    <nav class="contents" aria-label={words.contents}>
      <ul>
        {link('tasks', words.tasks)}
        {groups.map(({ name }) =>
          group(
            name,
            endpoints
              .filter((endpoint) => endpoint.group === name)
              .map((endpoint) => link(endpoint.name, <Coded text={endpoint.summary} />)),
          ),
        )}
        {group(
          words.fields,
          props.tables.map(({ id }) => link(id, id === 'headers' ? words.headers : id)),
        )}
        {link('errors', words.errors)}
      </ul>
    </nav>
  );
}

export const mount = (start: Start): Promise<void> =>
  mountDocument(ReferencePage, openapi(start.language), start);
