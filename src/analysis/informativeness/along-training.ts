/** The models of training runs as systems: what measures tell of them, epoch by epoch. */
import type { Dataset } from '../../data/dataset.js';
import { type Ranker, scoreData } from '../../models/ranker.js';
import { type NamedSettings, trainNamed } from '../../training/train.js';
import type { System } from '../system.js';

export interface AlongTrainingSettings extends Omit<NamedSettings, 'objective' | 'onIteration'> {
  /** Each trains a model of its own. */
  readonly objectives: readonly string[];
  /** What the models rank. */
  readonly evaluated: Dataset;
  /** Models are taken after every so many iterations (1), and after the last there is. */
  readonly every?: number | undefined;
  /** Called with the share done. */
  readonly progress?: ((share: number) => void) | undefined;
}

/** Systems are named after objective and iteration, as in "lambdarank(ap) after 10". */
export async function systemsAlongTraining(settings: AlongTrainingSettings): Promise<System[]> {
  const { objectives, evaluated, every = 1, progress, ...rest } = settings;
  const systems: System[] = [];
  const add = (objective: string, iteration: number, model: Ranker) => {
    // What becomes of features that the data lacks is noted once.
    const match = systems.length === 0 ? settings.match : { ...settings.match, note: undefined };
    systems.push({
      name: `${objective} after ${iteration}`,
      data: evaluated,
      scores: scoreData(model, evaluated, match),
    });
  };
  for (const [o, objective] of objectives.entries()) {
    let left: { iteration: number; model: Ranker } | undefined;
    await trainNamed({
      ...rest,
      objective,
      onIteration({ iteration }, total, model) {
        progress?.((o + iteration / total) / objectives.length);
        if (model === undefined) return;
        left = iteration % every === 0 ? undefined : { iteration, model: model() };
        if (left === undefined) add(objective, iteration, model());
      },
    });
    if (left !== undefined) add(objective, left.iteration, left.model);
  }
  return systems;
}
