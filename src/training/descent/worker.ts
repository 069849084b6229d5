/** A training thread of descent. */
import { fromPortable, type PortableDataset } from '../../data/portable.js';
import { fromStrings, type Portable } from '../../objectives/portable.js';
import type { Service } from '../../threads/crew.js';
import { type Board, sliceTasks } from './board.js';
import { type RunnerJob, SliceRunner } from './slice-runner.js';

export interface WorkerJob {
  readonly memory: WebAssembly.Memory;
  readonly job: RunnerJob;
  readonly thread: number;
  readonly data: PortableDataset;
  readonly validate: PortableDataset | undefined;
  readonly portable: Portable;
  readonly board: Board;
}

export async function serve({ memory, job, thread, board, ...sent }: WorkerJob): Promise<Service> {
  const { objective, measures } = await fromStrings(sent.portable);
  const data = fromPortable(sent.data);
  const validate = sent.validate && fromPortable(sent.validate);
  return { tasks: sliceTasks(board, new SliceRunner(memory, job, thread, data, validate, objective!, measures)) };
}
