/** One run, and several beside each other. */
import { button, element } from '../../report/viewer/pieces.js';
import type { Overview, RunView, View } from '../answers.js';
import { DEFAULT_MEASURE } from '../default-measure.js';
import { type Address, go, requestPath } from './address.js';
import { ask } from './api.js';
import { bar, chooser, commandLine, confirmed, type Drawn, field, viewElements } from './dom.js';
import { requestAddress } from './request-address.js';

const GOES_ON = 'It goes on in a process of its own, which ends with the studio.';

export async function runPage({ parts }: Address): Promise<Drawn> {
  const id = parts.map(encodeURIComponent).join('/');
  const said = element('p', { class: 'note', role: 'status' });
  const tools = bar();
  let shownFor = '';
  let removed = false;
  let resumed = false;
  let state = '';
  const tell = <T>(work: Promise<T>, done: (answer: T) => string) =>
    void work.then(
      answer => {
        said.textContent = done(answer);
      },
      (error: Error) => {
        removed = false;
        said.textContent = error.message;
      },
    );

  async function remove({ run }: RunView): Promise<void> {
    const question = `Delete the run ${run.name}? Its model, log and report are gone then.`;
    if (!(await confirmed(question, 'Delete'))) return;
    removed = true;
    tell(ask<{ readonly left: readonly string[] }>(`remove/${id}`, { name: run.name }), ({ left }) => {
      if (left.length === 0) go(['runs']);
      else tools.replaceChildren();
      return left.length === 0 ? 'deleted' : `Deleted. Files that are no part of the run are left: ${left.join(', ')}`;
    });
  }

  async function resume({ run, started }: RunView): Promise<void> {
    if (!(await confirmed(`Go on with the run ${run.name}?`, 'Resume', started))) return;
    tell(ask(`resume/${id}`, {}), () => {
      resumed = true;
      return state === 'finished' ? '' : GOES_ON;
    });
  }

  function actions(shown: RunView): HTMLElement[] {
    const { run, again } = shown;
    const report = element('a', { href: `/report/${id}`, target: '_blank', rel: 'noopener' }, 'Open the report');
    return [
      ...(run.hasReport ? [report] : []),
      ...(again === undefined
        ? []
        : [element('a', { href: requestAddress(again) }, 'Train it here, iteration by iteration')]),
      ...(run.canResume ? [button('Resume', () => void resume(shown))] : []),
      ...(run.state === 'running' ? [] : [button('Delete', () => void remove(shown))]),
    ];
  }

  return {
    fixed: [tools, said],
    async live() {
      if (removed) return [];
      const shown = await ask<RunView>(`run/${id}`);
      // Buttons stay where they are as long as they are the same: whoever is about to press one can.
      const { run, again, started } = shown;
      const ended = run.state !== 'running' && (state === 'running' || run.state === 'finished');
      if (resumed && ended) said.textContent = '';
      state = run.state;
      const now = JSON.stringify([run.state, run.canResume, run.hasReport, again, started]);
      if (now !== shownFor) tools.replaceChildren(...actions(shown));
      shownFor = now;
      return [...viewElements(shown), element('p', { class: 'note' }, 'It was begun by:'), commandLine(started)];
    },
  };
}

/** Curves and options; over data, paired tests. */
export async function comparePage({ query }: Address): Promise<Drawn> {
  const { data, runs } = await ask<Overview>('overview');
  const chosen = query.getAll('run');
  const [dataId, measure] = [query.get('data') ?? '', query.get('measure') ?? DEFAULT_MEASURE];
  const tested = chosen.every(id => runs.find(run => run.id === id)?.hasModel);
  const to = (next: { data?: string; measure?: string }) =>
    go(['compare'], { run: chosen, data: dataId, measure, ...next });
  const tools =
    data.length === 0 || !tested
      ? element('p', { class: 'note' }, 'Paired tests need data (--data FILE) and runs that have models.')
      : bar(
          chooser('Paired tests on', [{ id: '', name: 'no data' }, ...data], dataId, id => to({ data: id })),
          field('Measures', measure, text => to({ measure: text })),
        );
  return {
    fixed: [tools],
    live: async () => viewElements(await ask<View>(requestPath(['compare'], { run: chosen, data: dataId, measure }))),
  };
}
