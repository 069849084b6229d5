/** Paper: what a click shows on the screen is there from the start, or the paper says where it is. */
import { element } from './element.js';
import { tell, watch } from './watching.js';

let now = false;

export function printing(): boolean {
  return now;
}

/** Calls back before and after printing, as long as the element is on the page. */
export function onPrinting(owner: Element, listener: () => void): void {
  watch(owner, 'printing', listener);
}

for (const [event, value] of [
  ['beforeprint', true],
  ['afterprint', false],
] as const) {
  window.addEventListener(event, () => {
    now = value;
    tell('printing');
  });
}

/** Says on paper how many are left out there; the screen has a button instead. */
export function leftOutNote(): { readonly note: HTMLElement; say(leftOut: number): void } {
  const note = element('p', { class: 'note', hidden: '' });
  return {
    note,
    say(leftOut) {
      note.hidden = leftOut === 0 || !now;
      note.textContent = `${leftOut.toLocaleString('en-GB')} more are not on paper: the page on a screen shows all and saves them as CSV.`;
    },
  };
}
