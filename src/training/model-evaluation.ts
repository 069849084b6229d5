/** Models by the measures of a job, on the selecting data: for learners that have no quicker way. */
import type { Dataset } from '../data/dataset.js';
import { evaluateSteps } from '../measures/evaluate.js';
import { DatasetView } from '../measures/query-view.js';
import { type Ranker, scoreData } from '../models/ranker.js';
import type { Steps } from '../steps.js';
import type { Evaluation } from './learner.js';
import type { TrainJob } from './trainer.js';

/** One for a run: what one model ranks, the next ranks much alike. */
export class ModelEvaluation {
  readonly data: Dataset;
  readonly #measures: TrainJob['measures'];
  readonly #view: DatasetView;

  constructor({ data, validate, measures }: TrainJob<unknown>) {
    this.data = validate ?? data;
    this.#measures = measures;
    this.#view = new DatasetView(this.data, 'expected', { remember: true });
  }

  of(model: Ranker): Steps<Evaluation> {
    return this.ofScores(scoreData(model, this.data));
  }

  /** By the scores of a model, one a row of the data. */
  *ofScores(scores: Float64Array): Steps<Evaluation> {
    const results = yield* evaluateSteps(this.data, scores, this.#measures.all, { view: this.#view });
    return { values: results.map(({ mean }) => mean) };
  }
}
