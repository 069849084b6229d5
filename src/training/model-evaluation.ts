/** Models by the measures of a job, on the selecting data: for learners that have no quicker way. */
import type { Dataset } from '../data/dataset.js';
import { aggregate, countedValue } from '../measures/evaluate.js';
import { EvaluationCrew } from '../measures/evaluation-crew.js';
import { type Ranker, scoreData } from '../models/ranker.js';
import { gatherNumbers } from '../ranks/gathered.js';
import type { Transport } from '../ranks/transport.js';
import type { Steps } from '../steps.js';
import type { Evaluation } from './learner.js';
import type { GivenJob } from './trainer.js';

/** One for a run: what one model ranks, the next ranks much alike. */
export class ModelEvaluation {
  readonly data: Dataset;
  readonly #job: GivenJob;
  readonly #threads: number;
  readonly #ranks: Transport;
  #crew: EvaluationCrew | undefined;

  constructor(job: GivenJob, threads: number, ranks: Transport) {
    this.data = job.validate ?? job.data;
    this.#job = job;
    this.#ranks = ranks;
    this.#threads = threads;
  }

  of(model: Ranker): Steps<Evaluation> {
    return this.ofScores(scoreData(model, this.data));
  }

  /** By the scores of a model, one a row of the data. */
  *ofScores(scores: Float64Array): Steps<Evaluation> {
    const { portable, measures } = this.#job;
    const job = { data: this.data, measures: measures.all, portable, remember: true, threads: this.#threads };
    this.#crew ??= new EvaluationCrew(job);
    this.#crew.scores.set(scores);
    yield* this.#crew.steps();
    const values = measures.all.map((measure, m) => {
      const counted = this.#crew!.values[m]!;
      for (let q = 0; q < counted.length; q++) counted[q] = countedValue(measure, counted[q]!);
      return aggregate(measure, gatherNumbers(this.#ranks, counted)).mean;
    });
    return { values };
  }

  async close(): Promise<void> {
    await this.#crew?.close();
  }
}
