import { describe, expect, it } from 'vitest';
import { createPreferences } from '../shell/preferences.ts';
import { addRecent, readRecent } from './page.tsx';

function browser() {
  const stored = new Map<string, string>();
  const storage = {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => stored.set(name, value),
  } as unknown as Storage;
  return { stored, preferences: createPreferences(() => storage) };
}

describe('the names looked up last', () => {
  it('are stored latest first, each once, ten at most', () => {
    const { preferences } = browser();
    for (let number = 0; number < 12; number += 1) addRecent(preferences, `${number}.com`);
    addRecent(preferences, '5.com');
    expect(readRecent(preferences)).toEqual(
      [5, 11, 10, 9, 8, 7, 6, 4, 3, 2].map((number) => `${number}.com`),
    );
  });
  it.each(['not json', '{"a":1}', '[1,null]', '""'])('are empty if %s is stored', (text) => {
    const { stored, preferences } = browser();
    stored.set('mokuroku-recent-domains', text);
    expect(readRecent(preferences)).toEqual([]);
  });
});
