/** The bytes of memory that this process may use: those of the machine, or of the container that it is in. */
import { totalmem } from 'node:os';

/** Where nothing limits it, the system gives 0 or a number beyond all machines. */
export function memoryLimit(machine = totalmem(), container = process.constrainedMemory()): number {
  return container > 0 ? Math.min(machine, container) : machine;
}
