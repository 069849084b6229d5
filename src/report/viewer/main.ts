/** Draws the report that the page holds. Runs in the browser, from a file, without network. */

import type { Report, Section } from '../document.js';
import { withMinusSigns } from '../numbers.js';
import { savePng, saveSvg } from './downloads.js';
import { button, element, svgElement } from './element.js';
import { originFooter } from './origin.js';
import { sectionElement } from './sections.js';
import { currentTheme, onThemeChange, themeButton, watchTheme } from './theme.js';

/** What other pages of ours draw with, where this is no report. */
const viewer = {
  button,
  currentTheme,
  element,
  onThemeChange,
  savePng,
  saveSvg,
  sectionElement,
  svgElement,
  withMinusSigns,
};

export type Viewer = typeof viewer;

/** JSON has no NaN: what is null in it is a number that does not exist. */
function readReport(text: string): Report {
  return JSON.parse(text, (_, value) => (value === null ? Number.NaN : value)) as Report;
}

function contents(sections: readonly Section[]): HTMLElement {
  const links = sections.map(({ title }, i) => element('li', {}, element('a', { href: `#section-${i + 1}` }, title)));
  return element('nav', { 'aria-label': 'Contents' }, element('ul', {}, ...links));
}

watchTheme();
document.querySelector('header')!.append(themeButton());
const held = document.getElementById('report');
if (held === null) Object.assign(window, { listwise: viewer });
else {
  const report = readReport(held.textContent);
  const main = document.querySelector('main')!;
  if (report.sections.length > 2) main.append(contents(report.sections));
  main.append(...report.sections.map((section, i) => sectionElement(section, i + 1)));
  document.body.append(originFooter(report.origin));
}
