import { beforeEach, describe, expect, it } from 'vitest';
import { say, startAnsweringServer } from '../../../test/client/answering-server.ts';
import type { AnsweringServer } from '../../../test/client/answering-server.ts';
import { createCatalogueClient, createRegistrationClient } from './index.ts';
import type { ClientOptions } from './index.ts';

let server: AnsweringServer;
beforeEach(async () => {
  server = await startAnsweringServer();
  return server.close;
});

const LINES = { 'Content-Type': 'application/x-ndjson; charset=utf-8' };
const COMPLETE = '{"meta":{"complete":true}}\n';

async function streamedNovels(options?: ClientOptions): Promise<unknown[]> {
  const novels: unknown[] = [];
  const client = createCatalogueClient({ ...options, baseUrl: server.baseUrl });
  for await (const novel of client.novelStream()) novels.push(novel);
  return novels;
}

async function codesOfLookUps(): Promise<unknown[]> {
  const codes: unknown[] = [];
  const { lookUpMany } = createRegistrationClient({ baseUrl: server.baseUrl });
  for await (const { error } of lookUpMany(['a.example', 'b.example'])) codes.push(error?.code);
  return codes;
}

describe('a list of lines', () => {
  it('has its novels up to the line that says that it is complete', async () => {
    const texts = ['{"ncode":"N0001A"}', '{"ncode":"N0002A","title":"題"}'];
    server.answers = [say(200, `${texts.join('\n')}\n${COMPLETE}{"ncode":"N0003A"}\n`, LINES)];
    expect(await streamedNovels()).toEqual(texts.map((text) => JSON.parse(text) as unknown));
  });

  it('waits for its quota, as other calls do', async () => {
    const limited = say(429, { error: { code: 'rate_limited', message: '' } }, { 'Retry-After': '9' });
    server.answers = [limited, say(200, COMPLETE, LINES)];
    const waited: number[] = [];
    const pause = (ms: number) => Promise.resolve(void waited.push(ms));
    expect(await streamedNovels({ waitWhenLimited: true, pause })).toEqual([]);
    expect(waited).toEqual([9_000]);
  });

  it.each([
    ['a number as a line', 200, `5\n${COMPLETE}`, 'not_json'],
    ['null as a line', 200, `null\n${COMPLETE}`, 'not_json'],
    ['a page as a line', 200, `<html>\n${COMPLETE}`, 'not_json'],
    ['lines under the status of an error', 502, `{"ncode":"N0001A"}\n${COMPLETE}`, 'not_json'],
    ['no end', 200, '{"ncode":"N0001A"}\n', 'unreachable'],
    ['an end that is not complete', 200, '{"meta":{"complete":false,"error":{"code":"x"}}}\n', 'x'],
  ])('with %s is an error of the client, after which a retry can help', async (_, status, text, code) => {
    server.answers = [say(status, text, LINES)];
    await expect(streamedNovels()).rejects.toMatchObject({ name: 'MokurokuError', code, retryable: true });
    if (code === 'not_json') expect(await codesOfLookUps()).toEqual(['not_json', 'not_json']);
  });

  it('that a fault of the service ended is not repeated, as under status 500', async () => {
    const last = '{"meta":{"complete":false,"error":{"code":"internal","message":"a"}}}\n';
    server.answers = [say(200, last, LINES)];
    await expect(streamedNovels()).rejects.toMatchObject({ code: 'internal', retryable: false });
  });

  it('has its letters whole, also one that arrives in two parts', async () => {
    const line = Buffer.from(`{"title":"題"}\n${COMPLETE}`);
    const middle = line.indexOf('題') + 1;
    let sendRest = (): void => undefined;
    server.answers = [
      (response) => {
        response.writeHead(200, LINES).write('{"ncode":"N0001A"}\n');
        response.write(line.subarray(0, middle));
        sendRest = () => void response.end(line.subarray(middle));
      },
    ];
    const novels = createCatalogueClient({ baseUrl: server.baseUrl }).novelStream();
    expect((await novels.next()).value).toEqual({ ncode: 'N0001A' });
    sendRest();
    expect((await novels.next()).value).toEqual({ title: '題' });
  });

  it('rejects with the reason of its signal, within a line too', async () => {
    server.answers = [
      (response) => {
        response.writeHead(200, LINES).write('{"ncode":"N0001A"}\n{"ncode":');
      },
    ];
    const controller = new AbortController();
    const client = createCatalogueClient({ baseUrl: server.baseUrl });
    const novels = client.novelStream({}, { signal: controller.signal });
    expect((await novels.next()).value).toEqual({ ncode: 'N0001A' });
    const next = novels.next();
    controller.abort(new Error('enough'));
    await expect(next).rejects.toThrow('enough');
  });
});
