/** Searches for the options with the best value on queries that training did not see. */
import { availableParallelism } from 'node:os';
import { meanInterval } from '../analysis/significance/t-test.js';
import type { Dataset } from '../data/dataset.js';
import { fingerprint } from '../data/fingerprint.js';
import { ListwiseError } from '../errors.js';
import { digestOf, type Identity } from '../io/identity.js';
import { type Criterion, parseCriterion } from '../measures/criterion.js';
import { evaluate } from '../measures/evaluate.js';
import { Random } from '../numeric/random.js';
import { mean } from '../numeric/vectors.js';
import { parseObjective } from '../objectives/parse.js';
import { loadLibrary } from '../objectives/plugin.js';
import { isPortable } from '../objectives/portable.js';
import { alone, type Transport } from '../ranks/transport.js';
import { refuseBlind } from '../training/data-checks.js';
import { moduleDigests } from '../training/module-digests.js';
import { DEFAULT_SELECT } from '../training/train.js';
import { version } from '../version.js';
import type { Configuration, FoldContext, LearningCurve } from './fold-job.js';
import { FoldRunner } from './fold-runner.js';
import { foldValue, overFolds } from './fold-values.js';
import { Journal, type PieceOutcome } from './journal.js';
import { type MethodName, methods } from './methods/all.js';
import type { EvaluatedTrial, Proposal, SearchMethod } from './methods/method.js';
import {
  checkSpace,
  configurationOf,
  defaultValues,
  hasDefaults,
  probes,
  type SearchSpace,
  type Values,
} from './space.js';

export const DEFAULT_BATCH = 5;

/**
 * Training data and queries apart from it: the best iteration and the best trial are selected on those.
 *
 * @example
 * import { splitByQuery } from 'listwise';
 * import type { TuningFold } from 'listwise/tuning';
 *
 * const [fit, held] = splitByQuery(data, [0.8, 0.2], 1);
 * const folds: TuningFold[] = [{ train: fit!, validate: held! }];
 */
export interface TuningFold {
  readonly train: Dataset;
  readonly validate: Dataset;
}

/**
 * What is searched, and how.
 *
 * @example
 * import type { TuneSettings } from 'listwise/tuning';
 *
 * const settings: TuneSettings = { space, folds, method: 'halving', trials: 50 };
 */
export interface TuneSettings extends Pick<Configuration, 'library' | 'modules'> {
  readonly space: SearchSpace;
  readonly folds: readonly TuningFold[];
  readonly method?: MethodName | undefined;
  /** As many as usual for the method where left out. */
  readonly trials?: number | undefined;
  /** Trainings of each trial and fold, with seeds that follow each other. */
  readonly seeds?: number | undefined;
  readonly seed?: number | undefined;
  /** Goes before the space's. */
  readonly select?: string | Criterion | undefined;
  /** Trials that the sequential method proposes at a time. */
  readonly batch?: number | undefined;
  /** Where the state of the search is kept, to go on from. */
  readonly journal?: string | undefined;
  readonly threads?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with every trial that has ended, as it ends. `best` is the best of those trained in full. */
  readonly onTrial?: ((trial: Trial, best: Trial | undefined) => void) | undefined;
  /** Trainings done, and how many there are as far as it is known. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  readonly note?: FoldContext['note'] | undefined;
}

/**
 * One configuration that was tried.
 *
 * @example
 * import { type Trial, tune } from 'listwise/tuning';
 *
 * const { trials } = await tune({ space, folds });
 * const done: Trial[] = trials.filter(({ status }) => status === 'done');
 */
export interface Trial {
  /** From 1, in the order of proposals; 0 is the defaults. */
  readonly id: number;
  /** What was tried: a value for each key of the space's search. */
  readonly options: Values;
  /** stopped: others were better with a share of the iterations, and it was not trained in full. */
  readonly status: 'done' | 'stopped' | 'failed';
  /** The criterion's first measure: the mean over folds and seeds. NaN where training failed. */
  readonly value: number;
  /** Of the value, 95 %: over the seeds where there are several, else over the queries. */
  readonly interval: readonly [number, number];
  /** One for each measure of the criterion. */
  readonly values: readonly number[];
  /** The value of each seed. */
  readonly seeds: readonly number[];
  /** Of the iterations. */
  readonly share: number;
  /** The best ones, mean over folds and seeds. */
  readonly iteration: number;
  readonly seconds: number;
  /** Mean over folds and seeds of the first measure, at iterations that all have. */
  readonly curve: LearningCurve;
  readonly error?: string;
}

/**
 * What a search found.
 *
 * @example
 * import { tune, type Tuned } from 'listwise/tuning';
 *
 * const { best, defaults }: Tuned = await tune({ space, folds });
 * console.log(best.value, defaults?.value);
 */
export interface Tuned {
  readonly best: Trial;
  /** What the best trial was trained with; all seeds began with this one. */
  readonly configuration: Configuration;
  /** The space's fixed options and nothing else; undefined where the objective is open. */
  readonly defaults: Trial | undefined;
  /** By id, without the defaults. */
  readonly trials: readonly Trial[];
  readonly select: string;
}

/**
 * Searches for the options that are best on validation data.
 *
 * @example
 * import { splitByQuery } from 'listwise';
 * import { trainNamed } from 'listwise/training';
 * import { tune } from 'listwise/tuning';
 *
 * const [fit, held] = splitByQuery(data, [0.8, 0.2], 1);
 * const { best, configuration } = await tune({ space, folds: [{ train: fit!, validate: held! }], trials: 30 });
 * console.log(best.value);
 * await trainNamed({ ...configuration, data });
 */
export function tune(settings: TuneSettings): Promise<Tuned> {
  return tuneOn(alone, settings);
}

/** On ranks that share the trainings out; every one of them makes this call, with the same settings. */
export async function tuneOn(ranks: Transport, settings: TuneSettings): Promise<Tuned> {
  const { folds, seeds = 1, seed = 1, library, modules = [], note = () => {} } = settings;
  const { onTrial = () => {}, onProgress = () => {}, batch = DEFAULT_BATCH } = settings;
  const select = settings.select ?? settings.space.select ?? DEFAULT_SELECT;
  const space = checkSpace({ ...settings.space, select: undefined });
  const loaded = await loadLibrary(modules, library);
  const criterion = typeof select === 'string' ? parseCriterion(select, { more: loaded.measures }) : select;
  checkObjectives(space, loaded);
  checkFolds(folds, criterion);
  const method: SearchMethod = methods[settings.method ?? 'sequential'];
  const trials = settings.trials ?? method.usual;
  const search = method.start({
    space,
    trials,
    batch,
    random: new Random(seed, `tune ${method.name}`),
    compare: (a, b) => criterion.compare(a, b),
  });
  const journal =
    settings.journal === undefined
      ? new Journal()
      : await Journal.open(
          settings.journal,
          await searchIdentity(settings, criterion, method),
          criterion.measures.length,
        );
  journal.share(ranks);
  let proposals = search.next([]);
  const pieces = folds.length * seeds;
  const runner = new FoldRunner(
    folds.map(({ train, validate }, f) => ({ fold: f + 1, train, validate, test: validate })),
    {
      jobs: pieces * proposals.length,
      threads: settings.threads ?? availableParallelism(),
      ranks,
      note,
      portable: isPortable({ select, library }),
      signal: settings.signal ?? new AbortController().signal,
    },
  );
  let done = 0;
  let planned = 0;

  const runPiece = async (values: Values, share: number, fold: number, ownSeed: number): Promise<PieceOutcome> => {
    const piece = { values, share, seed: ownSeed, fold };
    let outcome = journal.get(piece);
    if (outcome === undefined) {
      const configuration = { ...configurationOf(space, values, share), select, seed: ownSeed, library, modules };
      outcome = await runner.run(fold, configuration).then(
        ({ scores, best, iterations, seconds, curve }): PieceOutcome => ({
          values: evaluate(folds[fold]!.validate, scores, criterion.measures).map(result =>
            foldValue(result.measure, result.values),
          ),
          iteration: best.iteration,
          iterations,
          seconds,
          curve,
        }),
        (error: unknown): PieceOutcome => {
          // A trial may fail, as one with too high a rate does. Whatever else goes wrong ends the search.
          if (!(error instanceof ListwiseError) || error.code === 'training-interrupted') throw error;
          return { error: { code: error.code, message: error.message } };
        },
      );
      journal.add(piece, outcome);
    }
    onProgress(++done, Number.isFinite(trials) ? Math.max(planned, pieces * trials) : planned);
    return outcome;
  };

  const runTrial = async (id: number, { values, share }: Proposal): Promise<Trial> => {
    planned += pieces;
    const outcomes = await Promise.all(
      Array.from({ length: seeds }, (_, s) =>
        Promise.all(folds.map((_, fold) => runPiece(values, share, fold, seed + s))),
      ),
    );
    return { id, options: values, ...evaluateTrial(criterion, outcomes, share) };
  };

  try {
    const byId = new Map<number, Trial>();
    const evaluated: EvaluatedTrial[] = [];
    let best: Trial | undefined;
    const end = (trial: Trial) => {
      const better = best === undefined || criterion.compare(trial.values, best.values) > 0;
      if (trial.status === 'done' && better) best = trial;
      onTrial(trial, best);
    };
    const endInFull = (trial: Trial) => {
      if (trial.share === 1) end(trial);
      return trial;
    };
    const baseline = hasDefaults(space) ? runTrial(0, { values: {}, share: 1 }).then(endInFull) : undefined;
    baseline?.catch(() => {}); // thrown below
    let next = 1;
    while (proposals.length > 0) {
      const batchOf = proposals.map(proposal => ({ id: proposal.trial ?? next++, proposal }));
      const ended = await Promise.all(batchOf.map(({ id, proposal }) => runTrial(id, proposal).then(endInFull)));
      for (const trial of ended) {
        byId.set(trial.id, trial);
        evaluated.push({ trial: trial.id, values: trial.options, share: trial.share, results: trial.values });
      }
      const known = await baseline;
      proposals = search.next(
        evaluated,
        known && { trial: 0, values: defaultValues(space), share: 1, results: known.values },
      );
      const goOn = new Set(proposals.map(({ trial }) => trial));
      for (const trial of ended) if (trial.share < 1 && !goOn.has(trial.id)) end(trial);
    }
    const defaults = await baseline;
    const all = [...byId.values()].sort((a, b) => a.id - b.id);
    if (all.length < trials && Number.isFinite(trials))
      note(`the space has ${all.length} different trials, fewer than the ${trials} asked for`);
    const winner = winnerOf(criterion, all, defaults);
    return {
      best: winner,
      configuration: { ...configurationOf(space, winner.options), select, seed, library, modules },
      defaults,
      trials: all,
      select: criterion.spec,
    };
  } finally {
    await runner.close();
    journal.close();
  }
}

/** The best of the trials trained in full, of equals the first; the defaults where they are better than all. */
function winnerOf(criterion: Criterion, trials: readonly Trial[], defaults: Trial | undefined): Trial {
  let best: Trial | undefined;
  for (const trial of [...trials, ...(defaults === undefined ? [] : [defaults])]) {
    if (trial.status !== 'done') continue;
    if (best === undefined || criterion.compare(trial.values, best.values) > 0) best = trial;
  }
  if (best !== undefined) return best;
  throw new ListwiseError('trials-failed', `no trial could be trained; the first: ${trials[0]?.error ?? 'none'}`);
}

/** `outcomes[seed][fold]`. */
function evaluateTrial(criterion: Criterion, outcomes: PieceOutcome[][], share: number): Omit<Trial, 'id' | 'options'> {
  const all = outcomes.flat();
  const failed = all.find(outcome => 'error' in outcome);
  const good = outcomes.map(seed => seed.filter(outcome => 'values' in outcome));
  const seconds = good.flat().reduce((sum, outcome) => sum + outcome.seconds, 0);
  if (failed !== undefined) {
    const nothing = Number.NaN;
    return {
      status: 'failed',
      value: nothing,
      interval: [nothing, nothing],
      seeds: [],
      share,
      iteration: nothing,
      seconds,
      values: criterion.measures.map(() => nothing),
      curve: { iterations: [], values: [] },
      error: failed.error.message,
    };
  }
  const estimates = criterion.measures.map((measure, m) =>
    good.map(seed =>
      overFolds(
        measure,
        seed.map(({ values }) => values[m]!),
      ),
    ),
  );
  const values = estimates.map(bySeed => mean(bySeed.map(estimate => estimate.mean)));
  const first = estimates[0]!;
  const seeds = first.map(estimate => estimate.mean);
  return {
    status: share < 1 ? 'stopped' : 'done',
    value: values[0]!,
    interval: seeds.length > 1 ? meanInterval(Float64Array.from(seeds), 0.05) : first[0]!.interval,
    values,
    seeds,
    share,
    seconds,
    iteration: mean(good.flat().map(({ iteration }) => iteration)),
    curve: meanCurve(good.flat().map(({ curve }) => curve)),
  };
}

/** Curves have their iterations in common, as far as the shortest goes. */
function meanCurve(curves: readonly LearningCurve[]): LearningCurve {
  const [shortest] = curves.toSorted((a, b) => a.iterations.length - b.iterations.length);
  const { iterations } = shortest!;
  return { iterations, values: iterations.map((_, i) => mean(curves.map(({ values }) => values[i]!))) };
}

/** An objective that cannot be parsed is found before anything is trained. */
function checkObjectives(space: SearchSpace, library: Configuration['library']): void {
  const first = Object.fromEntries(
    Object.entries(space.search).map(([key, dimension]) => [key, probes(dimension)[0]!]),
  );
  for (const [key, dimension] of Object.entries(space.search)) {
    for (const value of probes(dimension)) {
      const { objective } = configurationOf(space, { ...first, [key]: value });
      if (typeof objective === 'string') parseObjective(objective, library);
    }
  }
}

/** A part that cannot tell trials apart is found before anything is trained. */
function checkFolds(folds: readonly TuningFold[], criterion: Criterion): void {
  for (const [f, { validate }] of folds.entries()) {
    const words = (noun: string) => `${noun} that trials are evaluated on in fold ${f + 1} of ${folds.length}`;
    const advice = 'take fewer folds, more data or another measure';
    refuseBlind(validate, criterion, [words('query'), words('queries')], advice);
  }
}

/** Of all that decides the values and the order of trials. */
async function searchIdentity(
  { space, folds, trials, seeds, seed, batch, modules = [] }: TuneSettings,
  criterion: Criterion,
  method: SearchMethod,
): Promise<Identity> {
  const { model, objective, options, search } = space;
  return {
    'version of listwise': version,
    'kind of model': model,
    objective,
    options,
    'search space': search,
    'measure to select by': criterion.spec,
    method: method.name,
    'number of seeds': seeds,
    seed,
    batch,
    ...(await moduleDigests(modules)),
    'number of trials': method.grows ? undefined : trials,
    // The parts that are left out are the whole data together; of one fold the training data is the rest.
    data: digestOf([folds[0]!.train, ...folds.map(({ validate }) => validate)].map(fingerprint)),
    folds: folds.map(({ train }) => [train.queries, train.rows]),
  };
}
