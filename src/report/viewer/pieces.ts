/** What pages are drawn with: the script of reports has it, and other pages of ours take it from there. */

export { withMinusSigns } from '../numbers.js';
export { labelSeries } from '../words.js';
export { afterPaint } from './after-paint.js';
export { drawnWhole } from './chart-figure.js';
export { savePng, saveSvg } from './downloads.js';
export { button, element, svgElement } from './element.js';
export { growing } from './growing.js';
export { Hover } from './hover.js';
export { opened } from './opened.js';
export { commandWords } from './origin.js';
export { readJson } from './read-json.js';
export { sectionElement } from './sections.js';
export { keepOrders, sortHeads } from './sorting.js';
export { plainTable } from './table.js';
export { onThemeChange } from './theme.js';
