/** The frame of a chart: title, buttons that save it, the picture, what is said at each place, a table. */
import type { Chart } from '../charts.js';
import { withMinusSigns } from '../numbers.js';
import { afterPaint } from './after-paint.js';
import { drawingOf, tableOf } from './charts/all.js';
import type { Drawn } from './charts/drawing.js';
import { saveCsv, savePng, saveSvg } from './downloads.js';
import { button, element } from './element.js';
import { Hover } from './hover.js';
import { keepOpened, opened } from './opened.js';
import { leftOutNote, onPrinting } from './printing.js';
import { plainTable } from './table.js';
import { currentTheme, onThemeChange } from './theme.js';

/** Charts of more marks wait until the rest of the page stands there. */
const MANY = 2000;

/** The picture of a chart alone, whole. */
export function drawnWhole(chart: Chart, width: number): Drawn {
  return drawingOf(chart).draw(chart, { width, theme: currentTheme(), all: true });
}

export function chartFigure(chart: Chart): HTMLElement {
  const drawing = drawingOf(chart);
  const stage = element('div', {
    class: 'stage',
    tabindex: '0',
    role: 'group',
    'aria-roledescription': 'chart',
    'aria-label': `${chart.title}. The arrow keys read out its values; a table of them follows.`,
  });
  const hover = new Hover(stage);
  let drawn: Drawn | undefined;
  const whole = `all of ${chart.title}`;
  let all = opened.has(whole);
  let width = 0;

  function draw(): void {
    if (width === 0) return;
    const previous = drawn?.svg;
    drawn = drawing.draw(chart, { width, theme: currentTheme(), all });
    drawn.svg.setAttribute('aria-hidden', 'true');
    if (previous === undefined) stage.prepend(drawn.svg);
    else previous.replaceWith(drawn.svg);
    hover.attach(drawn);
    stage.removeAttribute('aria-busy');
  }

  const many = (drawing.marks?.(chart) ?? 0) > MANY;
  if (many) {
    stage.setAttribute('aria-busy', 'true');
    // Paper does not wait.
    onPrinting(stage, () => drawn ?? draw());
  }

  onThemeChange(stage, draw);
  new ResizeObserver(() => {
    const now = Math.floor(stage.clientWidth);
    if (now === width) return;
    width = now;
    if (many) afterPaint(draw);
    else draw();
  }).observe(stage);

  const saving = (kind: string, action: () => void) =>
    button(kind, action, { 'aria-label': `Save ${chart.title} as ${kind}` });
  const tools = element(
    'div',
    { class: 'tools' },
    saving('SVG', () => drawn && saveSvg(drawn.svg, chart.title)),
    saving('PNG', () => drawn && void savePng(drawn.svg, chart.title)),
    saving('CSV', () => saveCsv(tableOf(chart))),
  );
  const heading = element('div', { class: 'heading' }, element('figcaption', {}, chart.title), tools);
  const figure = element('figure', { class: drawing.wide ? 'chart whole' : 'chart' }, heading, stage);
  const hidden = drawing.hidden?.(chart) ?? 0;
  if (hidden > 0 && !all) {
    const more = button(`Show ${hidden.toLocaleString('en-GB')} more`, () => {
      all = true;
      keepOpened(whole, true);
      more.remove();
      draw();
    });
    more.className = 'more';
    const leftOut = leftOutNote();
    onPrinting(figure, () => leftOut.say(all ? 0 : hidden));
    figure.append(more, leftOut.note);
  }
  if (chart.note !== undefined) figure.append(element('p', { class: 'note' }, withMinusSigns(chart.note)));
  figure.append(asTable(chart));
  return figure;
}

/** The table is made when it is opened: it can have many thousand rows. */
function asTable(chart: Chart): HTMLElement {
  const name = `table of ${chart.title}`;
  const details = element('details', opened.has(name) ? { open: '' } : {}, element('summary', {}, 'As a table'));
  const make = () => details.childElementCount === 1 && details.append(plainTable(tableOf(chart)));
  if (details.open) make();
  details.addEventListener('toggle', () => {
    keepOpened(name, details.open);
    if (details.open) make();
  });
  return details;
}
