import { MokurokuError } from '../client/index.ts';
import type { LookUp, RegistrationClient } from '../client/index.ts';

/** What came of one name. */
export interface NameOutcome {
  name: string;
  answer?: LookUp;
  error?: MokurokuError;
  isSample: boolean;
}

const AT_ONCE = 4;

/**
 * Looks names up, a few at once, and yields the outcomes in the order of the names, each as soon as all before it are
 * there. Rejects only when aborted.
 */
export async function* lookUpMany(
  client: RegistrationClient,
  names: readonly string[],
  call: NonNullable<Parameters<RegistrationClient['lookUp']>[1]>,
): AsyncGenerator<NameOutcome, void, undefined> {
  const underWay: Promise<NameOutcome>[] = [];
  let next = 0;
  const ask = async (name: string): Promise<NameOutcome> => {
    try {
      const { data, response } = await client.lookUp(name, call);
      return { name, answer: data, isSample: response.sample };
    } catch (error) {
      if (error instanceof MokurokuError) return { name, error, isSample: false };
      throw error;
    }
  };
  while (next < names.length || underWay.length > 0) {
    while (next < names.length && underWay.length < AT_ONCE) {
      const asked = ask(names[next] ?? '');
      // An abort rejects all that are under way; the first that is awaited tells of it.
      asked.catch(() => undefined);
      underWay.push(asked);
      next++;
    }
    const first = underWay.shift();
    if (first) yield await first;
  }
}
