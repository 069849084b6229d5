/** A model by the measures of a job, on the selecting data: for learners that have no quicker way. */
import { evaluateSteps } from '../measures/evaluate.js';
import { type Ranker, scoreData } from '../models/ranker.js';
import type { Steps } from '../steps.js';
import type { Evaluation } from './learner.js';
import type { TrainJob } from './trainer.js';

export function* evaluateModel(job: TrainJob<unknown>, model: Ranker): Steps<Evaluation> {
  const on = job.validate ?? job.data;
  const results = yield* evaluateSteps(on, scoreData(model, on), job.measures.all);
  return { values: results.map(({ mean }) => mean) };
}
