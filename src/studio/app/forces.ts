/**
 * The documents of a query as points along their scores, and what an objective would do to each: drag a document, take
 * a step along the lambdas, or go through the iterations of a training, and see.
 */
import { button, element, Hover, onThemeChange, savePng, saveSvg } from '../../report/viewer/pieces.js';
import type { Overview, QueryDocuments, QueryLambdas } from '../answers.js';
import { type Address, addressNow, go, requestPath, settle } from './address.js';
import { ask, choicesOnce } from './api.js';
import { bar, chooser, commandLine, type Drawn, entitled, field, problem, verdict } from './dom.js';
import { lambdaPicture, lambdaTable, scaleFor } from './lambda-picture.js';

/** Scores of more documents would make an address that nobody can pass on. */
const MOST_IN_ADDRESS = 250;

export async function forcesPage({ query: address }: Address): Promise<Drawn> {
  const [{ data, models }, { objectives }] = await Promise.all([ask<Overview>('overview'), choicesOnce()]);
  if (data.length === 0) return { fixed: [verdict('Name data to see its lambdas: --data FILE.')] };
  const dataId = address.get('data') ?? data[0]!.id;
  const modelId = address.get('model') ?? '';
  const objective = address.get('objective') ?? objectives[0]!.spec;
  const ofIteration = (number: string) =>
    ask<QueryDocuments>(
      requestPath(['documents', dataId, address.get('query') ?? ''], { model: modelId, iteration: number }),
    );
  let iteration = address.get('iteration') ?? '';
  const start = await ofIteration(iteration).catch((error: Error) => error);
  const asked = start instanceof Error ? (address.get('query') ?? '') : start.query;
  const here = { data: dataId, model: modelId, objective, query: asked };
  const to = (next: Partial<typeof here>) => go(['forces'], { ...here, ...next });
  const search = element('input', { type: 'search', placeholder: 'query', value: asked });
  search.addEventListener('change', () => to({ query: search.value }));
  const form = [
    chooser('Data', data, dataId, id => to({ data: id, query: '' })),
    chooser('Scores of', [{ id: '', name: 'nothing yet' }, ...models], modelId, id => to({ model: id })),
    field('Objective', objective, spec => to({ objective: spec }), { suggested: objectives.map(({ spec }) => spec) }),
    element('label', {}, 'Query ', search),
  ];
  if (start instanceof Error) return { fixed: [problem(start), bar(...form)] };
  let found = start;
  const { documents } = found;
  let scores = moved(address.get('scores')) ?? spread(found.documents.map(({ score }) => score));
  let lambdas: readonly number[] = documents.map(() => 0);
  const title = `Lambdas of ${objective} on query ${found.query}`;
  const stage = element('div', { class: 'stage' });
  const hover = new Hover(stage, false);
  const numbers = element('div');
  let longest = 0;
  const said = element('p', { class: 'note', 'aria-live': 'polite' });
  const below = element('div');
  let command = '';

  /** What was dragged, as the address has it. */
  function moved(text: string | null): number[] | undefined {
    const given = text?.split(',').map(Number);
    return given?.length === documents.length && given.every(Number.isFinite) ? given : undefined;
  }

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
      const body = { objective, scores, ...(modelId !== '' && { model: modelId }) };
      const answer = await ask<QueryLambdas>(requestPath(['lambdas', dataId, found.query]), body);
      lambdas = answer.lambdas;
      if (answer.command !== command)
        below.replaceChildren(...(answer.command === '' ? [] : [commandLine(answer.command)]));
      command = answer.command;
      said.textContent = `${answer.objective}: ${answer.pairs} pairs or documents with a lambda. To the right is up in the ranking.`;
      longest = scaleFor(lambdas, longest);
      if (longest > 0) said.textContent += ` An arrow over a quarter of the range of scores is a lambda of ${longest}.`;
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

  /** What is shown is what the address says: so many digits, and no more. */
  function settleMoved(): void {
    scores = scores.map(shown);
    settle(['forces'], { ...here, iteration, scores: scores.length > MOST_IN_ADDRESS ? '' : scores.join(',') });
    void refresh();
  }

  /** Where documents and address are now, to go back to. */
  function hold(): () => void {
    const [before, kept] = [[...scores], addressNow().query.get('scores') ?? ''];
    return () => {
      scores = before;
      settle(['forces'], { ...here, iteration, scores: kept });
      void refresh();
    };
  }

  function draw(): void {
    const focused = stage.querySelector('g:focus')?.getAttribute('data-document');
    const move = (i: number, score: number) => {
      scores[i] = score;
      settleMoved();
    };
    const width = Math.floor(stage.clientWidth);
    // Not on the page yet.
    if (width === 0) return;
    const drawn = lambdaPicture({ width, title, documents, scores, lambdas, longest: longest || 1, move, hold });
    const previous = stage.querySelector(':scope > svg[role="group"]');
    if (previous === null) stage.prepend(drawn.svg);
    else previous.replaceWith(drawn.svg);
    hover.attach(drawn);
    numbers.replaceChildren(lambdaTable({ documents, scores, lambdas }));
    // The picture is another one: the document that the keyboard moves keeps the focus.
    if (focused != null) stage.querySelector<SVGElement>(`g[data-document="${focused}"]`)?.focus();
  }

  const step = () => {
    const most = Math.max(...lambdas.map(Math.abs));
    const range = Math.max(...scores) - Math.min(...scores) || 1;
    // As far as shows: the longest step is a tenth of the range.
    if (most > 0) scores = scores.map((score, i) => score + (lambdas[i]! / most) * range * 0.1);
    settleMoved();
  };
  const back = () => {
    scores = spread(found.documents.map(({ score }) => score));
    settle(['forces'], { ...here, iteration });
    void refresh();
  };
  let latest = 0;
  /** Of iterations that are asked for one upon the other, the last is shown, whichever answer comes last. */
  const at = async (number: number) => {
    const own = ++latest;
    const answer = await ofIteration(String(number)).catch((error: Error) => error);
    if (own !== latest) return;
    if (answer instanceof Error) {
      said.textContent = answer.message;
      return;
    }
    found = answer;
    scores = found.documents.map(({ score }) => score);
    iteration = String(number);
    settle(['forces'], { ...here, iteration });
    await refresh();
  };
  const picture = () => stage.querySelector('svg')!;
  onThemeChange(stage, draw);
  let drawnWidth = 0;
  new ResizeObserver(() => {
    if (stage.clientWidth === drawnWidth) return;
    drawnWidth = stage.clientWidth;
    draw();
  }).observe(stage);
  await refresh();
  return {
    fixed: [
      entitled(verdict(`What ${objective} would do to query ${found.query}.`), title),
      bar(...form, button('Step', step), button('Back', back)),
      ...(found.iterations === undefined ? [] : [iterationBar(found.iterations, found.iteration, at)]),
      element(
        'figure',
        { class: 'whole forces' },
        element(
          'div',
          { class: 'heading' },
          element('figcaption', {}, title),
          element(
            'div',
            { class: 'tools' },
            button('SVG', () => saveSvg(picture(), title), { 'aria-label': `Save ${title} as SVG` }),
            button('PNG', () => void savePng(picture(), title), { 'aria-label': `Save ${title} as PNG` }),
          ),
        ),
        stage,
        said,
        numbers,
      ),
      below,
    ],
    address: [['forces'], { ...here, iteration, scores: address.get('scores') ?? '' }],
  };
}

/** Goes through the iterations of a training whose models are kept, by hand or one after the other. */
function iterationBar(
  iterations: readonly number[],
  chosen: number | undefined,
  show: (iteration: number) => Promise<void>,
): HTMLElement {
  const place = Math.max(0, iterations.indexOf(chosen ?? iterations[0]!));
  const slider = element('input', {
    type: 'range',
    min: '0',
    max: String(iterations.length - 1),
    value: String(place),
  });
  const number = element('output', {}, String(iterations[place]));
  const move = () => {
    const iteration = iterations[slider.valueAsNumber]!;
    number.textContent = String(iteration);
    slider.setAttribute('aria-valuetext', `iteration ${iteration}`);
    return show(iteration);
  };
  let latest = 0;
  slider.addEventListener('input', () => {
    latest++;
    void move();
  });
  const play = async () => {
    const own = ++latest;
    if (slider.value === slider.max) slider.value = '0';
    while (own === latest && slider.isConnected) {
      await move();
      if (slider.value === slider.max) return;
      await new Promise(resolve => setTimeout(resolve, 150));
      if (own === latest) slider.value = String(slider.valueAsNumber + 1);
    }
  };
  return bar(
    element('label', {}, 'Iteration of the training ', slider),
    number,
    button('Play', () => void play()),
    button('Stop', () => latest++),
  );
}

/** As the address has it. */
function shown(score: number): number {
  return Number(score.toPrecision(6));
}

/** Without a model all scores are the same: set apart, so that there is something to see. */
function spread(scores: readonly number[]): number[] {
  const same = scores.every(score => score === scores[0]);
  return same ? scores.map((_, i) => shown((scores.length - i) / scores.length)) : [...scores];
}
