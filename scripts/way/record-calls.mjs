import { Session } from 'node:inspector';

// Preloaded into a built service (`--import`). `watch` sets a breakpoint that never stops at each named function of ours
// that has run so far; `calls` answers which of them ran since, each with the function that called it.
const session = new Session();
session.connect();

/** Within its own thread a session calls back before `post` returns. */
function post(method, parameters) {
  let result;
  session.post(method, parameters, (error, value) => {
    if (error) throw error;
    result = value;
  });
  return result;
}

const isOurs = (url) => /\/dist\/(?:chunks\/)?[^/]+\.js$/.test(url);

/** By script id, and by URL. */
const scripts = new Map();
session.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => {
  if (!isOurs(url)) return;
  const text = post('Debugger.getScriptSource', { scriptId }).scriptSource;
  const lines = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines.push(at + 1);
  const script = { text, lines, functions: [] };
  scripts.set(scriptId, script).set(url, script);
});
post('Debugger.enable');
post('Profiler.enable');
post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

function locationOf(scriptId, offset) {
  const { lines } = scripts.get(scriptId);
  const lineNumber = lines.findLastIndex((begin) => begin <= offset);
  return { scriptId, lineNumber, columnNumber: offset - lines[lineNumber] };
}

/** The bundler writes the name of each file above its code. */
function fileAt({ text }, offset) {
  const begun = [...text.slice(0, offset).matchAll(/^\/\/ (\S+)$/gm)];
  return begun.at(-1)?.[1] ?? '';
}

/** `[file, name]` of each function that is watched. */
const watched = [];

function watch() {
  const { result } = post('Profiler.takePreciseCoverage');
  for (const { scriptId, url, functions } of result.filter((each) => isOurs(each.url))) {
    const script = scripts.get(url);
    for (const { functionName, ranges } of functions) {
      const [{ startOffset, endOffset, count }] = ranges;
      const file = fileAt(script, startOffset);
      if (count === 0 || !/^[\w$# ]+$/.test(functionName) || !file.startsWith('src/')) continue;
      const start = locationOf(scriptId, startOffset);
      const end = locationOf(scriptId, endOffset);
      const { locations } = post('Debugger.getPossibleBreakpoints', { start, end, restrictToFunction: true });
      if (locations.length === 0) continue;
      const id = watched.push([file, functionName]) - 1;
      script.functions.push({ id, startOffset, endOffset });
      post('Debugger.setBreakpoint', { location: locations[0], condition: `noteCall(${id})` });
    }
  }
}

/** The named function that a line of a stack lies in, if it is one of ours. */
function functionAt(frame) {
  const [, url, line, column] = /(file:\S+?):(\d+):(\d+)\)?$/.exec(frame ?? '') ?? [];
  const script = scripts.get(url);
  if (!script) return undefined;
  const offset = script.lines[line - 1] + Number(column) - 1;
  const around = script.functions.filter((each) => each.startOffset <= offset && offset < each.endOffset);
  return around.sort((a, b) => b.startOffset - a.startOffset)[0]?.id;
}

let calls = [];
// The condition of each breakpoint: never true.
globalThis.noteCall = (id) => {
  // Of the stack: the error's message, this function, the condition, the function itself, and then its caller.
  calls.push([id, new Error('called').stack.split('\n')[4]]);
  return false;
};

process.on('message', (wish) => {
  if (wish === 'watch') watch();
  process.send(calls.map(([id, frame]) => ({ called: watched[id], caller: watched[functionAt(frame)] })));
  calls = [];
});
