/** Draws a part of the page anew under whoever reads it: focus and place stay. */

const FOCUSABLE = 'a, button, summary, input, select, [tabindex]';

export function redrawn(part: HTMLElement, elements: readonly HTMLElement[]): void {
  const focused = document.activeElement;
  const back = focused !== null && part.contains(focused) ? placeOf(part, focused) : undefined;
  // Charts are drawn once they know how wide they are: without them the page is shorter, and would be scrolled up.
  part.style.minHeight = `${part.offsetHeight}px`;
  part.replaceChildren(...elements);
  back?.()?.focus({ preventScroll: true });
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      part.style.minHeight = '';
    }),
  );
}

/** Finds what stands for an element when the part was drawn anew: of those with its name the same one. */
function placeOf(part: HTMLElement, focused: Element): () => HTMLElement | undefined {
  const named = () => [...part.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(one => nameOf(one) === nameOf(focused));
  const at = named().findIndex(one => one === focused);
  return () => named()[at];
}

function nameOf(one: Element): string {
  return `${one.tagName} ${one.getAttribute('aria-label') ?? one.textContent}`;
}
