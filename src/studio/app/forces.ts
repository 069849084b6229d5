/**
 * The documents of a query as points along their scores, and what an objective would do to each: drag a document, or
 * take a step along the lambdas, and see.
 */
import { ask, type Lambdas, type Overview, type QueryDocuments } from './api.js';
import { button, chooser, currentTheme, element, svgElement } from './dom.js';

const OBJECTIVES = [
  'lambdarank(ndcg)',
  'lambdarank(ndcg@10)',
  'lambdarank(ap)',
  'ranknet',
  'softrank(ndcg)',
  'approx(ndcg)',
  'listnet',
  'listmle',
];
const ROW = 26;
const WIDTH = 900;
const LEFT = 170;
/** The longest arrow, in pixels. */
const LONGEST = 110;

export async function forcesPage({ data, models }: Overview, address: URLSearchParams): Promise<HTMLElement[]> {
  if (data.length === 0) return [element('p', { class: 'verdict' }, 'Name data to see its lambdas: --data FILE.')];
  const dataId = address.get('data') ?? data[0]!.id;
  const modelId = address.get('model') ?? '';
  const spec = address.get('objective') ?? OBJECTIVES[0]!;
  const asked = modelId === '' ? '' : `?model=${encodeURIComponent(modelId)}`;
  const found = await ask<QueryDocuments>(
    `documents/${dataId}/${encodeURIComponent(address.get('query') ?? '')}${asked}`,
  );
  const go = (key: string, value: string) => {
    const next = new URLSearchParams(address);
    next.set(key, value);
    location.hash = `#/forces?${next}`;
  };
  const { documents } = found;
  const first = documents.map(({ score }) => score);
  const given = spread(first);
  let scores = [...given];
  let lambdas: readonly number[] = documents.map(() => 0);
  const stage = element('figure', { class: 'whole forces' });
  const said = element('p', { class: 'note', 'aria-live': 'polite' });

  const path = `lambdas/${dataId}/${encodeURIComponent(found.query)}`;
  let under = false;
  let again = false;
  /** One request at a time; of those that come meanwhile, the last. */
  async function refresh(): Promise<void> {
    if (under) {
      again = true;
      return;
    }
    under = true;
    try {
      const body = { objective: spec, scores, ...(modelId !== '' && { model: modelId }) };
      const answer = await ask<Lambdas>(path, body);
      lambdas = answer.lambdas;
      said.textContent = `${answer.objective}: ${answer.pairs} pairs or documents with a lambda. To the right is up in the ranking.`;
    } catch (error) {
      said.textContent = (error as Error).message;
    }
    under = false;
    draw();
    if (again) {
      again = false;
      await refresh();
    }
  }

  function draw(): void {
    const { ink, faint, line, above, below, series } = currentTheme();
    const [low, high] = [Math.min(...scores), Math.max(...scores)];
    const room = (high - low || 1) * 0.25;
    const place = (score: number) => LEFT + ((score - low + room) / (high - low + 2 * room)) * (WIDTH - LEFT - 20);
    const value = (x: number) => ((x - LEFT) / (WIDTH - LEFT - 20)) * (high - low + 2 * room) + low - room;
    const order = scores.map((_, i) => i).sort((a, b) => scores[b]! - scores[a]!);
    const most = Math.max(...lambdas.map(Math.abs), 1e-300);
    const svg = svgElement('svg', {
      viewBox: `0 0 ${WIDTH} ${ROW * documents.length + 20}`,
      width: '100%',
      role: 'img',
      'aria-label': `Lambdas on the documents of query ${found.query}`,
    });
    order.forEach((i, row) => {
      const { document, label } = documents[i]!;
      const [x, y] = [place(scores[i]!), ROW * row + 18];
      const length = (LONGEST * lambdas[i]!) / most;
      const colour = label === undefined ? faint : series[label % series.length]!;
      const group = svgElement('g', {
        tabindex: 0,
        role: 'slider',
        'aria-label': `${document}, label ${label ?? 'unknown'}`,
        'aria-valuenow': scores[i]!.toFixed(4),
      });
      group.append(
        svgElement('line', { x1: LEFT, x2: WIDTH, y1: y, y2: y, stroke: line }),
        svgElement(
          'text',
          { x: LEFT - 8, y: y + 4, 'text-anchor': 'end', fill: ink, 'font-size': 13 },
          `${row + 1}  ${document} (${label ?? '–'})`,
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
        scores[i] = scores[i]! + (by * (high - low || 1)) / 20;
        void refresh();
      });
      group.addEventListener('pointerdown', down => {
        const box = svg.getBoundingClientRect();
        const scale = WIDTH / box.width;
        const move = (event: PointerEvent) => {
          scores[i] = value((event.clientX - box.left) * scale);
          void refresh();
        };
        const up = () => {
          window.removeEventListener('pointermove', move);
          window.removeEventListener('pointerup', up);
        };
        down.preventDefault();
        window.addEventListener('pointermove', move);
        window.addEventListener('pointerup', up);
      });
      svg.append(group);
    });
    stage.replaceChildren(svg);
  }

  const step = () => {
    const most = Math.max(...lambdas.map(Math.abs));
    const range = Math.max(...scores) - Math.min(...scores) || 1;
    // As far as shows: the longest step is a tenth of the range.
    if (most > 0) scores = scores.map((score, i) => score + (lambdas[i]! / most) * range * 0.1);
    void refresh();
  };
  const search = element('input', { type: 'search', 'aria-label': 'Query', placeholder: 'query', value: found.query });
  search.addEventListener('change', () => go('query', search.value));
  draw();
  await refresh();
  return [
    element('p', { class: 'verdict' }, `What ${spec} would do to query ${found.query}.`),
    element(
      'div',
      { class: 'bar' },
      chooser('Data', data, dataId, id => go('data', id)),
      chooser('Scores of', [{ id: '', name: 'nothing yet' }, ...models], modelId, id => go('model', id)),
      chooser(
        'Objective',
        OBJECTIVES.map(id => ({ id, name: id })),
        spec,
        id => go('objective', id),
      ),
      element('label', {}, 'Query ', search),
      button('Step', step),
      button('Back', () => {
        scores = [...given];
        void refresh();
      }),
    ),
    stage,
    said,
  ];
}

/** Without a model all scores are the same: set apart, so that there is something to see. */
function spread(scores: readonly number[]): number[] {
  const same = scores.every(score => score === scores[0]);
  return same ? scores.map((_, i) => (scores.length - i) / scores.length) : [...scores];
}
