import { useEffect, useRef, useState } from 'preact/hooks';
import { createRegistrationClient } from 'mokuroku-client/source';
import { useOnlineEvent } from '../shell/use-answer.ts';
import { usePage } from '../shell/page-context.ts';
import { domainQuestion, isAnswer } from './domain-url.ts';
import { resultOf } from './many.ts';
import type { NameResult } from './many.ts';

/** A reader who watches a table fill can wait this long. */
const MAX_WAIT_SECONDS = 3_600;

/** The result of each name as responses arrive; beyond the limit it continues by itself when the limit allows. */
export function useLookUps(names: readonly string[]) {
  const { answers, log } = usePage();
  /** Key of the requests. */
  const key = `look-ups ${names.join()}`;
  useEffect(() => log.show(key), [key]);
  const [results, setResults] = useState<ReadonlyMap<string, NameResult>>(() => {
    const cached = names.map((name) => [name, answers.cached(domainQuestion(name))] as const);
    return new Map(cached.flatMap(([name, answer]) => (answer ? [[name, resultOf(answer)]] : [])));
  });
  const abort = useRef(new AbortController());
  const lookUp = async (some: readonly string[]) => {
    const call = { signal: abort.current.signal, waitWhenLimited: { maxSeconds: MAX_WAIT_SECONDS } };
    try {
      const outcomes = createRegistrationClient(log.record(key)).lookUpMany(some, call);
      for await (const outcome of outcomes) {
        const { name } = outcome;
        if (isAnswer(outcome)) answers.store(domainQuestion(name), outcome);
        setResults((before) => new Map(before).set(name, resultOf(outcome)));
      }
    } catch {
      if (abort.current.signal.aborted) return;
      // Rejected names are results. After any other failure each remaining name has a button to retry.
      const failed = some.map((name) => [name, { state: 'other', isPassing: true }] as const);
      setResults((before) => new Map<string, NameResult>([...failed, ...before]));
    }
  };
  const lookUpAgain = (some: readonly string[]) => {
    setResults((before) => new Map([...before].filter(([name]) => !some.includes(name))));
    void lookUp(some);
  };
  useEffect(() => {
    void lookUp(names.filter((name) => !results.has(name)));
    return () => abort.current.abort();
  }, []);
  const current = useRef(results);
  current.current = results;
  useOnlineEvent(() => {
    const unreachable = names.filter((name) => current.current.get(name)?.state === 'unreachable');
    if (unreachable.length > 0) lookUpAgain(unreachable);
  });
  return { key, results, lookUpAgain: (name: string) => lookUpAgain([name]) };
}
