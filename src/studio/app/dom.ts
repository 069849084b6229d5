/** The script of report pages, which the page loads first, has what charts and tables are made with. */
import type { Viewer } from '../../report/viewer/main.js';

declare global {
  interface Window {
    readonly listwise: Viewer;
  }
}

export const { button, currentTheme, element, sectionElement, svgElement, withMinusSigns } = window.listwise;

/** A list to choose from; `change` is called with the chosen id. */
export function chooser(
  label: string,
  options: readonly { readonly id: string; readonly name: string }[],
  chosen: string,
  change: (id: string) => void,
): HTMLElement {
  const list = element(
    'select',
    { 'aria-label': label },
    ...options.map(({ id, name }) =>
      element('option', id === chosen ? { value: id, selected: '' } : { value: id }, name),
    ),
  );
  list.addEventListener('change', () => change(list.value));
  return element('label', {}, `${label} `, list);
}

/** The command that gives the same, and a button that copies it. */
export function commandLine(command: string): HTMLElement {
  const copied = element('span', { 'aria-live': 'polite' });
  return element(
    'div',
    { class: 'command' },
    element('pre', {}, command),
    button('Copy', () => {
      void navigator.clipboard?.writeText(command).then(() => {
        copied.textContent = 'copied';
      });
    }),
    copied,
  );
}
