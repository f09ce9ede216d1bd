export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export function readTheme(text: string | null): Theme {
  return THEMES.find((theme) => theme === text) ?? 'auto';
}

/** Follows the system unless told otherwise. */
export function applyTheme(root: HTMLElement, theme: Theme): void {
  if (theme === 'auto') delete root.dataset['theme'];
  else root.dataset['theme'] = theme;
}
