/** A small training run in the studio itself: change options, watch it, cancel it, copy its command line. */
import { button, element } from '../../report/viewer/pieces.js';
import type { Choices, Overview, TrainerChoice, TrainingRow, TrainingView, View, WrittenRequest } from '../answers.js';
import { type Address, addressOf, go } from './address.js';
import { ask, choicesOnce } from './api.js';
import { bar, chooser, type Drawn, field, verdict, viewElements } from './dom.js';
import { requestAddress, requestIn, requestQuery, writtenSeed } from './request-address.js';

/** Options that are shown at once; the others behind a click. */
const FIRST = 6;

export async function tryPage({ parts: [id], query }: Address): Promise<Drawn> {
  const planned = (of: WrittenRequest) => ask<View>('plan', of).catch((error: Error) => verdict(error.message));
  // An address that says what to train needs no lists to choose from before it is asked for.
  const whole = id === undefined && query.has('data') && query.has('model');
  const [{ data, trainings }, choices, first] = await Promise.all([
    ask<Overview>('overview?bare'),
    choicesOnce(),
    whole && planned(requestIn(query, { data: '', model: '' })),
  ]);
  if (data.length === 0) return { fixed: [verdict('Name data to train on: --data FILE.')] };
  const known = trainings.find(training => training.id === id);
  const request = known?.request ?? requestIn(query, { data: data[0]!.id, model: choices.trainers[0]!.name });
  const said = element('p', { class: 'note', role: 'status' });
  const train = () =>
    void ask<TrainingRow>('train', request).then(
      row => go(['try', row.id], requestQuery(request)),
      (error: Error) => {
        said.textContent = error.message;
      },
    );
  const form = element(
    'section',
    { class: 'form', 'aria-label': 'What to train' },
    ...fields(request, { data, choices }),
    bar(button('Train', train, { class: 'sure' }), ...earlier(trainings, id)),
    said,
  );
  if (known === undefined) {
    const plan = first || (await planned(request));
    const [said, ...below] = plan instanceof HTMLElement ? [plan] : viewElements(plan);
    const gone = id === undefined ? said! : verdict(`There is no training ${id} here any more.`);
    return { fixed: [gone, form, ...below], address: [['try'], requestQuery(request)] };
  }
  const tools = bar();
  let shownState = '';
  return {
    fixed: [form, tools],
    address: [['try', known.id], requestQuery(request)],
    async live() {
      const shown = await ask<TrainingView>(`training/${known.id}`);
      // Buttons stay where they are as long as they are the same: whoever is about to press one can.
      if (shown.training.state !== shownState) tools.replaceChildren(...actions(shown.training));
      shownState = shown.training.state;
      return viewElements(shown);
    },
  };
}

function earlier(trainings: readonly TrainingRow[], here: string | undefined): HTMLElement[] {
  return trainings
    .filter(({ id }) => id !== here)
    .map(({ id, name, state }) => element('a', { href: addressOf(['try', id]) }, `${name} (${state})`));
}

function actions({ id, state, request }: TrainingRow): HTMLElement[] {
  if (state === 'running') return [button('Cancel', () => void ask(`cancel/${id}`, {}))];
  const of = { data: request.data, model: `training/${id}` };
  return [
    element('a', { href: addressOf(['queries'], of) }, 'Its queries'),
    element(
      'a',
      { href: addressOf(['forces'], { ...of, objective: request.objective }) },
      'Its lambdas, iteration by iteration',
    ),
  ];
}

/** A change is a new address: what one sees can be shared. */
function fields(
  request: WrittenRequest,
  { data, choices }: { data: Overview['data']; choices: Choices },
): HTMLElement[] {
  const to = (next: Partial<WrittenRequest>) => {
    location.hash = requestAddress({ ...request, ...next });
  };
  const trainer = choices.trainers.find(({ name }) => name === request.model) ?? choices.trainers[0]!;
  const text = (value: string) => (value === '' ? undefined : value);
  const objectives = choices.objectives.map(({ spec }) => spec);
  const named = ({ name, title }: TrainerChoice) => ({ id: name, name: `${name}: ${title}` });
  const held = [{ id: '', name: 'a fifth of its queries' }, ...data.filter(({ id }) => id !== request.data)];
  return [
    bar(
      chooser('Data', data, request.data, id => to({ data: id, validate: undefined })),
      chooser('Select on', held, request.validate ?? '', id => to({ validate: text(id) })),
      chooser('Model', choices.trainers.map(named), trainer.name, model =>
        to({ model, set: [], objective: undefined }),
      ),
      ...(trainer.takesObjective
        ? [
            field('Objective', request.objective ?? '', objective => to({ objective: text(objective) }), {
              suggested: objectives,
              placeholder: trainer.objective,
            }),
          ]
        : []),
      field('Select by', request.select ?? '', select => to({ select: text(select) }), {
        placeholder: choices.select,
      }),
      field('Seed', String(request.seed ?? ''), seed => to({ seed: writtenSeed(seed) }), {
        placeholder: '1',
        size: 4,
      }),
    ),
    ...optionFields(trainer, request.set, set => to({ set })),
  ];
}

function optionFields(
  { options }: TrainerChoice,
  set: readonly string[],
  change: (set: readonly string[]) => void,
): HTMLElement[] {
  const given = new Map(set.map(text => text.split(/=(.*)/s) as [string, string]));
  const put = (name: string, value: string) => {
    const next = new Map(given);
    if (value === '') next.delete(name);
    else next.set(name, value);
    change([...next].map(([key, text]) => `${key}=${text}`));
  };
  const fieldOf = ({ name, description, allowed, choices, default: usual }: TrainerChoice['options'][number]) => {
    const value = given.get(name) ?? '';
    const made =
      choices === undefined
        ? field(name, value, text => put(name, text), { placeholder: usual, size: 8 })
        : chooser(
            name,
            [{ id: '', name: `${usual || 'default'}` }, ...choices.map(id => ({ id, name: id }))],
            value,
            id => put(name, id),
          );
    made.title = [description, allowed].filter(Boolean).join(' It is ');
    return made;
  };
  const shown = options.filter(({ name }, i) => i < FIRST || given.has(name));
  const rest = options.filter(option => !shown.includes(option));
  return [
    bar(...shown.map(fieldOf)),
    ...(rest.length === 0
      ? []
      : [element('details', {}, element('summary', {}, `${rest.length} more options`), bar(...rest.map(fieldOf)))]),
  ];
}
