/** Charts as inline SVG and HTML; labels are HTML, so that they stay readable however narrow the page is. */
import { type Html, html } from './html.js';

export interface QueryDifference {
  readonly query: string;
  readonly a: number;
  readonly b: number;
}

const WIDTH = 1000;
const HEIGHT = 400;

/** One bar a query, best for `a` first: how far the two systems are apart on it. The bar's title gives the figures. */
export function winsAndLosses(values: readonly QueryDifference[], a: string, b: string): Html {
  const sorted = [...values].sort((x, y) => y.a - y.b - (x.a - x.b) || (x.query < y.query ? -1 : 1));
  const top = tidyCeiling(Math.max(...sorted.map(value => Math.abs(value.a - value.b))));
  const middle = HEIGHT / 2;
  const step = WIDTH / sorted.length;
  const bars = sorted.map((value, i) => {
    const difference = value.a - value.b;
    const height = Math.max(2, (Math.abs(difference) / top) * middle);
    const kind = difference > 0 ? 'better' : difference < 0 ? 'worse' : 'equal';
    const y = difference > 0 ? middle - height : difference < 0 ? middle : middle - 1;
    return html`<rect class="${kind}" x="${short(i * step)}" y="${short(y)}" width="${short(step * 0.85)}" height="${short(height)}"><title>query ${value.query}: ${a} ${value.a.toFixed(4)}, ${b} ${value.b.toFixed(4)} (${signed(difference)})</title></rect>\n`;
  });
  return html`<div class="chart" role="img" aria-label="difference for each query">
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none">
${bars}<line class="zero" x1="0" x2="${WIDTH}" y1="${middle}" y2="${middle}"/>
</svg>
<span style="top: .6em">${signed(top, 2)}</span><span style="top: 50%">0</span><span style="top: calc(100% - .6em)">${signed(-top, 2)}</span>
</div>
<div class="caption"><span>${a} better</span><span>${b} better</span></div>`;
}

/** A horizontal bar a label value, as long as its share. */
export function labelShares(counts: readonly { value: number; count: number }[]): Html {
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const most = Math.max(...counts.map(({ count }) => count));
  const rows = counts.map(
    ({ value, count }) =>
      html`<span>${value}</span><span class="number">${((100 * count) / total).toFixed(1)} %</span><div class="bar" style="width: ${short((100 * count) / most)}%" title="${count.toLocaleString('en-GB')} documents"></div>\n`,
  );
  return html`<div class="shares">\n${rows}</div>`;
}

export function signed(value: number, digits = 4): string {
  const text = value.toFixed(digits);
  return value > 0 ? `+${text}` : text.replace('-', '\u2212');
}

/** The smallest of 0.05, 0.1, 0.2, 0.25, 0.5, 1, … that is not below the value: an axis that ends on a round number. */
function tidyCeiling(value: number): number {
  const steps = [0.05, 0.1, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.75, 1];
  return steps.find(step => value <= step) ?? Math.ceil(value);
}

function short(value: number): string {
  return String(Number(value.toFixed(2)));
}
