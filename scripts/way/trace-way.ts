import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createEmbeddedCatalogue } from '../../src/sample/novels/embedded-catalogue.ts';
import { startNarouServer } from '../../src/catalogue/narou-server/server.ts';
import { systemClock } from '../../src/process/clock.ts';

/** A function of src/ under its source name. */
export interface Step {
  readonly file: string;
  readonly name: string;
}

type Function = readonly [file: string, name: string];

interface Call {
  called: Function;
  caller?: Function;
}

/** Requests before the trace, which trigger one-time work. */
const WARM_UP = ['剣', '王', '犬'];
/** A function that not all of these requests called was run by a timer. */
const TRACED = ['猫', '魔法', '世界'];

/** Called everywhere; it calls no further file. */
const CLOCK = 'src/process/clock.ts';
/** Its timer writes the log lines of several requests. */
const LOG_BLOCK = 'src/process/line-block.ts';

/** The bundler numbers functions with equal names: `firstOf2`. */
function nameIn(root: string, [file, name]: Function): string {
  const source = existsSync(path.join(root, file)) ? readFileSync(path.join(root, file), 'utf8') : '';
  const written = name.replace(/^get /, '');
  return new RegExp(`(?<![\\w$])${written}(?![\\w$])`).test(source) ? written : written.replace(/\d+$/, '');
}

/** The functions that call a function of another file, in call order. */
function stepsOf(calls: readonly Call[]): Map<string, Function> {
  const steps = new Map<string, Function>();
  for (const { called, caller } of calls) {
    if (!caller || caller[0] === called[0] || caller[0] === LOG_BLOCK || called[0] === CLOCK) continue;
    steps.set(caller.join(' '), caller);
  }
  return steps;
}

async function startTraced(root: string, upstream: string) {
  const recorder = path.join(root, 'scripts/way/record-calls.mjs');
  const child = spawn(process.execPath, ['--import', recorder, path.join(root, 'dist/cli.js'), 'serve'], {
    env: {
      PATH: process.env['PATH'],
      CATALOGUE_PORT: '0',
      REGISTRATION_PORT: '0',
      CATALOGUE_SOURCE: 'narou',
      NAROU_BASE_URL: upstream,
      NAROU_CONTACT: 'trace@example.com',
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  if (!child.stdout) throw new Error('the service has no output');
  let printed = '';
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    printed += String(chunk);
    const address = /^catalogue\s+(http:\S+)$/m.exec(printed)?.[1];
    if (address !== undefined) {
      child.stdout.resume();
      return { child, address };
    }
  }
  throw new Error(`the service ended:\n${printed}`);
}

/**
 * Traces `GET /v1/novels?word=` through the built service, over a server with the upstream's protocol in this
 * process. Returns every named function of src/ that calls one in another file; calls within a file are omitted.
 */
export async function traceWay(root: string): Promise<Step[]> {
  const catalogue = createEmbeddedCatalogue({ clock: systemClock });
  const upstream = await startNarouServer({ catalogue, clock: systemClock });
  const { child, address } = await startTraced(root, upstream.url);
  const order = async (wish: 'watch' | 'calls') => {
    child.send(wish);
    return ((await once(child, 'message')) as [Call[]])[0];
  };
  const request = async (word: string) => {
    const response = await fetch(`${address}/v1/novels?word=${encodeURIComponent(word)}`);
    if (response.status !== 200) throw new Error(`${word}: ${response.status}`);
    await response.arrayBuffer();
  };
  try {
    for (const word of WARM_UP) await request(word);
    await order('watch');
    const traces: Map<string, Function>[] = [];
    for (const word of TRACED) {
      await request(word);
      traces.push(stepsOf(await order('calls')));
    }
    const [first = new Map<string, Function>(), ...others] = traces;
    return [...first]
      .filter(([key]) => others.every((trace) => trace.has(key)))
      .map(([, step]) => ({ file: step[0], name: nameIn(root, step) }));
  } finally {
    child.kill();
    await once(child, 'exit');
    await upstream.close();
  }
}

const BEGIN = '<!-- way: written by `npm run way` -->';
const END = '<!-- end of way -->';

/** The steps as a list by file, in call order. */
export function printWay(steps: readonly Step[]): string {
  const names = new Map<string, string[]>();
  for (const { file, name } of steps) names.set(file, [...(names.get(file) ?? []), `\`${name}\``]);
  const lines = [...names].map(([file, own]) => `- \`${file.replace(/^src\//, '')}\`: ${own.join(', ')}`);
  return `${BEGIN}\n\n${steps.length} functions in ${names.size} files:\n\n${lines.join('\n')}\n\n${END}`;
}

/** Replaces the list in the text. */
export function withWay(text: string, steps: readonly Step[]): string {
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`There is no ${BEGIN} ... ${END}.`);
  return text.slice(0, begin) + printWay(steps) + text.slice(end + END.length);
}
