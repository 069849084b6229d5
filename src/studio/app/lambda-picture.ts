/** The picture of lambdas: a document a row, at its score, with an arrow as long as its lambda. One can move them. */
import { currentTheme, svgElement } from '../../report/viewer/pieces.js';
import type { QueryDocument } from '../answers.js';

const ROW = 26;
/** Above the first row: what stands in them. */
const TOP = 22;
/** Of the width: the names, where they need no less, and the longest arrow. */
const [NAMES, ARROW] = [0.34, 0.12];
/** Pixels of a character, about. */
const CHARACTER = 7.5;

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

export function lambdaPicture(picture: LambdaPicture): SVGSVGElement {
  const { width, title, documents, scores, lambdas, move } = picture;
  const left = Math.min(170, Math.round(width * NAMES));
  const letters = Math.floor(left / CHARACTER) - 7;
  const { ink, faint, line, above, below, series } = currentTheme();
  const [low, high] = [Math.min(...scores), Math.max(...scores)];
  const room = (high - low || 1) * 0.25;
  const place = (score: number) => left + ((score - low + room) / (high - low + 2 * room)) * (width - left - 20);
  const value = (x: number) => ((x - left) / (width - left - 20)) * (high - low + 2 * room) + low - room;
  const order = scores.map((_, i) => i).sort((a, b) => scores[b]! - scores[a]!);
  const most = Math.max(...lambdas.map(Math.abs), 1e-300);
  const height = TOP + ROW * documents.length + 20;
  const svg = svgElement('svg', {
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    role: 'group',
    'aria-label': title,
  });
  const head = (x: number, text: string) =>
    svgElement('text', { x, y: 14, 'text-anchor': 'end', fill: faint, 'font-size': 12 }, text);
  svg.append(head(left - 8, width < 500 ? 'document (label)' : 'rank, document (label)'), head(width - 4, 'score →'));
  order.forEach((i, row) => {
    const { document, label } = documents[i]!;
    const [x, y] = [place(scores[i]!), TOP + ROW * row + 18];
    const length = (Math.min(110, width * ARROW) * lambdas[i]!) / most;
    const colour = label === undefined ? faint : series[label % series.length]!;
    const name = document.length > letters ? `${document.slice(0, letters - 1)}…` : document;
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
      svgElement('line', { x1: left, x2: width, y1: y, y2: y, stroke: line }),
      svgElement(
        'text',
        { x: left - 8, y: y + 4, 'text-anchor': 'end', fill: ink, 'font-size': 13 },
        `#${row + 1}  ${name} (${label ?? '–'})`,
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
      const scale = width / box.width;
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
