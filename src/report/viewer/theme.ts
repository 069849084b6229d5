/**
 * Light and dark: as the reader's system is, until they choose. Charts are drawn in the colours themselves rather than
 * in CSS variables, so that a saved picture looks like the page; they are drawn anew when the theme changes.
 */
import type { Tone } from '../charts.js';
import { button } from './element.js';
import { onPrinting, printing } from './printing.js';
import { tell, watch } from './watching.js';

export interface Theme {
  readonly name: 'light' | 'dark';
  readonly paper: string;
  readonly ink: string;
  readonly faint: string;
  readonly line: string;
  readonly above: string;
  readonly below: string;
  /** Distinguished also by people who do not tell red from green; each at least 3 : 1 against the paper. */
  readonly series: readonly string[];
  /** Distinguished as the series are. */
  readonly tones: Readonly<Record<Tone, string>>;
  /** Ends of a scale from low to high, and of the two sides of zero. */
  readonly low: string;
  readonly high: string;
}

const themes: Readonly<Record<Theme['name'], Theme>> = {
  light: {
    name: 'light',
    paper: '#ffffff',
    ink: '#1b2230',
    faint: '#586173',
    line: '#e1e5ec',
    above: '#1666b0',
    below: '#bf4f0b',
    series: ['#1666b0', '#bf4f0b', '#0a7d5c', '#a33f80', '#77690a', '#5a6270'],
    tones: { theirs: '#5a6270', holds: '#0a7d5c', contradicted: '#bf4f0b', open: '#1666b0' },
    low: '#eef4fb',
    high: '#0f5597',
  },
  dark: {
    name: 'dark',
    paper: '#171b22',
    ink: '#e6e9f0',
    faint: '#a0a9ba',
    line: '#2f3643',
    above: '#62aef2',
    below: '#f79a5c',
    series: ['#62aef2', '#f79a5c', '#43cba0', '#e592c6', '#d8c650', '#b4bac6'],
    tones: { theirs: '#b4bac6', holds: '#43cba0', contradicted: '#f79a5c', open: '#62aef2' },
    low: '#1f2a38',
    high: '#7dbcf5',
  },
};

const systemDark = window.matchMedia('(prefers-color-scheme: dark)');
let chosen: Theme['name'] | undefined;

export function currentTheme(): Theme {
  if (printing()) return themes.light; // ink on paper
  return themes[chosen ?? (systemDark.matches ? 'dark' : 'light')];
}

/** Calls back whenever the colours change, as long as the element is on the page. */
export function onThemeChange(owner: Element, listener: () => void): void {
  watch(owner, 'theme', listener);
}

function changed(): void {
  document.documentElement.dataset.theme = currentTheme().name;
  tell('theme');
}

export function watchTheme(): void {
  systemDark.addEventListener('change', changed);
  onPrinting(document.documentElement, changed);
  changed();
}

export function themeButton(): HTMLButtonElement {
  const label = () => (currentTheme().name === 'dark' ? 'Light' : 'Dark');
  const made = button(
    label(),
    () => {
      chosen = currentTheme().name === 'dark' ? 'light' : 'dark';
      changed();
    },
    { class: 'theme' },
  );
  onThemeChange(made, () => {
    made.textContent = label();
    made.setAttribute('aria-label', `${label()} theme`);
  });
  made.setAttribute('aria-label', `${label()} theme`);
  return made;
}
