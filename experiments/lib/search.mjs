// Hyper-parameters chosen on validation data only.
import { train } from '#listwise/training/train.js';

/**
 * Trains with every objective and rate of a method and keeps what is best on the validation data (of equals the first), by the
 * measure that also selects the epoch. `settings` is as for train().
 */
export async function bestOnValidation({ objectives, rates }, settings) {
  let best;
  const trials = [];
  for (const objective of objectives) {
    for (const rate of rates) {
      const trained = await train({ ...settings, objective, options: { ...settings.options, rate }, threads: 1 });
      const { iteration, values } = trained.best;
      const trial = { objective: trained.objective, rate, epoch: iteration, validation: values[0] };
      trials.push({ ...trial, epochs: trained.iterations });
      if (best === undefined || trial.validation > best.chosen.validation)
        best = { chosen: trial, model: trained.model };
    }
  }
  return { ...best, trials };
}
