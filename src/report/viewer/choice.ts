/** One of several charts, and the list to choose it from. */
import type { ChoiceBlock } from '../document.js';
import { chartFigure } from './chart-figure.js';
import { element } from './element.js';

export function choiceElement({ label, charts }: ChoiceBlock): HTMLElement {
  if (charts.length === 1) return chartFigure(charts[0]!);
  const list = element(
    'select',
    { 'aria-label': label },
    ...charts.map(({ title }, i) => element('option', { value: String(i) }, title)),
  );
  const place = element('div', {}, chartFigure(charts[0]!));
  list.addEventListener('change', () => place.replaceChildren(chartFigure(charts[Number(list.value)]!)));
  return element('div', { class: 'choice whole' }, element('label', {}, `${label} `, list), place);
}
