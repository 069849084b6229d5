/** A boosting thread. */
import { fromPortable } from '../../data/portable.js';
import { fromStrings } from '../../objectives/portable.js';
import type { Service } from '../../threads/crew.js';
import { runMemory } from './memory/run-memory.js';
import { TreeTasks } from './tasks/tree-tasks.js';
import type { TreeWorkerJob } from './tree-threads.js';

export async function serve({
  portable,
  memory,
  layout,
  data,
  seen,
  validation,
  ...job
}: TreeWorkerJob): Promise<Service> {
  const { objective, measures } = await fromStrings(portable);
  const tasks = new TreeTasks({
    ...job,
    memory: runMemory(layout, memory),
    data: fromPortable(data),
    seen: fromPortable(seen),
    validation: validation && fromPortable(validation),
    objective: objective!,
    measures,
  });
  return { tasks: tasks.run };
}
