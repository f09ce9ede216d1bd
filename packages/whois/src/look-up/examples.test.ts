import { beforeAll } from 'vitest';
import { record, rootObject } from '../../test/loopback-world.ts';
import { blocksOf, examplesOf, testExamples } from '../../../../test/run-examples.ts';
import { startWhoisServer } from '../../../mokuroku/src/registration/sample/loopback-server.ts';
import * as door from '../index.ts';

const NIC = 'whois.nic.example';
let names: Record<string, unknown> = {};

/** The root and the registry of every zone on loopback; names that begin with `free` are not registered. */
beforeAll(async () => {
  const root = await startWhoisServer((tld, socket) => socket.end(rootObject(tld, NIC)));
  const registry = await startWhoisServer((name, socket) =>
    socket.end(name.startsWith('free') ? `No match for "${name}".\r\n` : record(name)),
  );
  const createLookUpClient = (options: door.LookUpClientOptions = {}) =>
    door.createLookUpClient({
      whoisRoot: `127.0.0.1:${root.port}`,
      hostMap: { [NIC]: `127.0.0.1:${registry.port}` },
      allowedCidrs: ['127.0.0.1/32'],
      rdapBootstrap: 'bundled',
      timeoutMs: 30_000,
      ...options,
    });
  const client = createLookUpClient();
  names = { ...client, createLookUpClient };
  return async () => {
    client.close();
    await Promise.all([root.close(), registry.close()]);
  };
});

const FILES = [
  '../index.ts',
  './look-up-error.ts',
  '../net/server-fault.ts',
  '../whois/parsers/parse-whois-text.ts',
  '../whois/servers.ts',
];
const examples = [
  ...FILES.flatMap((file) => examplesOf(new URL(file, import.meta.url))),
  ...blocksOf(new URL('../../README.md', import.meta.url)),
  ...blocksOf(new URL('../../../../README.md', import.meta.url)).filter(({ code }) =>
    code.includes('mokuroku-whois'),
  ),
].map(({ title, code }) => ({ title: title.replace('parseWhoisText', 'parseWhois'), code }));

testExamples(door, examples, () => names);
