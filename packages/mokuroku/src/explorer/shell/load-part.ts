import { responseFacts, unreachable } from 'mokuroku-client/parts';
import type { Answered, ApiQuestion } from './answers.ts';

/** A script of the page that only some views need. If it fails to load, the network is missing, as for a request. */
export async function loadPart<Part>(part: Promise<Part>): Promise<Part> {
  try {
    return await part;
  } catch (cause) {
    throw unreachable(location.href, cause);
  }
}

/** The script of a view that sends its own requests; loaded and retried like a response. */
export function partQuestion<View>(
  name: string,
  load: () => Promise<View>,
): ApiQuestion<Answered & { View: View }> {
  return {
    key: name,
    load: async () => ({
      View: await loadPart(load()),
      response: responseFacts(location.href, new Response()),
    }),
  };
}
