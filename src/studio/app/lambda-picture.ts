/** The picture of lambdas: a document a row, at its score, with an arrow as long as its lambda. One can move them. */
import { currentTheme, svgElement } from '../../report/viewer/pieces.js';
import type { QueryDocument } from '../answers.js';

const ROW = 26;
const WIDTH = 900;
const LEFT = 170;
/** The longest arrow, in pixels. */
const LONGEST = 110;
const NAME = 18;

export interface LambdaPicture {
  readonly title: string;
  readonly documents: readonly QueryDocument[];
  readonly scores: readonly number[];
  readonly lambdas: readonly number[];
  /** Called with a document that is moved, and its score then. */
  move(i: number, score: number): void;
}

export function lambdaPicture({ title, documents, scores, lambdas, move }: LambdaPicture): SVGSVGElement {
  const { ink, faint, line, above, below, series } = currentTheme();
  const [low, high] = [Math.min(...scores), Math.max(...scores)];
  const room = (high - low || 1) * 0.25;
  const place = (score: number) => LEFT + ((score - low + room) / (high - low + 2 * room)) * (WIDTH - LEFT - 20);
  const value = (x: number) => ((x - LEFT) / (WIDTH - LEFT - 20)) * (high - low + 2 * room) + low - room;
  const order = scores.map((_, i) => i).sort((a, b) => scores[b]! - scores[a]!);
  const most = Math.max(...lambdas.map(Math.abs), 1e-300);
  const height = ROW * documents.length + 20;
  const svg = svgElement('svg', {
    viewBox: `0 0 ${WIDTH} ${height}`,
    width: WIDTH,
    height,
    role: 'group',
    'aria-label': title,
  });
  svg.style.cssText = 'width: 100%; height: auto;';
  order.forEach((i, row) => {
    const { document, label } = documents[i]!;
    const [x, y] = [place(scores[i]!), ROW * row + 18];
    const length = (LONGEST * lambdas[i]!) / most;
    const colour = label === undefined ? faint : series[label % series.length]!;
    const name = document.length > NAME ? `${document.slice(0, NAME - 1)}…` : document;
    const group = svgElement('g', {
      tabindex: 0,
      role: 'slider',
      'data-document': i,
      'aria-label': `${document}, label ${label ?? 'unknown'}, rank ${row + 1}, lambda ${lambdas[i]!.toPrecision(3)}`,
      'aria-valuenow': scores[i]!.toFixed(4),
      'aria-valuemin': low.toFixed(4),
      'aria-valuemax': high.toFixed(4),
    });
    group.append(
      svgElement('line', { x1: LEFT, x2: WIDTH, y1: y, y2: y, stroke: line }),
      svgElement(
        'text',
        { x: LEFT - 8, y: y + 4, 'text-anchor': 'end', fill: ink, 'font-size': 13 },
        `${row + 1}  ${name} (${label ?? '–'})`,
      ),
      svgElement('line', {
        x1: x,
        x2: x + length,
        y1: y,
        y2: y,
        stroke: length < 0 ? below : above,
        'stroke-width': 4,
      }),
      svgElement('circle', { cx: x, cy: y, r: 8, fill: colour, class: 'handle' }),
    );
    group.addEventListener('keydown', event => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (by === undefined) return;
      event.preventDefault();
      move(i, scores[i]! + (by * (high - low || 1)) / 20);
    });
    group.addEventListener('pointerdown', down => {
      const box = svg.getBoundingClientRect();
      const scale = WIDTH / box.width;
      const drag = (event: PointerEvent) => move(i, value((event.clientX - box.left) * scale));
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
