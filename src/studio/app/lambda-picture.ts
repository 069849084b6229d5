/** The picture of lambdas, whose documents one can move: with the mouse, or by the arrow keys. */
import type { ArrowsChart } from '../../report/charts.js';
import { column } from '../../report/columns.js';
import { drawnWhole, labelSeries, plainTable, svgElement } from '../../report/viewer/pieces.js';
import type { QueryDocument } from '../answers.js';

/** Pixels of a row, of a size to touch. */
const ROW = 26;
/** On both sides of the scores: for arrows, and to drag to. A share of their range. */
const ROOM = 0.3;
/** An arrow of the scale's length takes this share of that range. */
const LONGEST = 0.25;
/** Close to each other: the longest arrow has at least three quarters of its room, and is seen on a telephone. */
const SCALES = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

export interface LambdaPicture {
  /** In pixels. */
  readonly width: number;
  readonly title: string;
  readonly documents: readonly QueryDocument[];
  readonly scores: readonly number[];
  readonly lambdas: readonly number[];
  /** The lambda whose arrow is a quarter of the range of scores. */
  readonly longest: number;
  /** Called with a document that is moved, and its score then. */
  move(i: number, score: number): void;
  /** Called when a document is taken hold of; what it gives puts it back. */
  hold(): () => void;
}

export function lambdaPicture({ width, title, documents, scores, lambdas, longest, move, hold }: LambdaPicture) {
  const order = scores.map((_, i) => i).sort((a, b) => scores[b]! - scores[a]!);
  const [low, high] = [scores[order.at(-1)!]!, scores[order[0]!]!];
  const range = high - low || 1;
  const chart: ArrowsChart = {
    kind: 'arrows',
    title,
    x: { label: 'score', domain: [low - ROOM * range, high + ROOM * range] },
    item: 'rank, document',
    lengthLabel: 'lambda',
    lengthStyle: 'difference',
    row: ROW,
    longest,
    arrows: order.map((i, row) => ({
      name: `#${row + 1}  ${documents[i]!.document}`,
      at: scores[i]!,
      length: lambdas[i]!,
      series: labelOf(documents[i]!),
      colour: documents[i]!.colour,
    })),
  };
  const drawn = drawnWhole(chart, width);
  const { svg, spots, valueAt } = drawn;
  // The documents that can be moved say what the picture shows.
  for (const part of svg.children) part.setAttribute('aria-hidden', 'true');
  svg.setAttribute('role', 'group');
  svg.setAttribute('aria-label', title);
  order.forEach((i, row) => {
    const { x, y, lines } = spots[row]!;
    const words = [documents[i]!.document, labelOf(documents[i]!), `rank ${row + 1}`];
    const group = svgElement('g', {
      tabindex: 0,
      role: 'slider',
      'data-document': i,
      'aria-label': [...words, `lambda ${lambdas[i]!.toPrecision(3)}`].join(', '),
      'aria-valuenow': scores[i]!.toFixed(4),
      'aria-valuemin': low.toFixed(4),
      'aria-valuemax': high.toFixed(4),
    });
    // What is seen leaves room for short arrows; what can be taken hold of is larger.
    group.append(
      svgElement('circle', { cx: x, cy: y, r: 12, fill: 'transparent', class: 'grip' }),
      svgElement('circle', { cx: x, cy: y, r: 5, fill: lines[0]!.colour!, class: 'handle' }),
    );
    group.addEventListener('keydown', event => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (by === undefined) return;
      event.preventDefault();
      move(i, scores[i]! + (by * range) / 20);
    });
    group.addEventListener('pointerdown', down => {
      // The other buttons of a mouse open menus.
      if (down.button !== 0) return;
      down.preventDefault();
      group.focus();
      const box = svg.getBoundingClientRect();
      const scale = width / box.width;
      whileHeld(down, event => move(i, valueAt!((event.clientX - box.left) * scale)), hold());
    });
    svg.append(group);
  });
  return drawn;
}

/**
 * Follows a pointer until it is let go of. A browser that scrolls with it after all takes it away: then `undo` is
 * called. The window listens, as the picture is drawn anew meanwhile.
 */
function whileHeld({ pointerId }: PointerEvent, drag: (event: PointerEvent) => void, undo: () => void): void {
  const listening = new AbortController();
  const listen = (kind: 'pointermove' | 'pointerup' | 'pointercancel', then: (event: PointerEvent) => void) =>
    window.addEventListener(kind, event => event.pointerId === pointerId && then(event), listening);
  const drop = () => listening.abort();
  listen('pointermove', drag);
  listen('pointerup', drop);
  listen('pointercancel', () => {
    drop();
    undo();
  });
}

/** The arrows as numbers, the highest score first. */
export function lambdaTable({ documents, scores, lambdas }: Pick<LambdaPicture, 'documents' | 'scores' | 'lambdas'>) {
  const order = scores.map((_, i) => i).sort((a, b) => scores[b]! - scores[a]!);
  return plainTable({
    kind: 'table',
    title: 'Documents and their lambdas',
    columns: [
      column('document'),
      column('label', 'general', { digits: 12 }),
      column('score', 'value'),
      column('lambda', 'difference'),
    ],
    rows: order.map(i => [documents[i]!.document, documents[i]!.label ?? Number.NaN, scores[i]!, lambdas[i]!]),
  });
}

/** A round number from which on arrows of up to so much fit, and at least that of before: lengths stay comparable. */
export function scaleFor(lambdas: readonly number[], before: number): number {
  const most = Math.max(...lambdas.map(Math.abs));
  // Beside the scores there is a little more room than the longest arrow takes.
  if (most <= before * (ROOM / LONGEST) || most === 0) return before;
  const power = 10 ** Math.floor(Math.log10(most));
  return Number(((SCALES.find(step => step * power >= most) ?? 10) * power).toPrecision(2));
}

function labelOf({ label }: QueryDocument): string {
  return labelSeries(label ?? Number.NaN);
}
