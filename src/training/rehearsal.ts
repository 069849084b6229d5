/**
 * Trees that are grown and thrown away before a model is trained, for what the objective learns beside them. Trees of a
 * model can hardly take back what they learned from clicks while the bias was still unknown.
 */
import { ListwiseError } from '../errors.js';
import { parseObjective } from '../objectives/parse.js';
import { Turns } from '../steps.js';
import { trees } from './boosting/boosting.js';
import { LearnedState } from './learned-state.js';
import type { TrainContext, TrainJob } from './trainer.js';
import { unlessAborted } from './unless-aborted.js';

/**
 * Quicker than those of models, so that relevance, which goes with positions, is not taken for their bias; and with
 * leaves of so much information that no clicks are learned by heart, which makes bias fade. Of clicks, l2 counts more.
 */
const OPTIONS = { trees: 100, rate: 0.5, l2: 1, minHessian: 10 };

/** A signal ends it, and the run after it; nothing is taken over then. */
export async function rehearse(job: TrainJob, context: TrainContext): Promise<void> {
  for (const spec of job.learned?.rehearsals ?? []) {
    const objective = parseObjective(spec);
    const learned = LearnedState.of(objective, job.data, context.ranks)!;
    const learner = await trees.start(
      {
        ...job,
        validate: undefined,
        objective,
        portable: job.portable && { ...job.portable, objective: spec },
        giveUpFeatures: false,
        options: trees.options.parse(OPTIONS),
        from: undefined,
        learned,
        refit: undefined,
      },
      context,
    );
    try {
      const turns = new Turns();
      for (let tree = 1; tree <= OPTIONS.trees; tree++) {
        const done = await unlessAborted(learner.step(tree), turns, context);
        if (done === undefined) return;
        if ('diverged' in done) throw new ListwiseError('training-diverged', done.diverged);
        learned.advance();
      }
      job.learned!.startFrom(spec, learned);
    } finally {
      await learner.close();
    }
  }
}
