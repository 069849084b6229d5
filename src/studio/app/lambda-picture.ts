/** The picture of lambdas, whose documents one can move: with the mouse, or by the arrow keys. */
import type { ArrowsChart } from '../../report/charts.js';
import { drawnWhole, svgElement } from '../../report/viewer/pieces.js';
import type { QueryDocument } from '../answers.js';

/** Pixels of a row, of a size to touch. */
const ROW = 26;
/** On both sides of the scores: for arrows, and to drag to. A share of their range. */
const ROOM = 0.3;

export interface LambdaPicture {
  /** In pixels. */
  readonly width: number;
  readonly title: string;
  readonly documents: readonly QueryDocument[];
  readonly scores: readonly number[];
  readonly lambdas: readonly number[];
  /** Called with a document that is moved, and its score then. */
  move(i: number, score: number): void;
}

export function lambdaPicture({ width, title, documents, scores, lambdas, move }: LambdaPicture): SVGSVGElement {
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
    arrows: order.map((i, row) => ({
      name: `#${row + 1}  ${documents[i]!.document}`,
      at: scores[i]!,
      length: lambdas[i]!,
      series: labelOf(documents[i]!),
    })),
  };
  const { svg, spots, valueAt } = drawnWhole(chart, width);
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
      const box = svg.getBoundingClientRect();
      const scale = width / box.width;
      const drag = (event: PointerEvent) => move(i, valueAt!((event.clientX - box.left) * scale));
      const drop = () => {
        window.removeEventListener('pointermove', drag);
        window.removeEventListener('pointerup', drop);
      };
      down.preventDefault();
      group.focus();
      window.addEventListener('pointermove', drag);
      window.addEventListener('pointerup', drop);
    });
    svg.append(group);
  });
  return svg;
}

function labelOf({ label }: QueryDocument): string {
  return label === undefined ? 'no label' : `label ${label}`;
}
