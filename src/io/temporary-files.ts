/** What must not be left behind by a process that ends at once. */
import { rmSync } from 'node:fs';

/** Temporary files and directories in use. */
export const removedOnSignal = new Set<string>();

/** Takes away what is half-written. */
export function removeTemporaryFiles(): void {
  for (const path of removedOnSignal) rmSync(path, { force: true, recursive: true });
}
