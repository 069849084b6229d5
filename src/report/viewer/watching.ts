/**
 * News for elements of the page: one that is taken away hears nothing any more, and nothing holds on to it. The studio
 * draws charts anew as long as a run goes on.
 */
const WATCHES = 'data-watches';

export function watch(element: Element, news: string, listener: () => void): void {
  element.setAttribute(WATCHES, '');
  element.addEventListener(news, listener);
}

/** Events do not bubble: each element hears its own. */
export function tell(news: string): void {
  for (const element of document.querySelectorAll(`[${WATCHES}]`)) element.dispatchEvent(new Event(news));
}
