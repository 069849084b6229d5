/** What views are made of, beside what report pages are. */
import type { Section } from '../../report/document.js';
import { button, commandWords, element, sectionElement, withMinusSigns } from '../../report/viewer/pieces.js';
import type { NamedThing, View } from '../answers.js';
import type { Query } from './address.js';

/** What a view draws: what stays while it is shown, and what is drawn anew when something has changed. */
export interface Drawn {
  readonly fixed: readonly HTMLElement[];
  /** The whole address, where what was left out of it was chosen for whoever asked. */
  readonly address?: readonly [parts: readonly string[], query: Query] | undefined;
  /** Keys of the view, while it is shown. */
  readonly keys?: Readonly<Record<string, () => unknown>>;
  live?(): Promise<readonly HTMLElement[]>;
}

/** A list to choose from; `change` is called with the chosen id. */
export function chooser(
  label: string,
  options: readonly NamedThing[],
  chosen: string,
  change: (id: string) => void,
): HTMLElement {
  // What an address names and is not here is shown as what was chosen, not as something else.
  const all = options.some(({ id }) => id === chosen) ? options : [{ id: chosen, name: chosen }, ...options];
  const list = element(
    'select',
    {},
    ...all.map(({ id, name }) => element('option', id === chosen ? { value: id, selected: '' } : { value: id }, name)),
  );
  list.addEventListener('change', () => change(list.value));
  return element('label', {}, `${label} `, list);
}

/** A field to write in; `change` is called with what was written, at the end. */
export function field(
  label: string,
  value: string,
  change: (text: string) => void,
  {
    suggested = [],
    ...attributes
  }: { readonly suggested?: readonly string[] } & Readonly<Record<string, unknown>> = {},
): HTMLElement {
  const id = `of-${label.toLowerCase().replaceAll(/\W+/g, '-')}`;
  const own = Object.fromEntries(Object.entries(attributes).map(([key, text]) => [key, String(text)]));
  const input = element('input', { type: 'text', value, ...own, ...(suggested.length > 0 && { list: id }) });
  input.addEventListener('change', () => change(input.value.trim()));
  const list =
    suggested.length === 0
      ? []
      : [element('datalist', { id }, ...suggested.map(text => element('option', { value: text })))];
  return element('label', {}, `${label} `, input, ...list);
}

export function bar(...children: readonly HTMLElement[]): HTMLElement {
  return element('div', { class: 'bar' }, ...children);
}

export function verdict(text: string): HTMLElement {
  return element('p', { class: 'verdict' }, withMinusSigns(text));
}

/** What is wrong with what was asked for. */
export function problem(error: Error): HTMLElement {
  return element('p', { class: 'verdict', role: 'alert' }, error.message);
}

/** What a view shows, or what is wrong: whoever slipped in a field has the fields still. */
export async function shownOr<T>(answer: Promise<T>, draw: (found: T) => HTMLElement[]): Promise<HTMLElement[]> {
  return answer.then(draw, (error: Error) => [problem(error)]);
}

/** Has the title of the page, once it is shown: a view that nobody waits for any more changes nothing. */
export const TITLE = 'data-title';

export function entitled(first: HTMLElement, title: string): HTMLElement {
  first.setAttribute(TITLE, title);
  return first;
}

/** The sections of a view and the command that gives the same. */
export function viewElements({ document: shown, command }: View): HTMLElement[] {
  const elements = [
    ...(shown.verdict === '' ? [] : [verdict(shown.verdict)]),
    ...sectionElements(shown.sections),
    ...(command === '' ? [] : [commandLine(command)]),
  ];
  if (elements[0] !== undefined) entitled(elements[0], shown.title);
  return elements;
}

let sections = 0;

/** Headings of all that is shown have ids of their own. */
export function sectionElements(of: readonly Section[]): HTMLElement[] {
  return of.map(section => sectionElement(section, ++sections));
}

/** The command that gives the same, and a button that copies it. */
export function commandLine(command: string): HTMLElement {
  const copied = element('span', { 'aria-live': 'polite' });
  return element(
    'div',
    { class: 'command' },
    element('pre', { tabindex: '0', 'aria-label': 'Command' }, ...commandWords(command)),
    button('Copy', () => {
      void navigator.clipboard?.writeText(command).then(() => {
        copied.textContent = 'copied';
      });
    }),
    copied,
  );
}

/** Asks before what cannot be undone; the question names what it is about. */
export function confirmed(question: string, action: string, detail?: string): Promise<boolean> {
  return new Promise(resolve => {
    const id = 'question';
    const end = (answer: string) => () => dialog.close(answer);
    const dialog = element(
      'dialog',
      { 'aria-labelledby': id },
      element('p', { id }, question),
      ...(detail === undefined ? [] : [element('pre', { tabindex: '0', 'aria-label': 'Details' }, detail)]),
      bar(button('Cancel', end('')), button(action, end('yes'), { class: 'sure' })),
    );
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes');
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
