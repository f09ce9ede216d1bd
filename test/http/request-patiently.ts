import { request } from 'undici';

export interface PatientAnswer<Body> {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Body;
}

/**
 * Asks a service as it is shipped, with its guard against overload, and again while that refuses: the machine that
 * runs the tests may be busy with others.
 */
export async function requestPatiently<Body>(
  url: string,
  headers: Record<string, string> = {},
): Promise<PatientAnswer<Body>> {
  for (;;) {
    const answer = await request(url, { headers });
    const body = (await answer.body.json()) as Body & { error?: { code: string } };
    if (body.error?.code !== 'overloaded') {
      return { status: answer.statusCode, headers: answer.headers, body };
    }
  }
}
