import type { z } from 'zod';
import type { LookUpAnswer } from '../registration/endpoints/look-up-schema.ts';
import { createAsk } from './ask.ts';
import type { CallOptions, ClientOptions, ResponseFacts } from './ask.ts';

/** A look-up's answer, as published. */
export type LookUp = z.infer<typeof LookUpAnswer>;

export interface LookUpCallOptions extends CallOptions {
  /** `registrar`: one hop further, to the registrar's own server. */
  follow?: 'registry' | 'registrar' | undefined;
}

export interface RegistrationClient {
  /**
   * GET /:domain. Rejects with MokurokuError: `not_registered` (404, its `details` hold the registry's text),
   * `invalid_domain`, `unknown_tld`, `registry_rate_limited` ...
   */
  lookUp: (domain: string, call?: LookUpCallOptions) => Promise<{ data: LookUp; response: ResponseFacts }>;
}

export const DEFAULT_REGISTRATION_URL = 'http://127.0.0.1:3001';

/** A client of a domain registration lookup service, for browsers and Node. */
export function createRegistrationClient(options: ClientOptions = {}): RegistrationClient {
  const ask = createAsk(options, DEFAULT_REGISTRATION_URL);
  return {
    lookUp: async (domain, call) => {
      const { body, response } = await ask(`/${encodeURIComponent(domain)}`, { follow: call?.follow }, call);
      return { data: body as unknown as LookUp, response };
    },
  };
}
