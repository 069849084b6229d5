/** What is said at a place of a chart: under the pointer or a finger, and with the arrow keys; also read out. */
import type { Drawn, Spot } from './charts/drawing.js';
import { element, svgElement } from './element.js';

const keys: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowRight: (at, last) => Math.min(last, at + 1),
  ArrowDown: (at, last) => Math.min(last, at + 1),
  ArrowLeft: at => Math.max(0, at - 1),
  ArrowUp: at => Math.max(0, at - 1),
  PageDown: (at, last) => Math.min(last, at + 10),
  PageUp: at => Math.max(0, at - 10),
  Home: () => 0,
  End: (_, last) => last,
};

export class Hover {
  readonly #stage: HTMLElement;
  readonly #tip = element('div', { class: 'tip', 'aria-hidden': 'true', hidden: '' });
  readonly #spoken = element('div', { class: 'spoken', 'aria-live': 'polite' });
  #marks = svgElement('svg', { class: 'marks', 'aria-hidden': 'true' });
  #drawn: Drawn | undefined;
  #at = -1;

  /** `stage` holds the chart, and takes the focus, unless what it holds has keys of its own. */
  constructor(stage: HTMLElement, keyed = true) {
    this.#stage = stage;
    stage.append(this.#marks, this.#tip, this.#spoken);
    for (const event of ['pointermove', 'pointerdown'] as const) {
      stage.addEventListener(event, moved => this.#point(moved));
    }
    stage.addEventListener('pointerleave', () => this.#hide());
    if (!keyed) return;
    stage.addEventListener('focus', () => {
      if (stage.matches(':focus-visible')) this.#show(Math.max(0, this.#at), true);
    });
    stage.addEventListener('blur', () => this.#hide());
    stage.addEventListener('keydown', event => this.#key(event));
  }

  attach(drawn: Drawn): void {
    this.#drawn = drawn;
    this.#at = -1;
    this.#hide();
  }

  #point(event: PointerEvent): void {
    const drawn = this.#drawn;
    if (drawn === undefined || drawn.spots.length === 0) return;
    const box = drawn.svg.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const weight = { x: [1, 1e-6], y: [1e-6, 1], both: [1, 1] }[drawn.nearest] as [number, number];
    let [best, least] = [0, Infinity];
    drawn.spots.forEach((spot, i) => {
      for (const place of spot.dots ?? [spot]) {
        const distance = weight[0] * (place.x - x) ** 2 + weight[1] * (place.y - y) ** 2;
        if (distance < least) [best, least] = [i, distance];
      }
    });
    this.#show(best, false);
  }

  #key(event: KeyboardEvent): void {
    if (event.key === 'Escape') this.#hide();
    const move = keys[event.key];
    const last = (this.#drawn?.spots.length ?? 0) - 1;
    if (move === undefined || last < 0 || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    this.#show(this.#at < 0 ? 0 : move(this.#at, last), true);
  }

  #hide(): void {
    this.#tip.hidden = true;
    this.#marks.replaceChildren();
  }

  #show(at: number, aloud: boolean): void {
    const spot = this.#drawn?.spots[at];
    if (spot === undefined) return;
    this.#at = at;
    this.#tip.replaceChildren(element('strong', {}, spot.title), ...spot.lines.map(lineElement));
    this.#tip.hidden = false;
    this.#place(spot);
    this.#mark(spot);
    if (aloud) this.#spoken.textContent = spokenText(spot);
  }

  /** Beside the spot, on the side with more room, always inside the stage. */
  #place(spot: Spot): void {
    const { clientWidth, clientHeight } = this.#stage;
    const { offsetWidth, offsetHeight } = this.#tip;
    const beside = spot.x + 14 + offsetWidth <= clientWidth ? spot.x + 14 : spot.x - 14 - offsetWidth;
    const left = Math.min(Math.max(0, beside), Math.max(0, clientWidth - offsetWidth));
    const top = Math.min(Math.max(0, spot.y - offsetHeight / 2), Math.max(0, clientHeight - offsetHeight));
    this.#tip.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  }

  #mark(spot: Spot): void {
    const dots = spot.dots ?? [{ x: spot.x, y: spot.y, colour: 'currentColor' }];
    this.#marks.replaceChildren(
      ...dots.map(({ x, y, colour }) =>
        svgElement('circle', { cx: x, cy: y, r: 6, fill: 'none', stroke: colour, 'stroke-width': 2 }),
      ),
    );
  }
}

function lineElement({ label, value, colour }: Spot['lines'][number]): HTMLElement {
  const swatch = element('i');
  if (colour !== undefined) swatch.style.background = colour;
  return element('div', {}, swatch, element('span', {}, label), element('b', {}, value));
}

function spokenText({ title, lines }: Spot): string {
  return `${title}: ${lines.map(({ label, value }) => `${label} ${value}`.trim()).join('; ')}`;
}
