import { useRef } from 'preact/hooks';
import { createRegistrationClient } from 'mokuroku-client/source';
import { DATES } from 'mokuroku-whois/record';
import { useOwnForm } from '../shell/own-forms.ts';
import { useShell } from '../shell/page-context.ts';
import { ShelfList } from '../shell/shelf-list.tsx';
import { useShelf } from '../shell/shelf-parts.tsx';
import { followedItemKey } from '../shell/shelf.ts';
import type { Facts, FollowedItem, ChangedFact, ShelfNews } from '../shell/shelf.ts';
import { useAnswer } from '../shell/use-answer.ts';
import type { Answered, ApiQuestion } from '../shell/answers.ts';
import { wordFor } from '../shell/words.ts';
import { calendarOf, hrefOf, isAnswer } from './domain-url.ts';
import { followedFacts, resultOf } from './many.ts';
import { nameOfState, textOfAbsence, useDomain } from './words.ts';

/** The registrations of all followed names, in one request. A name whose look-up fails is left unchanged. */
function namesQuestion(names: readonly string[]): ApiQuestion<Answered & { data: ShelfNews }> {
  return {
    key: JSON.stringify(['shelf', names]),
    load: async (service, signal) => {
      const news = new Map<string, { label: string; facts: Facts }>();
      let first: Answered['response'] | undefined;
      let failed: Error | undefined;
      const outcomes = createRegistrationClient(service).lookUpMany(names, { signal });
      for await (const outcome of outcomes) {
        const { name, error, response } = outcome;
        first ??= response;
        if (isAnswer(outcome)) {
          const facts = followedFacts(resultOf(outcome));
          news.set(followedItemKey({ kind: 'domain', id: name }), { label: name, facts });
        } else failed ??= error;
      }
      if (news.size === 0 && failed) throw failed;
      if (!first) throw new TypeError('no response');
      return { data: { facts: news }, response: first };
    },
  };
}

/** The followed names, with the changes since the last visit. */
export function ShelfSection() {
  const { words, format, language } = useDomain();
  const shell = useShell().words;
  const shelf = useShelf();
  const names = shelf.followed.filter(({ kind }) => kind === 'domain').map(({ id }) => id);
  useOwnForm(names.length === 0 ? undefined : words.calendar, calendarOf(location.host, names, language));
  // Each name counts against the reader's limit: the others are not looked up again when one is removed.
  const loaded = useRef(names);
  if (names.length === 0 || !names.every((name) => loaded.current.includes(name))) loaded.current = names;
  const request = useAnswer(names.length === 0 ? null : namesQuestion(loaded.current));
  const facts: Readonly<Record<string, readonly [label: string, write: (value: string) => string]>> = {
    state: [words.status, (state) => nameOfState(words, shell, state)],
    ending: [words.ending, (ending) => wordFor(words.endings, ending)],
    registrar: [words.registrarName, String],
    expires: [DATES.expirationDate.label[language], format.instant],
  };
  const write = (name: string, value: ChangedFact['after'] = null): string =>
    value === '' || value === null
      ? textOfAbsence(words, value)
      : (facts[name]?.[1] ?? String)(String(value));
  const factsOf = ({ latest }: FollowedItem) => {
    if (!latest) return [];
    const { state, ending, expires, registrar } = latest;
    return [
      write('state', state),
      ending != null && ending !== 'none' && write('ending', ending),
      expires != null && `${DATES.expirationDate.label[language]} ${write('expires', expires)}`,
      registrar != null && String(registrar),
    ];
  };
  return (
    <section class="shelf" aria-labelledby="shelf">
      <h2 id="shelf">{shell.shelf.title}</h2>
      <ShelfList
        kinds={['domain']}
        request={request}
        hrefOf={({ id }) => hrefOf({ names: [id] })}
        say={({ name, before, after }) =>
          words.shelfMoved(facts[name]?.[0] ?? name, write(name, before), write(name, after))
        }
        factsOf={factsOf}
        how={words.shelfHow}
      >
        <a class="chip" href={hrefOf({ name: 'many', names, soonest: true })}>
          {words.inOrder.soonest}
        </a>
      </ShelfList>
    </section>
  );
}
