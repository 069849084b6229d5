/** Draws the report that the page holds. Runs in the browser, from a file, without network. */

import type { Report, Section } from '../document.js';
import { element } from './element.js';
import { originFooter } from './origin.js';
import * as pieces from './pieces.js';
import { readJson } from './read-json.js';
import { sectionElement } from './sections.js';
import { themeButton, watchTheme } from './theme.js';

function contents(sections: readonly Section[]): HTMLElement {
  const links = sections.map(({ title }, i) => element('li', {}, element('a', { href: `#section-${i + 1}` }, title)));
  return element('nav', { 'aria-label': 'Contents' }, element('ul', {}, ...links));
}

watchTheme();
document.querySelector('header')!.append(themeButton());
const held = document.getElementById('report');
if (held === null) Object.assign(window, { listwise: pieces });
else {
  const report = readJson<Report>(held.textContent);
  const main = document.querySelector('main')!;
  if (report.sections.length > 2) main.append(contents(report.sections));
  main.append(...report.sections.map((section, i) => sectionElement(section, i + 1)));
  document.body.append(originFooter(report.origin));
}
