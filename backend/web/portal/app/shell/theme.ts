import { keepForDocument } from '../platform/browser.ts';

export type Theme = 'system' | 'light' | 'dark';

/** The theme of the document. */
export function currentTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

/** Changes the theme at once, and for the documents that the server writes for this browser. */
export function changeTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  keepForDocument('florin_theme', theme === 'system' ? undefined : theme);
}
