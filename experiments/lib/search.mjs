// Hyper-parameters chosen on validation data only.
import { train } from '#listwise/training/train.js';

/** Seeds of the starts of one search are this far apart, so that searches from neighbouring seeds share none. */
const SEED_STEP = 1000;

/**
 * Trains with every objective and rate of a method from several starts and keeps what is best on the validation data (of equals
 * the first), by the measure that also selects the epoch. `settings` is as for train().
 */
export async function bestOnValidation({ objectives, rates, starts = 1 }, settings) {
  let best;
  const trials = [];
  for (const { objective, rate, seed } of grid(objectives, rates, starts, settings.seed)) {
    const trained = await train({ ...settings, objective, options: { ...settings.options, rate }, seed, threads: 1 });
    const { iteration, values } = trained.best;
    const trial = { objective: trained.objective, rate, seed, epoch: iteration, validation: values[0] };
    trials.push({ ...trial, epochs: trained.iterations });
    if (best === undefined || trial.validation > best.chosen.validation) best = { chosen: trial, model: trained.model };
  }
  return { ...best, trials };
}

function* grid(objectives, rates, starts, seed) {
  for (const objective of objectives) {
    for (const rate of rates) {
      for (let start = 0; start < starts; start++) yield { objective, rate, seed: seed + SEED_STEP * start };
    }
  }
}
