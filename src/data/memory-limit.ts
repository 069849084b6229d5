/** The bytes of memory that this process may use: those of the machine, or of the container that it is in. */
import { totalmem } from 'node:os';
import { ListwiseError } from '../errors.js';

/** Ranks of this machine, which share what a container has. */
let sharers = 1;

export function shareMemory(processes: number): void {
  sharers = processes;
}

/** Where nothing limits it, the system gives 0 or a number beyond all machines. */
export function memoryLimit(machine = totalmem(), container = process.constrainedMemory()): number {
  return container > 0 && container < machine ? container / sharers : machine;
}

/** What else grows while data does: parts of it on their way, and what the garbage collector has yet to find. */
const SPARE_BYTES = 2 ** 26;

/** Whether there may be so many bytes more. A container kills whoever takes too much, without a word. */
export function mayTake(bytes: number, limit = memoryLimit(), machine = totalmem()): boolean {
  return limit === machine || process.memoryUsage.rss() + bytes + SPARE_BYTES <= limit;
}

/** What to do where one process can hold no more, whatever the machine has. */
export const SEVERAL_RANKS =
  'several ranks, each of which holds its part, lift that on one machine, too (mpirun -np 2 listwise train …)';

/** For what training takes at once: a coded error where a container has not so much. */
export function refuseBeyondContainer(bytes: number, limit = memoryLimit()): void {
  if (mayTake(bytes, limit)) return;
  const gigabytes = (size: number) => (size / 2 ** 30).toFixed(1);
  throw new ListwiseError(
    'data-too-large',
    `training needs ${gigabytes(bytes)} GiB more, of the ${gigabytes(limit)} that this container has${sharers > 1 ? ' for each of its ranks' : ''}; train on fewer documents or features`,
  );
}
