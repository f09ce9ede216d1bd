import type { Preferences } from '../shell/preferences.ts';

const NAME = 'recent-domains';
const MOST = 10;

/** The names looked up last in this browser, latest first. What stands there in another form counts as nothing. */
export function readRecent(preferences: Preferences): string[] {
  try {
    const kept: unknown = JSON.parse(preferences.read(NAME) ?? '[]');
    const names = Array.isArray(kept) ? kept.filter((each) => typeof each === 'string') : [];
    return names.slice(0, MOST);
  } catch {
    return [];
  }
}

/** Keeps a name as the latest. */
export function addRecent(preferences: Preferences, domain: string): void {
  const others = readRecent(preferences).filter((each) => each !== domain);
  preferences.write(NAME, JSON.stringify([domain, ...others].slice(0, MOST)));
}

export function clearRecent(preferences: Preferences): void {
  preferences.write(NAME, null);
}
