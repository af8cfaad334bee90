import { applyMode, Mode } from '@cloudscape-design/global-styles';

type Theme = 'light' | 'dark';

const KEY = 'lead-ingest.theme';

/** The owner's choice in this browser, or the system's preference. */
export function rememberedTheme(): Theme {
  const chosen = localStorage.getItem(KEY);
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

export function applyTheme(theme: Theme): void {
  applyMode(theme === 'dark' ? Mode.Dark : Mode.Light);
  document.documentElement.style.colorScheme = theme;
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme);
  applyTheme(theme);
}
