import { describe, expect, it } from 'vitest';
import { recordingTerminal } from '../../test/cli/recording-terminal.ts';
import { responseFacts } from 'mokuroku-client/parts';
import { createProgress, noteCount, writeAnswer } from './output.ts';

describe('the number of matches', () => {
  const noted = (shown: number, from: number, all: number | undefined): string => {
    const terminal = recordingTerminal();
    noteCount(terminal, shown, from, all);
    return terminal.written().err.trimEnd();
  };

  it.each([
    [3, 1, undefined, '3 found'],
    [3, 1, 3, '3 found'],
    [3, 1, 4, 'Showing 1–3 of 4; next page: --st 4'],
    [3, 2, 4, 'Showing 2–4 of 4'],
    [3, 2, 5, 'Showing 2–4 of 5; next page: --st 5'],
    [0, 9, 8, '8 found, none from 9 on'],
    [1_000, 2_001, 12_345, 'Showing 2,001–3,000 of 12,345; next page: --st 3001'],
  ])('%i from %i on, of %j: %s', (shown, from, all, text) => {
    expect(noted(shown, from, all)).toBe(text);
  });
});

describe('an answer', () => {
  it('that is stale states for how many minutes', () => {
    const response = responseFacts('', new Response(null, { headers: { Age: String(45 * 60) } }));
    const terminal = recordingTerminal();
    const meta = { cached: true, tookMs: 1, source: 'novelapi', stale: true } as const;
    writeAnswer(terminal, {}, { data: [], meta, response }, { records: [], text: () => '' });
    expect(terminal.written()).toEqual({
      out: '',
      err: 'the upstream is unavailable: data from 45 min ago\n',
    });
  });
});

describe('the progress of several requests', () => {
  it('is a bar of twenty columns, full when all is done, and removed at the end', () => {
    const terminal = recordingTerminal({ errColumns: 80 });
    const progress = createProgress(terminal, 3);
    for (const name of ['a', 'b\u001b', 'c']) progress.step(name);
    progress.end();
    const shown = terminal.written().err.split('\r\u001b[2K').slice(1);
    expect(shown).toEqual([
      `${'█'.repeat(6)}${'░'.repeat(14)} 1/3 a`,
      `${'█'.repeat(13)}${'░'.repeat(7)} 2/3 b `,
      `${'█'.repeat(20)} 3/3 c`,
      '',
    ]);
  });

  it('is no wider than the terminal: wrapped lines could not be redrawn', () => {
    const terminal = recordingTerminal({ errColumns: 30 });
    createProgress(terminal, 120).step('a-rather-long-name.example.com');
    expect(terminal.written().err).toBe(`\r\u001b[2K${'░'.repeat(20)} 1/120 a…`);
  });

  it.each([
    ['a single one', { errColumns: 80 }, 1],
    ['a pipe', { errColumns: undefined }, 3],
  ])('is not shown for %s', (_which, of, total) => {
    const terminal = recordingTerminal(of);
    const progress = createProgress(terminal, total);
    progress.step('a');
    progress.wait(3);
    progress.end();
    expect(terminal.written().err).toBe('');
  });
});
