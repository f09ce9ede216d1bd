import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { asJson, createTransport, fetchBody } from 'mokuroku-client/parts';
import type { Language } from '../shell/preferences.ts';
import { AnswerView } from '../shell/answer-view.tsx';
import type { Answered, ApiQuestion } from '../shell/answers.ts';
import { Frame } from '../shell/frame.tsx';
import { mountPage } from '../shell/mount.tsx';
import { usePreference, useSettled, useTitle } from '../shell/page-context.ts';
import { usePortions } from '../shell/progress.ts';
import type { Start } from '../shell/start.ts';
import { useAnswer } from '../shell/use-answer.ts';
import { EndpointView, coded } from './endpoint-view.tsx';
import { Finder, showPlace } from './finder.tsx';
import { readReference } from './openapi.ts';
import type { Reference } from './openapi.ts';
import { ErrorsView, FieldTables, FirstScreen, Tasks, titleOfTable } from './overview.tsx';
import { LANGUAGES } from './samples.ts';
import { useReference } from './words.ts';

const isOpenapi = asJson((body) => 'openapi' in body);

const openapi = (language: Language): ApiQuestion<Answered & { data: Reference }> => ({
  key: `openapi ${language}`,
  load: async (service, signal) => {
    const transport = createTransport(service, location.origin);
    const path = language === 'ja' ? '/openapi.ja.json' : '/openapi.json';
    const { data, response } = await fetchBody(transport, path, {}, isOpenapi, { signal });
    return { data: readReference(data), response };
  },
});

/** The target of the URL's hash; `isNew`: not one that the reader has gone back to. */
const readAddress = () => ({ present: location.hash.slice(1), isNew: history.state === null });

function useAddress() {
  const { navigator } = useReference();
  const [address, setAddress] = useState(readAddress);
  useEffect(() => navigator.onChange(() => setAddress(readAddress())), [navigator]);
  return address;
}

function ReferencePage() {
  const { words, language } = useReference();
  const request = useAnswer(openapi(language));
  const reference = request.answer?.data;
  const serviceWords = reference && words.services[reference.service];
  useTitle(reference?.title ?? 'API');
  return (
    <Frame brand={{ name: words.brand, reading: serviceWords?.reading ?? 'API' }}>
      {!reference && <h1 class="hidden">API</h1>}
      <AnswerView request={request} skeleton={20} notes={false}>
        {({ data }) => <Whole reference={data} />}
      </AnswerView>
    </Frame>
  );
}

function Whole({ reference }: { reference: Reference }) {
  const address = useAddress();
  useLayoutEffect(() => {
    if (address.isNew) showPlace(address.present);
  }, [address]);
  return (
    <>
      <FirstScreen {...reference} />
      <Finder reference={reference} />
      <div class="reference">
        <Contents {...reference} />
        <ReferenceBody {...reference} present={address.present} />
      </div>
    </>
  );
}

/** Tasks, endpoints, fields and errors: a group at a time, unless the address names a place among them. */
function ReferenceBody({ endpoints, groups, tables, errors, present }: Reference & { present: string }) {
  const [chosen, choose] = usePreference('samples');
  const language = LANGUAGES.find((each) => each === chosen) ?? 'curl';
  const all = groups.length + 1;
  const drawn = usePortions(all, present === '' ? 1 : all);
  useSettled(drawn >= all);
  // Memoized: what is already rendered is not rendered again with the rest.
  const views = useMemo(
    () =>
      // By index: in another language it is the same part with another name.
      groups.map(({ name, description, ...group }, index) => (
        <section key={index} class="group">
          <h2>{coded(name)}</h2>
          <p>{coded(description)}</p>
          {group.endpoints.map((endpoint) => (
            <EndpointView
              key={endpoint.name}
              endpoint={endpoint}
              present={present}
              samples={{ language, choose }}
            />
          ))}
        </section>
      )),
    [groups, present, language],
  );
  return (
    <div class="reference-body" aria-busy={drawn < all}>
      <Tasks endpoints={endpoints} />
      {views.slice(0, drawn)}
      {drawn >= all && (
        <>
          <FieldTables tables={tables} />
          <ErrorsView errors={errors} />
        </>
      )}
    </div>
  );
}

type Link = readonly [id: string, label: ComponentChildren];

function Contents({ groups, tables }: Reference) {
  const { words } = useReference();
  const link = ([id, label]: Link) => (
    <li key={id}>
      <a class="target" href={`#${id}`}>
        {label}
      </a>
    </li>
  );
  const group = (name: string, links: readonly Link[]) => (
    <li key={name}>
      <details>
        <summary>{coded(name)}</summary>
        <ul>{links.map(link)}</ul>
      </details>
    </li>
  );
  return (
    <nav class="contents" aria-label={words.contents}>
      <ul>
        {link(['tasks', words.tasks])}
        {groups.map(({ name, endpoints }) =>
          group(
            name,
            endpoints.map((each) => [each.name, coded(each.summary)]),
          ),
        )}
        {group(
          words.fields,
          tables.map(({ id }) => [id, titleOfTable(words, id)]),
        )}
        {link(['errors', words.facts.errors])}
      </ul>
    </nav>
  );
}

export const mount = (start: Start): Promise<void> =>
  mountPage(ReferencePage, () => openapi(start.language), start);
