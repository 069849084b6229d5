/** A thread that looks at lines exactly. */
import { fromPortable, type PortableDataset } from '../../data/portable.js';
import { LineMeasure } from '../../lines/line-measure.js';
import { parseModel } from '../../models/model-file.js';
import { fromStrings, type Portable } from '../../objectives/portable.js';
import { atOnce } from '../../steps.js';
import type { Service } from '../../threads/crew.js';
import { ExactLines, type LinearPerturbation, type LinesJob } from './exact-lines.js';

export interface ExactWork {
  readonly model: Uint8Array;
  readonly data: PortableDataset;
  /** Of one measure. */
  readonly portable: Portable;
  readonly job: LinesJob;
  /** The mean without a step. */
  readonly here: number;
}

export async function serve({ model, data: sent, portable, job, here }: ExactWork): Promise<Service> {
  const data = fromPortable(sent);
  const { measures } = await fromStrings(portable);
  const line = await LineMeasure.start({ data, measure: measures[0]!, portable, threads: 1 });
  const perturbation = parseModel(model).perturbation!() as LinearPerturbation; // or there would be no thread
  const lines = new ExactLines(line, perturbation, data, job);
  return { tasks: (_, task) => atOnce(lines.look(task, here)) };
}
