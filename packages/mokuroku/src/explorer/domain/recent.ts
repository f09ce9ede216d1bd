import type { Preferences } from '../shell/preferences.ts';

const NAME = 'recent-domains';
const MAX_RECENT = 10;

/** The last names looked up in this browser, latest first. Empty if the stored text is invalid. */
export function readRecent(preferences: Preferences): string[] {
  try {
    const stored: unknown = JSON.parse(preferences.read(NAME) ?? '[]');
    const names = Array.isArray(stored) ? stored.filter((each) => typeof each === 'string') : [];
    return names.slice(0, MAX_RECENT);
  } catch {
    return [];
  }
}

/** Stores a name as the latest. */
export function addRecent(preferences: Preferences, domain: string): void {
  const others = readRecent(preferences).filter((each) => each !== domain);
  preferences.write(NAME, JSON.stringify([domain, ...others].slice(0, MAX_RECENT)));
}

export function clearRecent(preferences: Preferences): void {
  preferences.write(NAME, null);
}
