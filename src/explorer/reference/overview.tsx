import { Fact, FactList } from '../shell/fact.tsx';
import type { Stated } from '../shell/fact.tsx';
import { useShell } from '../shell/page-context.ts';
import { Fields } from './endpoint-view.tsx';
import type { Reference, ReferenceEndpoint, ReferenceError } from './openapi.ts';
import { Coded, PublishedText } from './published-text.tsx';
import { useReference } from './words.ts';

export type ServiceName = 'catalogue' | 'registration';

/** The first screen: general facts for every reader. */
export function FirstScreen({ service }: { service: ServiceName }) {
  const { words } = useReference();
  const serviceWords = words.services[service];
  const facts = [
    [words.facts.limits, words.limits],
    [words.facts.answers, serviceWords.form],
    [words.facts.errors, words.errorForm],
    [words.facts.caching, words.caching],
    [words.facts.terms, serviceWords.terms],
  ].map(([name = '', text = '']): Stated => [name, <Coded text={text} />]);
  const address = (
    <>
      <code>{location.origin}</code>
      <br />
      {words.anyOrigin} <a href="/">{serviceWords.page}</a>
    </>
  );
  return (
    <>
      <h1 tabIndex={-1}>{serviceWords.title}</h1>
      <p class="lead">{serviceWords.lead}</p>
      <FactList facts={[[words.facts.address, address], ...facts]} look="first-facts" />
    </>
  );
}

/** Common tasks, each with its endpoint. */
export function Tasks({ endpoints }: { endpoints: readonly ReferenceEndpoint[] }) {
  const { words, language } = useReference();
  return (
    <section id="tasks" aria-labelledby="tasks-title">
      <h2 id="tasks-title">{words.tasks}</h2>
      <ul class="tasks ruled">
        {endpoints.flatMap(({ calls, path }) =>
          calls.map(({ name, title, titleJa }) => (
            <li key={name}>
              <a href={`#${name}`}>{language === 'ja' ? titleJa : title}</a>
              <code class="fine">{path}</code>
            </li>
          )),
        )}
      </ul>
    </section>
  );
}

export function MetaView({ meta }: Pick<Reference, 'meta'>) {
  const { words } = useReference();
  if (meta.length === 0) return null;
  return (
    <section id="meta" aria-labelledby="meta-title">
      <h2 id="meta-title">{words.meta}</h2>
      <p>{words.metaText}</p>
      <Fields endpoint="meta" fields={meta} />
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
  const { words, language } = useReference();
  const { problems } = useShell().words;
  const [title] = problems[code] ?? [];
  return (
    <Fact id={`error-${code}`} name={<code>{`${status} ${code}`}</code>}>
      {language === 'ja' && title !== undefined ? title : <PublishedText text={meaning} />}
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
