import { request } from 'undici';

export interface PatientAnswer<Body> {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Body;
}

/** Queries a service with its overload guard, and retries while that rejects: the test machine may be busy. */
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
