/** Settles data to select on, objective, criterion and options, and hands over to the loop. */
import { availableParallelism } from 'node:os';
import type { Dataset } from '../data/dataset.js';
import { giveUpBlock } from '../data/given-up.js';
import { shareOf } from '../data/share.js';
import { ListwiseError, plural } from '../errors.js';
import { type Criterion, parseCriterion } from '../measures/criterion.js';
import type { Measure } from '../measures/measure.js';
import { askedMeasures, type MeasureContext, parseMeasure } from '../measures/parse.js';
import { withMemory } from '../models/all.js';
import { withFeaturesOf } from '../models/match-features.js';
import { sketchOf, sketchSample } from '../models/sketch.js';
import type { Objective } from '../objectives/objective.js';
import { parseObjective } from '../objectives/parse.js';
import { loadLibrary } from '../objectives/plugin.js';
import { isPortable } from '../objectives/portable.js';
import { deal, splitOverRanks } from '../ranks/deal.js';
import { gatherNumbers, sumOf } from '../ranks/gathered.js';
import { alone, type Transport } from '../ranks/transport.js';
import { trainerOf } from './all.js';
import { CheckpointStore } from './checkpoint.js';
import { doubtsOf, refuseBlindSelection } from './data-checks.js';
import { EvaluatedMeasures } from './evaluated-measures.js';
import { runLoop } from './loop.js';
import { checkOptions } from './options.js';
import { refit, refitData } from './refit.js';
import { DEFAULT_HOLDOUT, DEFAULT_OBJECTIVE, DEFAULT_SELECT, type NamedSettings, type Trained } from './train.js';
import { type GivenJob, SELECTING, type Trainer } from './trainer.js';

/** Below this many queries nothing is held out unless asked for. */
const LEAST_QUERIES = 10;

/** What decides how training goes beside the data, with every default filled in and the options checked. */
export interface SettledSettings {
  readonly trainer: Trainer;
  readonly objective: string | Objective | undefined;
  readonly select: string | Criterion;
  readonly options: Readonly<Record<string, unknown>>;
  readonly seed: number;
  readonly threads: number;
}

/** Settings for `trainSettled`: for callers that have a use for the settled ones before there is data. */
export function settleSettings<Settings extends Omit<NamedSettings, 'data'>>(
  settings: Settings,
): Omit<Settings, keyof SettledSettings> & SettledSettings {
  const { select = DEFAULT_SELECT, seed = 1, threads = availableParallelism() } = settings;
  const trainer = trainerOf(settings.model);
  if (trainer.needs !== 'objective' && !trainer.takesObjective && settings.objective !== undefined) {
    throw new ListwiseError('option-invalid', `${trainer.name} takes no objective`);
  }
  const objective =
    settings.objective ??
    (trainer.needs === 'objective' ? (trainer.objective ?? DEFAULT_OBJECTIVE) : trainer.objective);
  const options = checkOptions(trainer, settings.options ?? {});
  return { ...settings, trainer, objective, select, options, seed, threads };
}

export async function trainSettled(
  settings: Omit<NamedSettings, keyof SettledSettings> & SettledSettings & { readonly ranks?: Transport | undefined },
): Promise<Trained> {
  const { trainer, objective, select, options, seed, threads } = settings;
  const { modules = [], note = () => {}, onIteration = () => {}, ranks = alone } = settings;
  const given = settings.library;
  const library = await loadLibrary(modules, given);
  const context = { more: library.measures, ...(given?.preset === undefined ? {} : { preset: given.preset }) };
  const criterion = typeof select === 'string' ? parseCriterion(select, context) : select;
  const others = settings.measures ?? [];
  const measures = askedMeasures(others, context);
  const measure = trainer.needs === 'measure' ? trainedMeasure(options, criterion, context) : undefined;
  const parsed = typeof objective === 'string' ? parseObjective(objective, library) : objective;
  if (settings.data.features === 0)
    throw new ListwiseError('data-empty', 'there is nothing to learn from: the data has no features');
  const { on, ...selecting } = selectingData(settings, ranks, note);
  const data = deal(ranks, selecting.data, trainer.severalRanks);
  const validate = selecting.validate && deal(ranks, selecting.validate, 'small');
  if (validate !== undefined && on !== 'training') refuseBlindSelection(validate, criterion, on, ranks);
  const all = settings.refit ? refitData(settings.data, validate, on, ranks, trainer) : undefined;
  for (const { text, code } of doubtsOf(settings.data, settings.validate, parsed, trainer, ranks)) note(text, code);
  // A label source that is not there is known before the work begins.
  for (const { measure } of measures) (validate ?? data).label(measure.labels);
  const evaluated = new EvaluatedMeasures(criterion, measures);
  const portable = isPortable({ objective, select, measures: others, library: given })
    ? { objective: parsed?.spec, measures: evaluated.all.map(({ spec }) => spec), modules }
    : undefined;
  const job: GivenJob = {
    data,
    validate,
    objective: parsed,
    measure,
    select: criterion,
    measures: evaluated,
    options,
    from: settings.from,
    evaluateTraining: settings.evaluateTraining ?? false,
    portable,
    modules,
    // A refit needs all of it once more, and validation data may be of the same blocks.
    giveUpFeatures: settings.giveUpFeatures === true && !settings.refit && !shareBlocks(data, validate),
  };
  const gather = (part: Float64Array) => gatherNumbers(ranks, part);
  const samples = [data, validate].map(part => part && sketchSample(part, gather));
  if (job.giveUpFeatures) {
    const needed = new Set([...data.blocks, ...(validate?.blocks ?? [])]);
    for (const block of settings.data.blocks) if (!needed.has(block)) giveUpBlock(block);
  }
  const run = { seed, threads, ranks, signal: settings.signal ?? new AbortController().signal, note };
  const checkpoint = ranks.rank === 0 ? settings.checkpoint : undefined;
  const selected = await runLoop(trainer, job, {
    ...run,
    checkpoint: checkpoint && new CheckpointStore(checkpoint.directory, checkpoint),
    onIteration,
  });
  if (selected.log.length > 0 && selected.log.every(({ pairs }) => pairs === 0)) {
    throw new ListwiseError(
      'training-without-lambda',
      `${parsed?.spec ?? trainer.name} finds nothing to learn: in no query do two documents have different labels (${parsed?.labels.join(', ') ?? 'label'})`,
    );
  }
  const onRefit = settings.onRefit ?? (() => {});
  const result: Awaited<ReturnType<typeof refit>> =
    all === undefined
      ? selected
      : await refit(selected, all, trainer, job, { ...run, onIteration: onRefit }, checkpoint);
  const settled = {
    trainer: trainer.name,
    objective: parsed?.spec,
    select: criterion.spec,
    options,
    seed,
    queries: shareOf(data).queries,
    selectedOn: { data: on, queries: shareOf(validate ?? data).queries },
  };
  const { best, iterations, refitted } = result;
  // The model to go on from, where nothing was better, was not trained here.
  const sketch = best.iteration > 0 ? sketchOf(result.model, samples[0]!, samples[1]) : undefined;
  const here = { ...settled, best, iterations, ...(refitted && { refitted }), sketch };
  const training = best.iteration > 0 ? here : settings.from?.training;
  return {
    ...result,
    ...settled,
    model: withMemory(result.model, { description: data.description, training }),
    threads,
    selectMeasures: criterion.measures.map(measure => measure.spec),
    measures: measures.map(({ asked }) => asked),
  };
}

/** That of the option `measure`, or the first that selects. */
function trainedMeasure(
  { measure }: Readonly<Record<string, unknown>>,
  { measures }: Criterion,
  context: MeasureContext,
): Measure {
  return typeof measure === 'string' && measure !== SELECTING ? parseMeasure(measure, context) : measures[0]!;
}

interface SelectingData {
  readonly data: Dataset;
  readonly validate: Dataset | undefined;
  readonly on: Trained['selectedOn']['data'];
}

/** What to train and what to select on: given data, else a share of the training queries, else the training data. */
function selectingData(
  settings: Pick<NamedSettings, 'data' | 'validate' | 'holdout' | 'match' | 'refit'> & Pick<SettledSettings, 'seed'>,
  ranks: Transport,
  note: (text: string) => void,
): SelectingData {
  const { data, validate, holdout, seed } = settings;
  if (validate !== undefined) {
    if (holdout !== undefined) {
      throw new ListwiseError('option-invalid', 'give validation data or a share to hold out, not both');
    }
    return { data, validate: withFeaturesOf(data, validate, settings.match), on: 'validation' };
  }
  if (holdout !== undefined && !(holdout >= 0 && holdout < 1)) {
    throw new ListwiseError('option-invalid', `the share to hold out is at least 0 and below 1, found ${holdout}`);
  }
  if (holdout === 0) return { data, validate: undefined, on: 'training' };
  const queries = sumOf(ranks, data.queries);
  if (holdout === undefined && queries < LEAST_QUERIES) {
    note(
      `only ${plural(queries, 'query', 'queries')}: nothing is held out, the best iteration is selected on the training data`,
    );
    return { data, validate: undefined, on: 'training' };
  }
  const share = holdout ?? DEFAULT_HOLDOUT;
  const [kept, held] = splitOverRanks(ranks, data, [1 - share, share], seed) as [Dataset, Dataset];
  const heldQueries = sumOf(ranks, held.queries);
  if (holdout === undefined) {
    note(
      `no validation data: ${heldQueries} of ${queries} queries are held out to select the best iteration (\`holdout\`)${settings.refit ? '' : ', and never trained on; `refit` trains on all of them in the end'}`,
    );
  }
  return { data: kept, validate: held, on: 'holdout' };
}

function shareBlocks(data: Dataset, validate: Dataset | undefined): boolean {
  const own = new Set(data.blocks);
  return validate?.blocks.some(block => own.has(block)) ?? false;
}
