import { applyMode, Mode } from '@cloudscape-design/global-styles';

export type Theme = 'light' | 'dark';

const THEME_KEY = 'lead-ingest.theme';

/** The owner's choice in this browser, or the system's preference. */
export function rememberedTheme(): Theme {
  const chosen = localStorage.getItem(THEME_KEY);
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

export function applyTheme(theme: Theme): void {
  applyMode(theme === 'dark' ? Mode.Dark : Mode.Light);
  document.documentElement.style.colorScheme = theme;
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(THEME_KEY, theme);
  applyTheme(theme);
}
