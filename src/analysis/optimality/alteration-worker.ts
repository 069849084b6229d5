/** A thread that evaluates altered models. */
import { fromPortable, type PortableDataset } from '../../data/portable.js';
import { parseModel } from '../../models/model-file.js';
import { fromStrings, type Portable } from '../../objectives/portable.js';
import { atOnce } from '../../steps.js';
import type { Service } from '../../threads/crew.js';
import { type AlterationJob, AlterationRunner, alterationKinds } from './alteration-runner.js';

export interface AlterationWork {
  readonly model: Uint8Array;
  readonly data: PortableDataset;
  readonly portable: Portable;
  readonly job: AlterationJob;
}

export async function serve({ model, data, portable, job }: AlterationWork): Promise<Service> {
  const { measures } = await fromStrings(portable);
  const runner = new AlterationRunner(parseModel(model).perturbation!(), fromPortable(data), measures, job);
  return { tasks: (kind, task) => atOnce(runner.run(alterationKinds[kind]!, task)) };
}
